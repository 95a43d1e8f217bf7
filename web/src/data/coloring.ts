import { bytes, floats, spoken } from "./decode";
import type { ColoringJson, FeaturesJson, QualityJson } from "./section_json";

/** The code of a point whose value is not known. */
export const UNKNOWN = 255;
/** Codes of numbers: 0 is the least, TOP the greatest. */
export const TOP = 254;

/** What gives points their colors: one code per point, which a palette makes a color of. */
export interface Coloring {
  readonly name: string;
  /** Where it stands in the list of colorings. */
  readonly group: string;
  /** The labels in the order of their codes; null: numbers, on a scale from low to high. */
  readonly labels: readonly string[] | null;
  readonly low: number;
  readonly high: number;
  /** A measure of maps differs from map to map; everything else is the same in all. */
  codes(map: number): Uint8Array;
  spoken(point: number, map: number): string;
}

export class LabelColoring implements Coloring {
  readonly low = 0;
  readonly high = 0;
  private readonly at: Uint8Array;
  constructor(readonly name: string, readonly labels: readonly string[], at: string, readonly group: string) {
    this.at = bytes(at);
  }
  codes(): Uint8Array {
    return this.at;
  }
  spoken(point: number): string {
    return this.at[point] === UNKNOWN ? "unknown" : this.labels[this.at[point]];
  }
}

export class NumberColoring implements Coloring {
  readonly labels = null;
  readonly group = "known";
  readonly values: Float32Array;
  private readonly at: Uint8Array;
  constructor(readonly name: string, readonly low: number, readonly high: number, at: string) {
    this.values = floats(at);
    const scale = high > low ? TOP / (high - low) : 0;
    this.at = Uint8Array.from(this.values, (x) =>
      isNaN(x) ? UNKNOWN : Math.max(0, Math.min(TOP, Math.round((x - low) * scale))));
  }
  codes(): Uint8Array {
    return this.at;
  }
  spoken(point: number): string {
    return isNaN(this.values[point]) ? "unknown" : spoken(this.values[point]);
  }
}

/** A feature of the data, unpacked from the table of all when it is first asked for. */
export class FeatureColoring implements Coloring {
  readonly labels = null;
  readonly group = "features";
  private at: Uint8Array | null = null;
  constructor(
    readonly name: string,
    readonly low: number,
    readonly high: number,
    private readonly table: Uint8Array,
    private readonly columns: number,
    private readonly column: number,
  ) {}
  codes(): Uint8Array {
    if (!this.at) {
      const at = new Uint8Array(this.table.length / this.columns);
      for (let i = 0; i < at.length; ++i)
        at[i] = Math.round((this.table[i * this.columns + this.column] * TOP) / 255);
      this.at = at;
    }
    return this.at;
  }
  spoken(point: number): string {
    return spoken(this.low + ((this.high - this.low) * this.table[point * this.columns + this.column]) / 255);
  }
}

/** How well the neighbourhood of a point is kept, in every map by itself. */
export class QualityColoring implements Coloring {
  readonly labels = null;
  readonly group = "quality";
  readonly low: number;
  readonly high: number;
  readonly name: string;
  private readonly at: (Uint8Array | null)[];
  private readonly unknown: Uint8Array;
  constructor(json: QualityJson, count: number) {
    this.name = json.name;
    this.low = json.low;
    this.high = json.high;
    this.at = json.at.map((text) => (text === null ? null : bytes(text)));
    this.unknown = new Uint8Array(count).fill(UNKNOWN);
  }
  codes(map: number): Uint8Array {
    return this.at[map] ?? this.unknown;
  }
  spoken(point: number, map: number): string {
    const code = this.codes(map)[point];
    return code === UNKNOWN ? "not measured" : spoken(this.low + ((this.high - this.low) * code) / TOP);
  }
}

function known(json: ColoringJson): Coloring {
  return "labels" in json
    ? new LabelColoring(json.name, json.labels, json.at, "known")
    : new NumberColoring(json.name, json.low, json.high, json.at);
}

function features(json: FeaturesJson): Coloring[] {
  const table = bytes(json.at);
  return json.low.map((low, j) => {
    const name = json.names ? json.names[j] : `feature ${j + 1}`;
    return new FeatureColoring(name, low, json.high[j], table, json.columns, j);
  });
}

/** All colorings of a data set; those that are known come first, in the order of the page's JSON. */
export function colorings(
  all: ColoringJson[], qualities: QualityJson[], table: FeaturesJson | null, count: number,
): Coloring[] {
  return [...all.map(known), ...qualities.map((json) => new QualityColoring(json, count)), ...(table ? features(table) : [])];
}
