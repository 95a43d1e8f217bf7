"""What notebooks show of a fitted estimator, a model and a comparison: the picture, and what one should know of it.

The text holds all that it shows: no script, no style sheet, nothing from the network.
"""
import html
import sys

import numpy as np

from . import _errors, _picture
from ._base import OPTIONS_OF

_BOX = "font-family:sans-serif;font-size:13px;line-height:1.4"


def _escape(words):
    return html.escape(str(words))


def _short(value):
    """A value of an option, cut where it is an array or long."""
    if isinstance(value, np.ndarray):
        return f"array of shape {value.shape}"
    words = repr(value)
    return words if len(words) <= 60 else words[:57] + "..."


def _rows(pairs):
    lines = "".join(f'<tr><td style="text-align:left;padding:1px 10px 1px 0">{_escape(name)}</td>'
                    f'<td style="text-align:left;padding:1px 0">{_escape(value)}</td></tr>' for name, value in pairs)
    return f'<table style="font-size:inherit;border-collapse:collapse;margin:4px 0">{lines}</table>' if pairs else ""


def _warnings(found):
    lines = "".join(f"<li>{_escape(_errors.composed('', message, hint))}</li>" for _, message, hint in found)
    return f'<p style="margin:6px 0 0">Warnings</p><ul style="margin:0;padding-left:18px">{lines}</ul>' if lines else ""


def _card(picture, title, facts, pairs, found=()):
    said = f'<p style="margin:0 0 4px"><b>{_escape(title)}</b></p>'
    said += "".join(f'<p style="margin:0">{_escape(fact)}</p>' for fact in facts if fact)
    return (f'<div style="{_BOX};display:flex;flex-wrap:wrap;gap:16px"><div>{picture}</div>'
            f'<div style="max-width:460px">{said}{_rows(pairs)}{_warnings(found)}</div></div>')


def seconds_text(seconds):
    return "" if seconds is None else f"fitted in {seconds:.3g} s"


def _bars(labels):
    """How many points every cluster has, where no map is kept that could be drawn."""
    sizes = np.bincount(labels)
    shown = sizes[:24]
    lines = []
    for cluster, size in enumerate(shown):
        width, color = 200 * size / max(sizes.max(), 1), _picture.CLASS_COLORS[cluster % len(_picture.CLASS_COLORS)]
        lines.append(f'<rect x="34" y="{8 + 18 * cluster}" width="{width:.1f}" height="13" fill="{color}"/>'
                     f'<text x="28" y="{19 + 18 * cluster}" text-anchor="end">{cluster}</text>'
                     f'<text x="{40 + width:.1f}" y="{19 + 18 * cluster}">{size}</text>')
    height = 14 + 18 * len(shown)
    return (f'<svg xmlns="http://www.w3.org/2000/svg" width="300" height="{height}" viewBox="0 0 300 {height}" '
            f'font-family="sans-serif" font-size="12" fill="#222"><rect width="300" height="{height}" fill="#fff"/>'
            + "".join(lines) + "</svg>")


def _diagram(estimator):
    """scikit-learn's diagram of an estimator that is not fitted; None, which shows its text, without scikit-learn."""
    try:
        from sklearn.utils import estimator_html_repr
    except ImportError:
        return None
    return estimator_html_repr(estimator)


def _changed(estimator):
    return [(parameter.name, _short(getattr(estimator, parameter.name))) for parameter in estimator._row.parameters
            if estimator._is_changed(parameter)]


def of_estimator(estimator):
    """What a notebook shows of an estimator."""
    if "sklearn" in sys.modules and sys.modules["sklearn"].get_config().get("display") == "text":
        return None
    if not estimator.__sklearn_is_fitted__():
        return _diagram(estimator)
    known, name = vars(estimator), type(estimator).__name__
    time, labels = seconds_text(known.get("_seconds")), known.get("labels_")
    model = known.get("_model")
    if model is not None:
        return _of_model(model, name, time, _changed(estimator))
    facts = [f"{estimator.n_features_in_} features", time]
    if labels is None:
        return _card("", name, facts, _changed(estimator))
    return _card(_bars(labels), name, [f"{len(labels)} points of " + facts[0], time], _changed(estimator))


def _of_model(model, title, time, pairs):
    coordinates, labels = model.coordinates, model.labels
    color = labels if len(labels) else None
    if color is None and coordinates.shape[1] > 2:
        color = coordinates[:, 2]  # a third coordinate is seen as color
    of_classes = "known_labels" in model.attributes  # its coordinates are probabilities
    facts = [f"{len(coordinates)} points of {model.n_features} features, {model.n_components} "
             + ("classes" if of_classes else "coordinates"),
             f"{len(np.unique(labels))} clusters" if len(labels) and not of_classes else "",
             "color: the third coordinate" if len(labels) == 0 and color is not None else "", time]
    return _card(_picture.draw(coordinates, color, size=300, has_key=len(labels) > 0), title, facts, pairs, model.warnings)


def _different(method, options):
    """(name, text) of the options that are not the method's defaults."""
    defaults = {name: option["default"] for name, option in OPTIONS_OF.get(method, {}).items()}
    return [(name, _short(value)) for name, value in options.items() if value != defaults.get(name)]


def of_model(model, seconds):
    """What a notebook shows of a FittedModel: options as they were used, where they are not the default."""
    return _of_model(model, model.method, seconds_text(seconds), _different(model.method, model.options))


def _turned(map, reference):
    """The map with axes in the direction of the reference's: a direction has no meaning, and alike is easier to compare."""
    axes = min(map.shape[1], reference.shape[1])
    turned = np.array(map, dtype=np.float64)
    for axis in range(axes):
        with np.errstate(all="ignore"):
            along = np.nansum((map[:, axis] - map[:, axis].mean()) * (reference[:, axis] - reference[:, axis].mean()))
        if along < 0:
            turned[:, axis] = -turned[:, axis]
    return turned


def _panel(row, color, reference):
    head = f'<p style="margin:0 0 2px;text-align:center"><b>{_escape(row["label"])}</b></p>'
    if row["error"] is not None:
        return f'<div style="width:220px">{head}<p style="margin:0;color:#bd1f01">{_escape(row["error"])}</p></div>'
    if len(row["clusters"]):
        color = row["clusters"]
    map = _picture.draw(_turned(row["coordinates"], reference), color, size=220, has_key=False)
    return f"<div>{head}{map}</div>"


def _number(figure, place):
    value = figure["values"][place]
    return "" if value is None else f"{value:.3g}" if figure["name"] == "seconds" else f"{value:.4f}"


def _table(labels, figures):
    cell = 'style="text-align:right;padding:2px 10px"'
    head = "".join(f'<th {cell} title="{_escape(figure["meaning"])}">{_escape(figure["title"])}</th>' for figure in figures)
    lines = []
    for place, label in enumerate(labels):
        values = "".join(f"<td {cell}>{_number(figure, place)}</td>" for figure in figures)
        lines.append(f'<tr><td style="text-align:left;padding:2px 10px 2px 0">{_escape(label)}</td>{values}</tr>')
    return f'<table style="font-size:inherit;border-collapse:collapse;margin:8px 0"><tr><th></th>{head}</tr>{"".join(lines)}</table>'


def of_comparison(result, truth, labels):
    """What a notebook shows of a comparison: a panel per method, the table, the verdict, and what methods warned of."""
    rows = result.methods
    maps = [row["coordinates"] for row in rows if len(row["coordinates"])]
    reference = truth if truth is not None else maps[0] if maps else None
    color = labels if labels is not None else None if truth is None else np.asarray(truth, dtype=np.float64)[:, 0]
    panels = "".join(_panel(row, color, reference) for row in rows)
    said = [(row["label"], _errors.composed("", message, hint)) for row in rows for _, message, hint in row["warnings"]]
    changed = [(row["label"], ", ".join(f"{name}={value}" for name, value in _different(row["name"], row["options"])))
               for row in rows if _different(row["name"], row["options"])]
    lists = "".join(f"<li>{_escape(line)}</li>" for line in [*result.verdict, *result.notes])
    return (f'<div style="{_BOX}"><div style="display:flex;flex-wrap:wrap;gap:12px">{panels}</div>'
            f"{_table([row['label'] for row in rows], result.figures)}<ul style=\"margin:0;padding-left:18px\">{lists}</ul>"
            + (f'<p style="margin:6px 0 0">Options</p>{_rows(changed)}' if changed else "")
            + (f'<p style="margin:6px 0 0">Warnings</p>{_rows(said)}' if said else "") + "</div>")
