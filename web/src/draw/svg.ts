import { DIM, VIVID } from "../data/state";
import { toPicture, type Projection } from "../geometry/view";
import { css, type Rgb } from "./palette";
import type { Marks } from "./raster";
import { pathOf } from "./shapes";

/** Text within XML. */
export function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign);
}

/** One mark after the other, a path per color and shape; what is outside of the square is left out. */
export function marksSvg(marks: Marks, p: Projection, size: number, dim: Rgb): string {
  const groups = new Map<string, { color: string; isCircle: boolean; path: string }>();
  for (const shade of [DIM, VIVID])
    marks.codes.forEach((code, i) => {
      if (marks.shades[i] !== shade) return;
      const [x, y] = toPicture(p, marks.at[2 * i], marks.at[2 * i + 1]);
      if (x < 0 || y < 0 || x > size || y > size) return;
      const shape = marks.shapes[code];
      const color = css(shade === DIM ? dim : marks.palette[code]);
      const key = `${shade} ${shape} ${color}`;
      let group = groups.get(key);
      if (!group) groups.set(key, (group = { color, isCircle: shape === 0, path: "" }));
      group.path += pathOf(shape, x, y, marks.radius);
    });
  const width = (2 * marks.radius).toFixed(1);
  return [...groups.values()]
    .map(({ color, isCircle, path }) =>
      isCircle
        ? `<path d="${path}" stroke="${color}" stroke-width="${width}" stroke-linecap="round" fill="none"/>`
        : `<path d="${path}" fill="${color}"/>`)
    .join("\n");
}
