/** Points within outlines. Coordinates are pairs of numbers, x and y one after the other. */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export function boundsOf(outline: ArrayLike<number>): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (let i = 0; i < outline.length; i += 2) {
    box.left = Math.min(box.left, outline[i]);
    box.right = Math.max(box.right, outline[i]);
    box.top = Math.min(box.top, outline[i + 1]);
    box.bottom = Math.max(box.bottom, outline[i + 1]);
  }
  return box;
}

export function rectangle(x0: number, y0: number, x1: number, y1: number): number[] {
  return [x0, y0, x1, y0, x1, y1, x0, y1];
}

/** Whether a ray to the right crosses the outline an odd number of times. */
export function contains(outline: ArrayLike<number>, x: number, y: number): boolean {
  let isInside = false;
  for (let i = 0, j = outline.length - 2; i < outline.length; j = i, i += 2) {
    const [xi, yi, xj, yj] = [outline[i], outline[i + 1], outline[j], outline[j + 1]];
    if (yi > y !== yj > y && x < xi + ((y - yi) / (yj - yi)) * (xj - xi)) isInside = !isInside;
  }
  return isInside;
}

/** The points within an outline, in their order. */
export function pointsWithin(outline: ArrayLike<number>, at: Float32Array): number[] {
  const box = boundsOf(outline);
  const found: number[] = [];
  for (let i = 0; i < at.length / 2; ++i) {
    const x = at[2 * i];
    const y = at[2 * i + 1];
    if (x < box.left || x > box.right || y < box.top || y > box.bottom) continue;
    if (contains(outline, x, y)) found.push(i);
  }
  return found;
}
