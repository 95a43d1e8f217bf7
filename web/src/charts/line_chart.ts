import { spoken } from "../data/decode";
import type { State } from "../data/state";
import { css, labelColor } from "../draw/palette";
import { element, svg } from "../controls/element";
import { currentTheme, onTheme } from "../controls/theme";
import { niceTicks, powerTicks, place, type Axis } from "./axis";

/** A line of a chart, of one method. */
export interface Line {
  method: number;
  label: string;
  x: readonly number[];
  y: readonly number[];
}
export interface ChartWords {
  title: string;
  /** What is to be seen in it, in a sentence. */
  meaning: string;
  x: string;
  y: string;
}

const WIDTH = 460;
const HEIGHT = 280;
const FRAME = { left: 46, right: 12, top: 10, bottom: 38 };
const DASHES = ["", "6 3", "2 3", "9 3 2 3"];

function range(values: readonly number[]): [number, number] {
  return [Math.min(...values), Math.max(...values)];
}

/** Lines over a logarithmic axis. The line of the method under the pointer stands out, here and in the panels. */
export function lineChart(lines: readonly Line[], words: ChartWords, state: State): HTMLElement {
  const [low, high] = range(lines.flatMap((line) => line.y));
  const [near, far] = range(lines.flatMap((line) => line.x));
  const x: Axis = { low: near, high: Math.max(far, near * 1.001), from: FRAME.left, to: WIDTH - FRAME.right, isLog: true };
  const slack = (high - low) * 0.05 || 0.05;
  const y: Axis = { low: low - slack, high: high + slack, from: HEIGHT - FRAME.bottom, to: FRAME.top, isLog: false };
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `${words.title}: ${words.meaning}` });
  picture.append(axes(x, y, words));
  const groups = lines.map((line) => lineOf(line, x, y));
  const names = lines.map((line) => nameOf(line));
  picture.append(...groups);
  lines.forEach((line, i) => {
    for (const part of [groups[i], names[i]]) {
      part.addEventListener("pointerenter", () => state.pointAtMethod(line.method));
      part.addEventListener("pointerleave", () => state.pointAtMethod(-1));
    }
  });
  const color = (): void =>
    lines.forEach((line, i) => {
      const ink = css(labelColor(line.method, currentTheme()));
      groups[i].style.color = ink;
      names[i].style.setProperty("--line-color", ink);
    });
  color();
  onTheme(color);
  const root = element("figure", { class: "chart" }, element("figcaption", {}, element("h3", {}, words.title),
    element("p", {}, words.meaning)), picture, element("div", { class: "names" }, ...names));
  state.listen((change) => {
    if (change !== "method") return;
    const isMeant = lines.some((line) => line.method === state.method);
    root.classList.toggle("pointing", isMeant);
    lines.forEach((line, i) => {
      for (const part of [groups[i], names[i]]) part.classList.toggle("pointed", line.method === state.method);
    });
  });
  return root;
}

function axes(x: Axis, y: Axis, words: ChartWords): SVGElement {
  const group = svg("g", { class: "axes" });
  for (const value of niceTicks(y.low, y.high)) {
    const at = place(y, value);
    group.append(svg("line", { x1: FRAME.left, x2: WIDTH - FRAME.right, y1: at, y2: at }),
      svg("text", { x: FRAME.left - 6, y: at + 4, "text-anchor": "end" }, spoken(value)));
  }
  for (const value of powerTicks(x.low, x.high))
    group.append(svg("text", { x: place(x, value), y: HEIGHT - FRAME.bottom + 16, "text-anchor": "middle" }, spoken(value)));
  group.append(svg("text", { x: (FRAME.left + WIDTH - FRAME.right) / 2, y: HEIGHT - 4, "text-anchor": "middle" }, words.x),
    svg("text", { x: 12, y: (FRAME.top + HEIGHT - FRAME.bottom) / 2, "text-anchor": "middle",
      transform: `rotate(-90 12 ${(FRAME.top + HEIGHT - FRAME.bottom) / 2})` }, words.y));
  return group;
}

function lineOf(line: Line, x: Axis, y: Axis): SVGElement {
  const points = line.x.map((value, i) => `${place(x, value).toFixed(1)},${place(y, line.y[i]).toFixed(1)}`);
  const dash = DASHES[Math.floor(line.method / 10) % DASHES.length];
  const group = svg("g", { class: "line" }, svg("title", {}, line.label),
    // A wide line that cannot be seen is easier to point at.
    svg("polyline", { points: points.join(" "), class: "touch" }),
    svg("polyline", { points: points.join(" "), "stroke-dasharray": dash }));
  if (points.length <= 12)
    for (const point of points) {
      const [cx, cy] = point.split(",");
      group.append(svg("circle", { cx, cy, r: 3 }));
    }
  return group;
}

function nameOf(line: Line): HTMLElement {
  const dash = DASHES[Math.floor(line.method / 10) % DASHES.length];
  const sample = svg("svg", { viewBox: "0 0 24 8", width: 24, height: 8, "aria-hidden": "true" },
    svg("line", { x1: 0, x2: 24, y1: 4, y2: 4, "stroke-dasharray": dash }));
  return element("span", {}, sample, line.label);
}
