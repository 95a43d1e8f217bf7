import { DIM, HIDDEN, VIVID } from "../data/state";
import type { Projection } from "../geometry/view";
import type { Rgb } from "./palette";
import { PHASES, stamp, type Stamp } from "./stamp";

/** What is drawn of the points of a map. */
export interface Marks {
  /** x and y of one point after the other, in units of the map. */
  at: Float32Array;
  codes: Uint8Array;
  shades: Uint8Array;
  /** Of every code. */
  palette: readonly Rgb[];
  shapes: Uint8Array;
  /** Which point comes after which; null: in their order. */
  order: Uint32Array | null;
  /** In pixels. */
  radius: number;
}

/** Pixels in memory: red, green, blue and opacity, a byte each. */
export interface Picture {
  width: number;
  height: number;
  data: Uint8ClampedArray;
}

/**
 * Draws marks without a canvas' own paths: at 100 000 points these take seconds, this takes some 10 ms. Points that are
 * dimmed lie below the others.
 */
export function paint(picture: Picture, p: Projection, marks: Marks, paper: Rgb, dim: Rgb): void {
  new Uint32Array(picture.data.buffer).fill(packed(paper));
  const vivid = [0, 1, 2, 3].map((shape) => stamp(shape, marks.radius, marks.radius < 2 ? 0.8 : 0.9));
  const faint = [0, 1, 2, 3].map((shape) => stamp(shape, marks.radius, 1));
  const count = marks.codes.length;
  const hasDim = marks.shades.includes(DIM);
  for (const shade of hasDim ? [DIM, VIVID] : [VIVID])
    for (let k = 0; k < count; ++k) {
      const i = marks.order ? marks.order[k] : k;
      if (marks.shades[i] === HIDDEN || marks.shades[i] !== shade) continue;
      const x = marks.at[2 * i] * p.scale + p.dx;
      const y = p.dy - marks.at[2 * i + 1] * p.scale;
      const shape = marks.shapes[marks.codes[i]];
      if (shade === DIM) press(picture, faint[shape], x, y, dim);
      else press(picture, vivid[shape], x, y, marks.palette[marks.codes[i]]);
    }
}

/** Four bytes as one number, in the order in which this machine has them. */
function packed([red, green, blue]: Rgb): number {
  return new Uint32Array(Uint8Array.of(red, green, blue, 255).buffer)[0];
}

function press(picture: Picture, mark: Stamp, x: number, y: number, color: Rgb): void {
  const { width, height, data } = picture;
  const column = Math.floor(x);
  const row = Math.floor(y);
  const left = column + mark.offset;
  const top = row + mark.offset;
  if (!(left < width && top < height && left + mark.side > 0 && top + mark.side > 0)) return;
  const phase = Math.floor((y - row) * PHASES) * PHASES + Math.floor((x - column) * PHASES);
  const mask = mark.masks[phase];
  const [red, green, blue] = color;
  for (let v = Math.max(0, -top); v < mark.side && top + v < height; ++v)
    for (let u = Math.max(0, -left); u < mark.side && left + u < width; ++u) {
      const opacity = mask[v * mark.side + u];
      if (opacity === 0) continue;
      const at = 4 * ((top + v) * width + left + u);
      data[at] += ((red - data[at]) * opacity) >> 8;
      data[at + 1] += ((green - data[at + 1]) * opacity) >> 8;
      data[at + 2] += ((blue - data[at + 2]) * opacity) >> 8;
    }
}

/** The radius of marks: smaller where there are many, larger when zoomed in. */
export function radiusOf(size: number, count: number, zoom: number): number {
  const plain = Math.max(0.9, Math.min(3.4, (0.35 * size) / Math.sqrt(count)));
  return Math.round(4 * Math.min(4.5, plain * Math.max(1, Math.sqrt(zoom)))) / 4;
}
