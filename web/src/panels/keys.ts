import { nextInDirection } from "../geometry/grid";
import { panned, zoomed } from "../geometry/view";
import type { Panel } from "./panel";
import type { Tip } from "./tip";

const ARROWS: Record<string, readonly [number, number]> = {
  ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1],
};

/** A panel by keyboard: arrows go to the next point, with Shift they move the map; + and - zoom, 0 shows the whole; Space
 * selects the point, Enter enlarges, Escape takes back the last of these. */
export class Keys {
  constructor(private readonly panel: Panel, private readonly tip: Tip, private readonly enlarge: () => void) {
    panel.canvas.addEventListener("keydown", (event) => {
      if (!event.ctrlKey && !event.metaKey && !event.altKey && this.press(event)) event.preventDefault();
    });
    panel.canvas.addEventListener("blur", () => {
      panel.section.state.focus(-1);
      tip.hide();
    });
  }

  /** Whether the key means something here. */
  private press(event: KeyboardEvent): boolean {
    const { panel } = this;
    const { state } = panel.section;
    const arrow = ARROWS[event.key];
    if (arrow) {
      if (event.shiftKey) panel.show(panned(panel.view, panel.projection, -40 * arrow[0], 40 * arrow[1]));
      else this.step(arrow[0], arrow[1]);
    } else if (event.key === "+" || event.key === "=") this.zoom(1.4);
    else if (event.key === "-") this.zoom(1 / 1.4);
    else if (event.key === "0") panel.showHome();
    else if (event.key === "Enter") this.enlarge();
    else if (event.key === " ") this.toggle();
    else if (event.key === "Escape" && state.focused >= 0) this.focus(-1);
    else if (event.key === "Escape" && state.selectedCount) state.select([]);
    else return false;
    return true;
  }

  private zoom(factor: number): void {
    const { panel } = this;
    const { focused } = panel.section.state;
    const x = focused < 0 ? panel.view.x : panel.at[2 * focused];
    const y = focused < 0 ? panel.view.y : panel.at[2 * focused + 1];
    panel.show(zoomed(panel.view, factor, x, y, panel.home));
  }

  private step(dx: number, dy: number): void {
    const { panel } = this;
    const { state } = panel.section;
    const isVisible = (point: number): boolean => state.isVisible(point);
    if (state.focused >= 0) {
      const next = nextInDirection(panel.at, state.focused, dx, dy, isVisible);
      if (next >= 0) this.focus(next);
      return;
    }
    const middle = panel.size / 2;
    const nearest = panel.pointAt(middle, middle);
    for (let i = 0; nearest < 0 && i < state.count; ++i)
      if (isVisible(i)) {
        this.focus(i);
        return;
      }
    this.focus(nearest);
  }

  private toggle(): void {
    const { state } = this.panel.section;
    if (state.focused >= 0) state.select([state.focused], state.selected[state.focused] ? "remove" : "add");
  }

  private focus(point: number): void {
    this.panel.section.state.focus(point);
    if (point < 0) this.tip.hide();
    else this.tip.show(this.panel, point);
  }
}
