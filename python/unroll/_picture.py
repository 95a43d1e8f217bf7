"""Maps as pictures: SVG, which needs nothing beside itself, for notebooks and for files."""
import numpy as np

# The colors of the page of `unroll compare` (web/compare.html).
CLASS_COLORS = ("#3f90da", "#ffa90e", "#bd1f01", "#94a4a2", "#832db6", "#a96b59", "#e76300", "#b9ac70", "#717581",
                "#92dadd")
_VIRIDIS = ("440154", "472d7b", "3b528b", "2c728e", "21918c", "28ae80", "5ec962", "addc30", "fde725")
_MOST_DRAWN = 5000
_MOST_NAMED = 24  # classes in the key
_LEVELS = 32  # of a scale of colors


class Picture:
    """A drawing of points. Notebooks show it, `svg` is its text, `save` writes it to a file."""

    def __init__(self, svg):
        self._svg = svg

    svg = property(lambda self: self._svg, doc="The text of the drawing.")

    def _repr_html_(self):
        return self.svg

    def save(self, path):
        """Writes the SVG to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.svg + "\n")


def drawn_rows(count):
    """The rows to draw: all, or a sample that is the same for all maps of as many points."""
    if count <= _MOST_DRAWN:
        return np.arange(count)
    return np.sort(np.random.RandomState(0).permutation(count)[:_MOST_DRAWN])


def scale_color(share):
    """Viridis, without the end that a white background swallows."""
    place = 0.93 * share * (len(_VIRIDIS) - 1)
    low = min(int(place), len(_VIRIDIS) - 2)
    ends = [[int(color[i:i + 2], 16) for i in (0, 2, 4)] for color in _VIRIDIS[low:low + 2]]
    return "#" + "".join(f"{round(a + (b - a) * (place - low)):02x}" for a, b in zip(*ends))


def _interval(values):
    low, high = float(values.min()), float(values.max())
    return low / 2 + high / 2, high / 2 - low / 2  # halves: the difference of two large numbers may be infinite


def axes_to_draw(coordinates):
    """Two columns of a map: the first that are not constant. One column is drawn against the row numbers."""
    spread = [np.ptp(column / 2) for column in coordinates.T]
    varied = [axis for axis, width in enumerate(spread) if width > 1e-9 * max(spread)]
    if coordinates.shape[1] >= 2:
        first, second = (varied + [axis for axis in range(coordinates.shape[1]) if axis not in varied])[:2]
        return coordinates[:, [first, second]], True
    line = coordinates[:, :1] if coordinates.shape[1] else np.zeros((len(coordinates), 1))
    return np.column_stack([line, np.arange(len(line))]), False


def _places(coordinates, size, margin):
    """Pixels; a map has one scale for both axes."""
    pair, is_map = axes_to_draw(coordinates)
    intervals = [_interval(pair[:, axis]) for axis in (0, 1)]
    largest = max(half for _, half in intervals)
    room = size / 2 - margin
    columns = []
    for axis, (middle, half) in enumerate(intervals):
        unit = largest if is_map else half
        share = (pair[:, axis] - middle) / unit if unit > 0 else np.zeros(len(pair))
        columns.append(size / 2 + (room if axis == 0 else -room) * share)
    return np.column_stack(columns)


class Coloring:
    """What the colors say: `groups` are (color, rows drawn in it), `key` is a list of (color, text) or a scale."""

    def __init__(self, y, rows):
        self.names, self.ends = [], None
        if y is None:
            self.groups = [(CLASS_COLORS[0], np.arange(len(rows)))]
            return
        values = np.asarray(y)
        if values.dtype.kind == "f":
            self._by_scale(values.astype(np.float64), rows)
        else:
            self._by_class(values, rows)

    def _by_scale(self, values, rows):
        known = np.isfinite(values)
        low, high = (float(values[known].min()), float(values[known].max())) if known.any() else (0.0, 0.0)
        half = high / 2 - low / 2
        share = (values[rows] / 2 - low / 2) / half if half > 0 else np.zeros(len(rows))
        level = np.where(known[rows], np.clip(np.nan_to_num(share) * _LEVELS, 0, _LEVELS - 1), -1).astype(int)
        self.groups = [(scale_color(step / (_LEVELS - 1)) if step >= 0 else "#999999", np.flatnonzero(level == step))
                       for step in np.unique(level)]
        self.ends = (f"{low:.3g}", f"{high:.3g}")

    def _by_class(self, values, rows):
        words, numbers = np.unique(values.astype(str) if values.dtype.kind == "O" else values, return_inverse=True)
        colors = [CLASS_COLORS[number % len(CLASS_COLORS)] for number in range(len(words))]
        self.groups = [(color, np.flatnonzero(numbers[rows] == number)) for number, color in enumerate(colors)]
        if len(words) <= _MOST_NAMED:
            self.names = [(color, str(word)) for color, word in zip(colors, words)]


def _key(coloring, left, height):
    if coloring.ends is not None:
        steps = "".join(f'<rect x="{left}" y="{20 + 6 * step}" width="12" height="6.5" '
                        f'fill="{scale_color(1 - step / 15)}"/>' for step in range(16))
        low, high = coloring.ends
        return steps + _text(left + 18, 29, high) + _text(left + 18, 116, low)
    lines = []
    for place, (color, word) in enumerate(coloring.names):
        y = 20 + place * min(17, (height - 30) / max(len(coloring.names), 1))
        lines.append(f'<circle cx="{left + 5}" cy="{y:.1f}" r="4.5" fill="{color}"/>' + _text(left + 15, y + 4, word[:16]))
    return "".join(lines)


def _text(x, y, words, more=""):
    from html import escape  # not needed to import the package
    return f'<text x="{x}" y="{y:.1f}"{more}>{escape(str(words))}</text>'


def draw(embedding, y=None, title="", size=400, has_key=True):
    """The SVG of a map."""
    coordinates = np.asarray(embedding, dtype=np.float64)
    rows = drawn_rows(len(coordinates))
    coloring = Coloring(y, rows)
    radius = min(4.0, max(1.0, 60 / max(len(rows), 1)**0.5)) * size / 400
    places = _places(coordinates[rows], size, 10) if len(rows) else np.zeros((0, 2))
    dots = []
    for color, members in coloring.groups:
        # A line of length 0 with round ends is a dot, and a path of many takes a third of as many circles.
        line = "".join(f"M{x:.1f} {y:.1f}h0" for x, y in places[members])
        if line:
            dots.append(f'<path d="{line}" stroke="{color}"/>')
    top = 24 if title else 0
    has_key = has_key and (coloring.names or coloring.ends)
    width = size + (120 if has_key else 0)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{size + top}" '
             f'viewBox="0 0 {width} {size + top}" font-family="sans-serif" font-size="12" fill="#222">',
             f'<rect width="{width}" height="{size + top}" fill="#fff"/>']
    if title:
        parts.append(_text(size / 2, 17, title, ' text-anchor="middle" font-size="14"'))
    parts.append(f'<g transform="translate(0 {top})"><rect x="0.5" y="0.5" width="{size - 1}" height="{size - 1}" '
                 f'fill="none" stroke="#ccc"/><g fill="none" stroke-linecap="round" stroke-opacity="0.75" '
                 f'stroke-width="{2 * radius:.2f}">{"".join(dots)}</g>')
    if has_key:
        parts.append(_key(coloring, size + 14, size))
    return "".join(parts) + "</g></svg>"


def picture(embedding, y=None, *, title="", size=400):
    """A picture of a map: a dot per row, at its first two coordinates, in the colors of `y`.

    `y` are classes, or a column of floating-point numbers, which get a scale of colors. At most 5000 dots are drawn, a
    sample of more. Notebooks show the result; `save` writes it as an SVG file.

    >>> import unroll
    >>> points, truth = unroll.make_dataset("s_curve", 300)
    >>> flat = unroll.embed(points, "isomap")
    >>> unroll.picture(flat, truth[:, 0]).svg[:4]
    '<svg'
    """
    coordinates = np.asarray(embedding)
    if coordinates.ndim != 2:
        raise ValueError(f"picture: the map has {coordinates.ndim} dimensions; give a row per point")
    if not np.isfinite(coordinates).all():
        raise ValueError("picture: the map has values that are not finite")
    if y is not None and np.shape(y) != (len(coordinates),):
        raise ValueError(f"picture: y has the shape {np.shape(y)}; give one value per row, {len(coordinates)} in all")
    return Picture(draw(coordinates, y, title, size))
