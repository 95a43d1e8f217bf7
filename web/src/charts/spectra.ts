import { spoken } from "../data/decode";
import type { Section } from "../data/section";
import type { MethodJson } from "../data/section_json";
import { element, svg } from "../controls/element";
import { barHeights, gapInWords, largestGap } from "./gap";

const WIDTH = 220;
const HEIGHT = 96;

/** The eigenvalues of a method as bars; those of its coordinates are dark, and the largest gap is marked. */
export function spectrumChart({ eigenvalues, coordinates, label }: MethodJson): HTMLElement {
  const step = WIDTH / eigenvalues.length;
  const gap = largestGap(eigenvalues);
  const picture = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Eigenvalues of ${label}` });
  barHeights(eigenvalues).forEach((height, i) => {
    const size = Math.max(1, height * (HEIGHT - 16));
    picture.append(svg("rect", { x: i * step + step * 0.12, y: HEIGHT - size, width: step * 0.76, height: size,
      class: i < coordinates ? "used" : "" }, svg("title", {}, `${i + 1}: ${eigenvalues[i].toPrecision(6)}`)));
  });
  if (gap) {
    const x = gap.after * step;
    picture.append(svg("line", { x1: x, x2: x, y1: 12, y2: HEIGHT, class: "gap" }),
      svg("text", { x: Math.max(14, Math.min(x, WIDTH - 14)), y: 9, "text-anchor": "middle" }, `×${spoken(gap.ratio)}`));
  }
  return element("figure", { class: "spectrum" },
    element("figcaption", {}, element("h4", {}, label), element("p", {}, gapInWords(eigenvalues, coordinates))), picture);
}

export function spectra({ json, state }: Section): HTMLElement | null {
  const root = element("div", { class: "spectra" });
  json.methods.forEach((method, m) => {
    if (method.eigenvalues.length <= method.coordinates) return;
    const chart = spectrumChart(method);
    chart.addEventListener("pointerenter", () => state.pointAtMethod(m));
    chart.addEventListener("pointerleave", () => state.pointAtMethod(-1));
    state.listen((change) => {
      if (change === "method") chart.classList.toggle("pointed", state.method === m);
    });
    root.append(chart);
  });
  return root.childElementCount ? root : null;
}
