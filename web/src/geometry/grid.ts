/** Points in square cells, to find the nearest one. What lies outside of the square is in the cells of its border. */
export class Grid {
  private readonly side: number;
  private readonly starts: Uint32Array;
  private readonly points: Uint32Array;

  /** `at` are x and y of one point after the other; the square reaches from -extent to extent. */
  constructor(private readonly at: Float32Array, private readonly extent: number) {
    const count = at.length / 2;
    this.side = Math.max(1, Math.min(512, Math.floor(Math.sqrt(count / 2))));
    this.starts = new Uint32Array(this.side * this.side + 1);
    this.points = new Uint32Array(count);
    const cells = new Uint32Array(count);
    for (let i = 0; i < count; ++i) {
      cells[i] = this.cell(at[2 * i + 1]) * this.side + this.cell(at[2 * i]);
      ++this.starts[cells[i] + 1];
    }
    for (let c = 0; c < this.side * this.side; ++c) this.starts[c + 1] += this.starts[c];
    const next = this.starts.slice();
    for (let i = 0; i < count; ++i) this.points[next[cells[i]]++] = i;
  }

  private cell(value: number): number {
    const place = Math.floor(((value + this.extent) / (2 * this.extent)) * this.side);
    return Math.max(0, Math.min(this.side - 1, place));
  }

  /** The nearest point that is accepted, within the radius; the first of those that are equally near; -1: none. */
  nearest(x: number, y: number, radius: number, accepts: (point: number) => boolean): number {
    let found = -1;
    let least = radius * radius;
    for (let row = this.cell(y - radius); row <= this.cell(y + radius); ++row)
      for (let column = this.cell(x - radius); column <= this.cell(x + radius); ++column) {
        const cell = row * this.side + column;
        for (let p = this.starts[cell]; p < this.starts[cell + 1]; ++p) {
          const i = this.points[p];
          const gap = (this.at[2 * i] - x) ** 2 + (this.at[2 * i + 1] - y) ** 2;
          if (gap > least || (gap === least && found >= 0 && i > found)) continue;
          if (!accepts(i)) continue;
          found = i;
          least = gap;
        }
      }
    return found;
  }
}

/** The next point in a direction, for the arrow keys: near, and rather straight ahead than aside. -1: there is none. */
export function nextInDirection(
  at: Float32Array, from: number, dx: number, dy: number, accepts: (point: number) => boolean,
): number {
  let found = -1;
  let least = Infinity;
  for (let i = 0; i < at.length / 2; ++i) {
    const x = at[2 * i] - at[2 * from];
    const y = at[2 * i + 1] - at[2 * from + 1];
    const ahead = x * dx + y * dy;
    const aside = Math.abs(x * dy - y * dx);
    if (ahead <= 0 || aside > ahead || !accepts(i)) continue;
    const cost = ahead + 2 * aside;
    if (cost < least) [found, least] = [i, cost];
  }
  return found;
}
