import type { Section } from "../data/section";
import type { FigureJson } from "../data/section_json";
import { element } from "../controls/element";
import { lineChart, type Line } from "./line_chart";

/** R_NX of all maps over the size of neighbourhoods; nothing if it was not measured. */
export function qualityCurves({ json, state }: Section): HTMLElement | null {
  const { curves, methods } = json;
  if (!curves) return null;
  const lines: Line[] = [];
  curves.values.forEach((y, method) => {
    if (y) lines.push({ method, label: methods[method].label, x: curves.k, y });
  });
  if (!lines.length) return null;
  return lineChart(lines, {
    title: "Kept neighborhoods by size",
    meaning: "R_NX(k): the share of the k nearest that a map keeps, above chance; 1 is all, 0 is chance. " +
      "Left: the nearest points; right: the whole.",
    x: "k, nearest points",
    y: "R_NX",
  }, state);
}

/** The k of a method's neighbours, if it was given one. */
function neighborsOf(options: Record<string, unknown>): number | null {
  const k = options.n_neighbors;
  return typeof k === "number" ? k : null;
}

/** Methods that were run with several k: what became of them. */
function runsByName({ json }: Section): Map<string, { k: number; method: number }[]> {
  const runs = new Map<string, { k: number; method: number }[]>();
  json.methods.forEach(({ name, options, failed }, method) => {
    const k = neighborsOf(options);
    if (k !== null && !failed) runs.set(name, [...(runs.get(name) ?? []), { k, method }]);
  });
  for (const [name, some] of runs) {
    some.sort((a, b) => a.k - b.k);
    if (new Set(some.map((run) => run.k)).size < 2) runs.delete(name);
  }
  return runs;
}

/** Figures over k, for methods that were run with several; the figure can be chosen. */
export function choiceOfK(section: Section): HTMLElement | null {
  const runs = runsByName(section);
  const measured = section.json.figures.filter((figure) => figure.values.some((value) => value !== null));
  if (!runs.size || !measured.length) return null;
  const root = element("div", { class: "choice-of-k" });
  const select = element("select", { "aria-label": "Figure over k" });
  measured.forEach((figure, i) => select.add(new Option(figure.title, String(i))));
  const first = measured.findIndex((figure) => figure.name !== "seconds");
  select.value = String(Math.max(0, first));
  const made = new Map<string, HTMLElement>();
  const show = (): void => {
    const chart = made.get(select.value) ?? chartOf(measured[Number(select.value)]);
    made.set(select.value, chart);
    chart.querySelector("h3")?.append(" ", select);
    root.replaceChildren(chart);
  };
  const chartOf = (figure: FigureJson): HTMLElement => {
    const lines: Line[] = [];
    for (const [name, some] of runs) {
      const known = some.filter(({ method }) => figure.values[method] !== null);
      const y = known.map(({ method }) => figure.values[method] ?? 0);
      if (known.length) lines.push({ method: known[0].method, label: name, x: known.map((run) => run.k), y });
    }
    return lineChart(lines, {
      title: "Which k", meaning: figure.meaning, x: "k, neighbors of the method", y: figure.title,
    }, section.state);
  };
  select.addEventListener("change", () => {
    show();
    select.focus();
  });
  show();
  return root;
}
