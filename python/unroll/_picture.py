"""Maps as pictures, which the library draws: for notebooks, and for files."""
import numpy as np

from . import _arrays, _core, _errors

# The colors of classes (src/report/plot_colors.cpp), for what is drawn here.
CLASS_COLORS = ("#3f90da", "#ffa90e", "#bd1f01", "#94a4a2", "#832db6", "#a96b59", "#e76300", "#b9ac70", "#717581",
                "#92dadd")
_MOST_DRAWN = 5000  # points in a notebook, whose file holds them
_MOST_NUMBERED = 20  # whole numbers are classes if there are no more of them


class Picture:
    """A drawing of a map. Notebooks show it; `svg` and `png` are its content, `save` writes it to a file."""

    def __init__(self, who, parts, options, path=None):
        self._who, self._parts, self._options, self._content = who, parts, options, {}
        if path is None:
            self._drawn("svg")  # what is wrong is said now
        else:
            self.save(path)

    def _call(self, function, *arguments):
        try:
            return function(*arguments)
        except _errors.Error as error:
            raise error.told_by(self._who) from None

    def _drawn(self, kind):
        if kind not in self._content:
            self._content[kind], self.notes = self._call(_core.plot, self._parts, kind, self._options)
        return self._content[kind]

    svg = property(lambda self: self._drawn("svg").decode(), doc="The text of the drawing.")
    png = property(lambda self: self._drawn("png"), doc="The bytes of a PNG file.")

    def _repr_html_(self):
        return self.svg

    def save(self, path):
        """Writes a file: .png or .svg; unroll.plot writes pages (.html), too."""
        self.notes = self._call(_core.write_plot, str(path), self._parts, self._options)


def _colors(labels, count, who):
    """The library's labels or numbers. Numbers with fractions, or of many values, are a scale; all else are classes."""
    if labels is None:
        return {"labels": [], "numbers": None, "label_name": ""}
    values = np.asarray(labels)
    if values.shape != (count,):
        raise ValueError(f"{who}: the labels have the shape {values.shape}; give one per row, {count} in all")
    name = getattr(labels, "name", None)  # of a pandas.Series
    named = {"labels": [], "numbers": None, "label_name": name if isinstance(name, str) else ""}
    is_count = values.dtype.kind in "iu" and len(np.unique(values)) > _MOST_NUMBERED
    if values.dtype.kind == "f" or is_count:
        return {**named, "numbers": values.astype(np.float64)}
    missing = [value is None or value != value for value in values.tolist()]  # pylint: disable=comparison-with-itself
    return {**named, "labels": ["" if gone else str(value) for value, gone in zip(values.tolist(), missing)]}


def _subject(map, labels, names, who):
    coordinates = _arrays.dense(getattr(map, "embedding_", map), who, name="the map", min_features=0)
    if coordinates.shape[1] == 0:
        coordinates = np.zeros((len(coordinates), 1))
    columns = [str(column) for column in getattr(map, "columns", [])]  # of a pandas.DataFrame
    return {"map": coordinates, "axis_names": columns, "point_names": [] if names is None else [str(name) for name in names],
            **_colors(labels, len(coordinates), who)}


def plot(map, labels=None, *, path=None, names=None, title="", axes=None, size=(960, 720), aspect="auto", all=False,
         dark=False, point_size=None, opacity=None, max_drawn=None):
    """A picture of a map: a dot per row, in the colors of `labels`; the same as the command `unroll plot` draws.

    `labels` are classes, or numbers, which get a scale of colors; None and NaN are not known, and grey. `names` are
    written beside the points where these are few. `path` is a file to write: .png, .svg, or .html. `axes` are the coordinates
    to draw, such as (0, 2). `all` shows outliers that would take most of the room. Notebooks show the result; its `notes`
    say what the picture leaves out.

    >>> import unroll
    >>> points, truth = unroll.make_dataset("s_curve", 300)
    >>> flat = unroll.embed(points, "isomap")
    >>> unroll.plot(flat, truth[:, 0], title="unrolled").png[1:4]
    b'PNG'
    """
    options = {"title": str(title), "width": int(size[0]), "height": int(size[1]), "aspect": aspect, "all": bool(all), "dark": bool(dark),
               "point_size": point_size, "opacity": opacity, "max_drawn": max_drawn}
    if axes is not None:
        options["axes"] = [int(axis) for axis in np.atleast_1d(axes)]
    return Picture("plot", _subject(map, labels, names, "plot"), options, path)


def _varied_axes(coordinates):
    """The first two columns that are not constant, and others where there are too few."""
    spread = [np.ptp(column / 2) for column in coordinates.T]
    varied = [axis for axis, width in enumerate(spread) if width > 1e-9 * max(spread)]
    return (varied + [axis for axis in range(len(spread)) if axis not in varied])[:2]


def _small(who, map, y, title, size, has_key):
    """A picture for a notebook, of at most 5000 points; without a title and a key it is the points alone."""
    subject = _subject(map, y, None, who)
    axes = _varied_axes(subject["map"]) if len(subject["map"]) else []
    has_key = has_key and y is not None
    options = {"title": title, "axes": axes, "width": size + (120 if has_key else 0), "height": size + (24 if title else 0),
               "all": True, "bare": not (has_key or title), "max_drawn": _MOST_DRAWN}
    return Picture(who, subject, options)


def draw(embedding, y=None, size=400, has_key=True):
    """The SVG of a map as a part of a page."""
    return _small("picture", embedding, y, "", size, has_key).svg


def picture(embedding, y=None, *, title="", size=400):
    """A small picture of a map for a page, without outliers left out; `plot` makes larger ones, for files.

    `y` are classes, or numbers, which get a scale of colors. At most 5000 dots are drawn, a sample of more, at the first
    two coordinates that vary. Notebooks show the result; `save` writes it to a file.

    >>> import unroll
    >>> points, truth = unroll.make_dataset("s_curve", 300)
    >>> flat = unroll.embed(points, "isomap")
    >>> unroll.picture(flat, truth[:, 0]).svg[:4]
    '<svg'
    """
    return _small("picture", embedding, y, title, size, True)
