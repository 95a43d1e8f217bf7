import { contains } from "../geometry/polygon";
import { corners } from "./shapes";

/** A mark as shares of covered pixels, for each of PHASES x PHASES places of its center within a pixel. */
export interface Stamp {
  /** Pixels per side. */
  side: number;
  /** From the pixel of the center to the first one of the mark. */
  offset: number;
  /** Opacity, 0 to 256, by phase in x, then in y. */
  masks: Uint16Array[];
}

export const PHASES = 4;
const SAMPLES = 4;

function covers(shape: number, x: number, y: number): boolean {
  const outline = corners(shape);
  return outline ? contains(outline, x, y) : x * x + y * y <= 1;
}

/** `opacity` is that of a pixel that is covered, 0 to 1. */
export function stampOf(shape: number, radius: number, opacity: number): Stamp {
  const reach = Math.ceil(1.4 * radius) + 1;
  const side = 2 * reach + 1;
  const masks: Uint16Array[] = [];
  for (let phase = 0; phase < PHASES * PHASES; ++phase) {
    const cx = reach + ((phase % PHASES) + 0.5) / PHASES;
    const cy = reach + (Math.floor(phase / PHASES) + 0.5) / PHASES;
    const mask = new Uint16Array(side * side);
    for (let p = 0; p < side * side * SAMPLES * SAMPLES; ++p) {
      const pixel = Math.floor(p / (SAMPLES * SAMPLES));
      const sample = p % (SAMPLES * SAMPLES);
      const x = (pixel % side) + ((sample % SAMPLES) + 0.5) / SAMPLES;
      const y = Math.floor(pixel / side) + (Math.floor(sample / SAMPLES) + 0.5) / SAMPLES;
      if (covers(shape, (x - cx) / radius, (y - cy) / radius)) ++mask[pixel];
    }
    masks.push(mask.map((count) => Math.round((256 * opacity * count) / (SAMPLES * SAMPLES))));
  }
  return { side, offset: -reach, masks };
}

const made = new Map<string, Stamp>();

/** The same, made once. */
export function stamp(shape: number, radius: number, opacity: number): Stamp {
  const key = `${shape} ${radius} ${opacity}`;
  let found = made.get(key);
  if (!found) made.set(key, (found = stampOf(shape, radius, opacity)));
  return found;
}
