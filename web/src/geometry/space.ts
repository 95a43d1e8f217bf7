/** Points in space seen from a side: turned about the vertical axis, then tilted. */
export interface Attitude {
  turn: number;
  tilt: number;
}

export function turned(attitude: Attitude, dx: number, dy: number): Attitude {
  const tilt = Math.max(-1.5, Math.min(1.5, attitude.tilt + 0.01 * dy));
  return { turn: attitude.turn + 0.01 * dx, tilt };
}

/** Places in the picture, two numbers per point, and the order to draw in: far points first. */
export function seen(at: Float32Array, { turn, tilt }: Attitude): { at: Float32Array; order: Uint32Array } {
  const count = at.length / 3;
  const places = new Float32Array(2 * count);
  const depth = new Float32Array(count);
  let widest = 1e-9;
  for (let i = 0; i < count; ++i) widest = Math.max(widest, Math.hypot(at[3 * i], at[3 * i + 1], at[3 * i + 2]));
  const [ct, st, ci, si] = [Math.cos(turn), Math.sin(turn), Math.cos(tilt), Math.sin(tilt)];
  for (let i = 0; i < count; ++i) {
    const [x, y, z] = [at[3 * i] / widest, at[3 * i + 1] / widest, at[3 * i + 2] / widest];
    const along = x * st + y * ct;
    depth[i] = along * ci - z * si;
    places[2 * i] = x * ct - y * st;
    places[2 * i + 1] = z * ci + along * si;
  }
  return { at: places, order: Uint32Array.from(depth.keys()).sort((a, b) => depth[b] - depth[a]) };
}
