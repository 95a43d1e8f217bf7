/** What the page holds of one data set, as src/report/page_points.cpp writes it. Arrays of numbers are base64, low byte first. */
export interface SectionJson {
  count: number;
  /** Numbers of the rows that are drawn, from 0; null: all. */
  rows: number[] | null;
  names: string[] | null;
  /** The points as they are, float32: `columns` numbers per point, between -1 and 1. */
  original: { columns: 2 | 3; at: string } | null;
  features: FeaturesJson | null;
  maps: (MapJson | null)[];
  colorings: ColoringJson[];
  qualities: QualityJson[];
  methods: MethodJson[];
  figures: FigureJson[];
  curves: CurvesJson | null;
}

/** Codes of one byte, 0 to 255 between the feature's least and greatest value, row after row. */
export interface FeaturesJson {
  columns: number;
  names: string[] | null;
  low: number[];
  high: number[];
  at: string;
  /** Rows and columns of pixels, if a row of the data is an image. */
  image: [number, number] | null;
}

/** Two float32 per point. -1 to 1 is the window of 1 to 99 % of the points: x = center + half * turn^T at. */
export interface MapJson {
  at: string;
  center: [number, number];
  half: number;
  turn: [number, number, number, number];
}

/** Numbers (float32; NaN is not known), or labels (a byte each; 255 is not known). */
export type ColoringJson =
  | { name: string; low: number; high: number; at: string }
  | { name: string; labels: string[]; at: string };

/** A measure of every point in every map: codes of one byte between `low` and `high`. */
export interface QualityJson {
  name: string;
  low: number;
  high: number;
  at: (string | null)[];
}

export interface MethodJson {
  label: string;
  name: string;
  title: string;
  /** As given to the method. */
  options: Record<string, unknown>;
  /** As the method reads them; empty: it has none. */
  eigenvalues: number[];
  /** How many of them are coordinates. */
  coordinates: number;
  failed: boolean;
  worthless: boolean;
  /** What may be read from its map, and what may not, in sentences. */
  reading: string[];
}

/** A column of the table. */
export interface FigureJson {
  name: string;
  title: string;
  meaning: string;
  values: (number | null)[];
  random: number | null;
}

/** R_NX(k) of every method at the same numbers of neighbours. */
export interface CurvesJson {
  k: number[];
  values: (number[] | null)[];
}
