/** Which part of a map a square picture shows. Maps have y upwards, pictures downwards. */
export interface View {
  x: number;
  y: number;
  /** Half of the width that is shown, in units of the map. */
  half: number;
}

/** A picture in pixels. */
export interface Frame {
  size: number;
  /** Free space at the edges, for marks that lie on them. */
  margin: number;
}

/** px = x * scale + dx, py = dy - y * scale. */
export interface Projection {
  scale: number;
  dx: number;
  dy: number;
}

export function projection(view: View, frame: Frame): Projection {
  const scale = (frame.size / 2 - frame.margin) / view.half;
  return { scale, dx: frame.size / 2 - view.x * scale, dy: frame.size / 2 + view.y * scale };
}

export function toPicture(p: Projection, x: number, y: number): [number, number] {
  return [x * p.scale + p.dx, p.dy - y * p.scale];
}
export function toMap(p: Projection, px: number, py: number): [number, number] {
  return [(px - p.dx) / p.scale, (p.dy - py) / p.scale];
}

/** Zooms by a factor; the place (x, y) of the map stays where it is. */
export function zoomed(view: View, factor: number, x: number, y: number, home: View): View {
  const half = Math.max(home.half / 2000, Math.min(home.half * 1000, view.half / factor));
  const share = half / view.half;
  return { x: x + (view.x - x) * share, y: y + (view.y - y) * share, half };
}

/** Moves by pixels. */
export function panned(view: View, p: Projection, dx: number, dy: number): View {
  return { x: view.x - dx / p.scale, y: view.y + dy / p.scale, half: view.half };
}

export function countOutside(view: View, at: Float32Array): number {
  let outside = 0;
  for (let i = 0; i < at.length; i += 2)
    if (Math.abs(at[i] - view.x) > view.half || Math.abs(at[i + 1] - view.y) > view.half) ++outside;
  return outside;
}

/** All points of a map. */
export function whole(at: Float32Array): View {
  let [left, right, bottom, top] = [Infinity, -Infinity, Infinity, -Infinity];
  for (let i = 0; i < at.length; i += 2) {
    left = Math.min(left, at[i]);
    right = Math.max(right, at[i]);
    bottom = Math.min(bottom, at[i + 1]);
    top = Math.max(top, at[i + 1]);
  }
  if (!(left <= right)) return { x: 0, y: 0, half: 1 };
  return { x: (left + right) / 2, y: (bottom + top) / 2, half: Math.max((right - left) / 2, (top - bottom) / 2) || 1 };
}

/**
 * What is shown at first. -1 to 1 is the window of 1 to 99 % of the points. If all points take little more room, all are
 * shown; else the window, a little enlarged, and outliers are outside.
 */
export function homeOf(at: Float32Array): View {
  const all = whole(at);
  return all.half <= 1.6 ? all : { x: 0, y: 0, half: 1.2 };
}
