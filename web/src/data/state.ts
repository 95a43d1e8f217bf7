import type { Coloring } from "./coloring";

/** What has changed; listeners redraw what depends on it. */
export type Change = "focus" | "selection" | "coloring" | "visibility" | "method";
export type Tool = "rectangle" | "lasso" | "move";
/** How a new selection joins the one before. */
export type Joining = "replace" | "add" | "remove";

/** How a point is drawn. */
export const HIDDEN = 0;
export const DIM = 1;
export const VIVID = 2;

/** What the reader has pointed at, selected and switched on; all panels of a data set share it. */
export class State {
  /** The point under the pointer; -1: none. */
  focused = -1;
  /** 1: selected. */
  readonly selected: Uint8Array;
  selectedCount = 0;
  /** Codes of the labels that are switched off. */
  readonly hidden = new Set<number>();
  /** The label under the pointer; -1: none. */
  hoveredLabel = -1;
  /** The method under the pointer; -1: none. */
  method = -1;
  tool: Tool = "rectangle";
  private readonly listeners = new Set<(change: Change) => void>();

  constructor(readonly count: number, private current: Coloring | null) {
    this.selected = new Uint8Array(count);
  }

  /** Returns what ends the listening. */
  listen(listener: (change: Change) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
  private changed(change: Change): void {
    for (const listener of this.listeners) listener(change);
  }

  get coloring(): Coloring | null {
    return this.current;
  }
  colorBy(coloring: Coloring): void {
    this.current = coloring;
    this.hidden.clear();
    this.hoveredLabel = -1;
    this.changed("coloring");
  }

  focus(point: number): void {
    if (point === this.focused) return;
    this.focused = point;
    this.changed("focus");
  }
  pointAtMethod(method: number): void {
    if (method === this.method) return;
    this.method = method;
    this.changed("method");
  }

  select(points: Iterable<number>, joining: Joining = "replace"): void {
    if (joining === "replace") this.selected.fill(0);
    for (const point of points) this.selected[point] = joining === "remove" ? 0 : 1;
    this.selectedCount = this.selected.reduce((sum, one) => sum + one, 0);
    this.changed("selection");
  }
  selectedPoints(): number[] {
    const points: number[] = [];
    this.selected.forEach((one, i) => one && points.push(i));
    return points;
  }

  hoverLabel(label: number): void {
    this.hoveredLabel = label;
    this.changed("visibility");
  }
  toggle(label: number): void {
    if (!this.hidden.delete(label)) this.hidden.add(label);
    this.changed("visibility");
  }
  /** Shows one label alone; a second time, all of them. */
  showAlone(label: number, labels: number): void {
    const isAlone = !this.hidden.has(label) && this.hidden.size === labels - 1;
    this.hidden.clear();
    for (let other = 0; !isAlone && other < labels; ++other) if (other !== label) this.hidden.add(other);
    this.changed("visibility");
  }
  showAll(): void {
    this.hidden.clear();
    this.changed("visibility");
  }

  isVisible(point: number): boolean {
    return !this.hidden.size || !this.current?.labels || !this.hidden.has(this.current.codes(0)[point]);
  }

  /** How every point is drawn. A label under the pointer stands out before what is selected. */
  shades(): Uint8Array {
    const shades = new Uint8Array(this.count).fill(VIVID);
    const codes = this.current?.labels ? this.current.codes(0) : null;
    for (let i = 0; i < this.count; ++i) {
      if (codes && this.hidden.has(codes[i])) shades[i] = HIDDEN;
      else if (codes && this.hoveredLabel >= 0) shades[i] = codes[i] === this.hoveredLabel ? VIVID : DIM;
      else if (this.selectedCount && !this.selected[i]) shades[i] = DIM;
    }
    return shades;
  }
}
