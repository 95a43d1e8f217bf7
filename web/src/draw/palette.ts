import { TOP, UNKNOWN, type Coloring } from "../data/coloring";

export type Rgb = readonly [number, number, number];
export type Theme = "light" | "dark";

/** What panels are drawn with, beside the colors of points; style.css has the same for the page. */
export const PAPER: Record<Theme, Rgb> = { light: rgb("ffffff"), dark: rgb("191d23") };
export const INK: Record<Theme, Rgb> = { light: rgb("1b1f27"), dark: rgb("e8ebf0") };

// Viridis (Smith and van der Walt), without the end that the background swallows.
const VIRIDIS = ["440154", "472d7b", "3b528b", "2c728e", "21918c", "28ae80", "5ec962", "addc30", "fde725"].map(rgb);
// Ten colors that color-blind readers tell apart (M. Petroff, "Accessible color sequences for data visualization", 2021);
// after them, the same in other shapes.
const LABELS = ["3f90da", "ffa90e", "bd1f01", "94a4a2", "832db6", "a96b59", "e76300", "b9ac70", "717581", "92dadd"].map(rgb);
export const SHAPES = 4;

function rgb(hex: string): Rgb {
  const at = (i: number): number => parseInt(hex.slice(i, i + 2), 16);
  return [at(0), at(2), at(4)];
}
export function css(color: Rgb): string {
  return `rgb(${color.map(Math.round).join(",")})`;
}
export function mixed(a: Rgb, b: Rgb, share: number): Rgb {
  const at = (i: 0 | 1 | 2): number => a[i] + (b[i] - a[i]) * share;
  return [at(0), at(1), at(2)];
}

/** A color of the scale; t from 0 to 1. */
export function scaleColor(t: number, theme: Theme): Rgb {
  const [from, to] = theme === "dark" ? [0.14, 1] : [0, 0.93];
  const at = (from + (to - from) * t) * (VIRIDIS.length - 1);
  const low = Math.min(Math.floor(at), VIRIDIS.length - 2);
  return mixed(VIRIDIS[low], VIRIDIS[low + 1], at - low);
}
export function labelColor(label: number, theme: Theme): Rgb {
  const color = LABELS[label % LABELS.length];
  return theme === "dark" ? mixed(color, [255, 255, 255], 0.22) : color;
}
export function labelShape(label: number): number {
  return Math.floor(label / LABELS.length) % SHAPES;
}

/** What is not chosen: one faint color that does not add up where points lie on each other. */
export function dimColor(theme: Theme): Rgb {
  return mixed(PAPER[theme], INK[theme], theme === "dark" ? 0.14 : 0.11);
}
export function unknownColor(theme: Theme): Rgb {
  return mixed(PAPER[theme], INK[theme], 0.4);
}

/** The color of every code. */
export function paletteOf(coloring: Coloring | null, theme: Theme): Rgb[] {
  if (!coloring) return Array.from({ length: 256 }, () => labelColor(0, theme));
  return Array.from({ length: 256 }, (_, code) => {
    if (code === UNKNOWN) return unknownColor(theme);
    return coloring.labels ? labelColor(code, theme) : scaleColor(code / TOP, theme);
  });
}

/** The shape of every code. */
export function shapesOf(coloring: Coloring | null): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => (coloring?.labels && code !== UNKNOWN ? labelShape(code) : 0));
}
