import { colorings, type Coloring } from "./coloring";
import { bytes, floats } from "./decode";
import { State } from "./state";
import type { FeaturesJson, MapJson, SectionJson } from "./section_json";

/** The map of a method: places of all points, two numbers each, and the way back to its own coordinates. */
export class PointMap {
  readonly at: Float32Array;
  constructor(private readonly json: MapJson) {
    this.at = floats(json.at);
  }
  /** Coordinates as the method gave them. */
  coordinates(point: number): [number, number] {
    const { center, half, turn } = this.json;
    const [u, v] = [this.at[2 * point], this.at[2 * point + 1]];
    // turn is orthogonal: its transpose takes the turning back.
    return [center[0] + half * (turn[0] * u + turn[2] * v), center[1] + half * (turn[1] * u + turn[3] * v)];
  }
}

/** Grey squares of the rows that are images. */
export class Images {
  private readonly table: Uint8Array;
  private readonly darkest: number;
  private readonly brightest: number;
  constructor(private readonly json: FeaturesJson, readonly shape: [number, number]) {
    this.table = bytes(json.at);
    // One by one: a call takes no 100 000 arguments.
    this.darkest = json.low.reduce((a, b) => Math.min(a, b), Infinity);
    this.brightest = json.high.reduce((a, b) => Math.max(a, b), -Infinity);
  }
  /** Grey values of a row, 0 to 255, in rows of pixels. */
  pixels(point: number): Uint8Array {
    const { columns, low, high } = this.json;
    const unit = this.brightest > this.darkest ? 255 / (this.brightest - this.darkest) : 0;
    return Uint8Array.from({ length: columns }, (_, j) => {
      const value = low[j] + ((high[j] - low[j]) * this.table[point * columns + j]) / 255;
      return Math.round((value - this.darkest) * unit);
    });
  }
}

/** One data set of the page, decoded. */
export class Section {
  readonly maps: (PointMap | null)[];
  readonly original: { columns: 2 | 3; at: Float32Array } | null;
  readonly colorings: Coloring[];
  readonly images: Images | null;
  readonly state: State;
  constructor(readonly json: SectionJson) {
    this.maps = json.maps.map((map) => map && new PointMap(map));
    this.original = json.original && { columns: json.original.columns, at: floats(json.original.at) };
    this.colorings = colorings(json.colorings, json.qualities, json.features, json.count);
    this.images = json.features?.image ? new Images(json.features, json.features.image) : null;
    this.state = new State(json.count, this.colorings[0] ?? null);
  }

  /** The number of the row in the file, from 1. */
  rowNumber(point: number): number {
    return (this.json.rows ? this.json.rows[point] : point) + 1;
  }
  /** What is said of a point: its row, its name, and what is known of it. */
  spoken(point: number, map: number): string[] {
    const row = `row ${this.rowNumber(point)}`;
    const lines = [this.json.names ? `${this.json.names[point]} (${row})` : row];
    for (const coloring of this.colorings) {
      const isShown = coloring.group === "known" || coloring === this.state.coloring;
      if (isShown) lines.push(`${coloring.name}: ${coloring.spoken(point, map)}`);
    }
    return lines;
  }
}
