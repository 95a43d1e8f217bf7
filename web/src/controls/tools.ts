import type { Section } from "../data/section";
import type { Tool } from "../data/state";
import { button, element } from "./element";
import { savePng, saveRows, saveSvg, type Titled } from "./save";

const TOOLS: readonly [Tool, string, string][] = [
  ["rectangle", "▭ Select", "Drag to select points by a rectangle; with Shift more of them, with Alt fewer"],
  ["lasso", "◌ Lasso", "Drag around points to select them; with Shift more of them, with Alt fewer"],
  ["move", "✥ Move", "Drag to move the map; the wheel zooms with Ctrl, or where the map is enlarged"],
];

/** What dragging does, what is selected, and what can be saved. */
export class Tools {
  readonly root = element("div", { class: "tools" });
  /** How many points are selected; at the window's lower edge, where it moves nothing else. */
  readonly selection = element("div", { class: "selection", role: "status" });

  constructor(
    private readonly section: Section,
    private readonly name: string,
    private readonly pictures: () => Titled[],
    private readonly reset: () => void,
  ) {
    this.root.append(this.choice(), this.saving());
    section.state.listen((change) => {
      if (change === "selection") this.tellSelection();
    });
  }

  private choice(): HTMLElement {
    const { state } = this.section;
    const group = element("span", { class: "choice", role: "group", "aria-label": "What dragging does" });
    const buttons = TOOLS.map(([tool, text, title]) => button(text, title, () => {
      state.tool = tool;
      mark();
    }));
    const mark = (): void =>
      buttons.forEach((each, i) => each.setAttribute("aria-pressed", String(TOOLS[i][0] === state.tool)));
    mark();
    group.append(...buttons);
    return element("span", {}, group, " ", button("⟲ Reset", "Show all maps as at first", this.reset));
  }

  private tellSelection(): void {
    const { selectedCount, count } = this.section.state;
    this.selection.replaceChildren();
    if (!selectedCount) return;
    this.selection.append(
      `${selectedCount} of ${count} selected `,
      button("Save rows", "Save the selected rows as CSV", () => saveRows(this.section, this.name)),
      " ",
      button("Clear", "Select none (Escape)", () => this.section.state.select([])),
    );
  }

  private saving(): HTMLElement {
    return element("span", { class: "saving" },
      button("PNG", "Save the maps as a picture, PNG", () => void savePng(this.pictures(), this.name)), " ",
      button("SVG", "Save the maps as a drawing, SVG", () => saveSvg(this.pictures(), this.name)));
  }
}
