/** Marks of points: circle, square, triangle, diamond; each covers about the same area at radius 1. */

const TRIANGLE = [0, -1.3, 1.2, 0.9, -1.2, 0.9];
const DIAMOND = [0, -1.4, 1.2, 0, 0, 1.4, -1.2, 0];
const SQUARE = [-0.9, -0.9, 0.9, -0.9, 0.9, 0.9, -0.9, 0.9];

/** The corners at radius 1; null: a circle. */
export function corners(shape: number): readonly number[] | null {
  return [null, SQUARE, TRIANGLE, DIAMOND][shape] ?? null;
}

export function trace(context: CanvasRenderingContext2D, shape: number, x: number, y: number, r: number): void {
  const outline = corners(shape);
  context.beginPath();
  if (!outline) {
    context.arc(x, y, r, 0, 2 * Math.PI);
    return;
  }
  for (let i = 0; i < outline.length; i += 2) context.lineTo(x + r * outline[i], y + r * outline[i + 1]);
  context.closePath();
}

/** The mark as part of an SVG path. */
export function pathOf(shape: number, x: number, y: number, r: number): string {
  const text = (value: number): string => value.toFixed(1);
  const outline = corners(shape);
  // A line of no length with round ends is a circle as wide as the line.
  if (!outline) return `M${text(x)} ${text(y)}h0`;
  let path = "";
  for (let i = 0; i < outline.length; i += 2)
    path += `${i ? "L" : "M"}${text(x + r * outline[i])} ${text(y + r * outline[i + 1])}`;
  return path + "z";
}
