import { boundsOf } from "../geometry/polygon";

/** More names than this are not written. */
export const MOST_NAMES = 80;

export interface PlacedName {
  point: number;
  x: number;
  y: number;
}

/**
 * Where names stand: right of their point, left of it where the picture ends, and nowhere if another name is in the way.
 * `places` are x and y in pixels.
 */
export function placedNames(
  places: Float64Array, widths: readonly number[], height: number, size: number, gap: number,
): PlacedName[] {
  const placed: PlacedName[] = [];
  const taken: number[][] = [];
  for (let point = 0; point < widths.length; ++point) {
    const px = places[2 * point];
    const py = places[2 * point + 1];
    if (!(px >= 0 && px <= size && py >= 0 && py <= size)) continue;
    for (const x of [px + gap, px - gap - widths[point]]) {
      const box = [x, py - height / 2, x + widths[point], py + height / 2];
      if (box[0] < 0 || box[2] > size || box[1] < 0 || box[3] > size || taken.some((other) => overlap(other, box))) continue;
      placed.push({ point, x, y: py });
      taken.push(box);
      break;
    }
  }
  return placed;
}

function overlap(a: readonly number[], b: readonly number[]): boolean {
  const [one, two] = [boundsOf(a), boundsOf(b)];
  return one.left < two.right && two.left < one.right && one.top < two.bottom && two.top < one.bottom;
}
