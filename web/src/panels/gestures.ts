import { pointsWithin, rectangle } from "../geometry/polygon";
import { turned } from "../geometry/space";
import { panned, toMap, zoomed } from "../geometry/view";
import type { Joining, Tool } from "../data/state";
import type { Panel } from "./panel";
import type { Tip } from "./tip";

/** Movements of less are a click, in pixels. */
const STILL = 4;
/** Steps of the pointer that an outline leaves out, in pixels. */
const COARSE = 3;
/** Of more points, all panels show a selection when it is complete. */
const MOST_LIVE = 20_000;

/** What the pointer does in a panel: points, selects, moves, zooms; a click calls `clicked`. */
export class Gestures {
  private from: { x: number; y: number } | null = null;
  private last = { x: 0, y: 0 };
  private doing: Tool | "turn" = "move";
  private joining: Joining = "replace";
  private hasMoved = false;

  constructor(private readonly panel: Panel, private readonly tip: Tip, private readonly clicked: (point: number) => void) {
    const { canvas } = panel;
    canvas.addEventListener("pointerdown", (event) => this.down(event));
    canvas.addEventListener("pointermove", (event) => this.move(event));
    canvas.addEventListener("pointerup", (event) => this.up(event));
    canvas.addEventListener("pointercancel", () => this.stop());
    canvas.addEventListener("pointerleave", () => this.leave());
    canvas.addEventListener("wheel", (event) => this.wheel(event), { passive: false });
    canvas.addEventListener("dblclick", () => panel.showHome());
  }

  private at(event: MouseEvent): { x: number; y: number } {
    const box = this.panel.canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  /** Points in space are turned; with Shift, and in maps, the tool of the page is at work. */
  private toolFor(event: PointerEvent): Tool | "turn" {
    const { tool } = this.panel.section.state;
    if (event.shiftKey || event.altKey) return tool === "move" ? "rectangle" : tool;
    return this.panel.attitude ? "turn" : tool;
  }

  private down(event: PointerEvent): void {
    if (event.button !== 0) return;
    this.from = this.last = this.at(event);
    this.hasMoved = false;
    this.doing = this.toolFor(event);
    this.joining = event.altKey ? "remove" : event.shiftKey ? "add" : "replace";
    this.panel.outline = [this.from.x, this.from.y];
  }

  private move(event: PointerEvent): void {
    const here = this.at(event);
    if (!this.from) {
      this.point(here.x, here.y);
      return;
    }
    if (!this.hasMoved && Math.hypot(here.x - this.from.x, here.y - this.from.y) < STILL) return;
    if (!this.hasMoved) this.panel.canvas.setPointerCapture(event.pointerId);
    this.hasMoved = true;
    this.tip.hide();
    this.drag(here);
    this.last = here;
  }

  private drag(here: { x: number; y: number }): void {
    const { panel } = this;
    const dx = here.x - this.last.x;
    const dy = here.y - this.last.y;
    if (this.doing === "turn" && panel.attitude) panel.look(turned(panel.attitude, dx, dy));
    else if (this.doing === "move") panel.show(panned(panel.view, panel.projection, dx, dy));
    else this.drawOutline(here);
  }

  private drawOutline(here: { x: number; y: number }): void {
    const { outline } = this.panel;
    if (this.doing === "rectangle") {
      this.panel.outline = rectangle(outline[0], outline[1], here.x, here.y);
    } else {
      const n = outline.length;
      if (Math.hypot(here.x - outline[n - 2], here.y - outline[n - 1]) >= COARSE) outline.push(here.x, here.y);
    }
    this.panel.redrawTop();
    if (this.panel.section.json.count <= MOST_LIVE && this.joining === "replace") this.select();
  }

  private up(event: PointerEvent): void {
    if (!this.from) return;
    const isSelection = this.hasMoved && (this.doing === "rectangle" || this.doing === "lasso");
    if (isSelection) this.select();
    const wasClick = !this.hasMoved;
    const { x, y } = this.from;
    this.stop();
    if (wasClick) this.click(event, x, y);
  }

  private select(): void {
    const { section, at } = this.panel;
    const within = pointsWithin(this.panel.outlineOnMap(), at);
    section.state.select(within.filter((point) => section.state.isVisible(point)), this.joining);
  }

  private click(event: PointerEvent, x: number, y: number): void {
    const point = this.panel.pointAt(x, y);
    if (event.shiftKey || event.altKey) {
      if (point >= 0) this.panel.section.state.select([point], event.altKey ? "remove" : "add");
    } else {
      this.clicked(point);
    }
  }

  private stop(): void {
    this.from = null;
    this.panel.outline = [];
    this.panel.redrawTop();
  }

  private leave(): void {
    if (this.from && this.hasMoved) return;
    this.from = null;
    this.panel.section.state.focus(-1);
    this.tip.hide();
  }

  /** Finds the point under the pointer and marks it in all panels. */
  private point(x: number, y: number): void {
    const point = this.panel.pointAt(x, y);
    this.panel.section.state.focus(point);
    if (point < 0) this.tip.hide();
    else this.tip.show(this.panel, point);
  }

  /** The wheel scrolls the page, except over a panel that has been entered: with Ctrl, by a click, or enlarged. */
  private wheel(event: WheelEvent): void {
    const { panel } = this;
    const isEntered = panel.canvas === document.activeElement || panel.canvas.closest("dialog") !== null;
    if (!event.ctrlKey && !event.metaKey && !isEntered) return;
    event.preventDefault();
    const { x, y } = this.at(event);
    const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
    const factor = Math.exp(-0.0022 * lines * event.deltaY);
    panel.show(zoomed(panel.view, factor, ...toMap(panel.projection, x, y), panel.home));
  }
}
