import type { Coloring } from "../data/coloring";
import { spoken } from "../data/decode";
import type { Section } from "../data/section";
import { css, labelColor, labelShape, scaleColor } from "../draw/palette";
import { trace } from "../draw/shapes";
import { button, element } from "./element";
import { currentTheme, onTheme } from "./theme";

const GROUPS: Record<string, string> = { known: "", quality: "kept neighborhoods", features: "features" };

/** The list of colorings, and what their colors mean: a legend whose labels can be switched off, or a scale. */
export class Key {
  private readonly select = element("select", { "aria-label": "Color" });
  private readonly meaning = element("div", { class: "meaning" });
  readonly root = element("div", { class: "coloring" });

  constructor(private readonly section: Section) {
    const { colorings, state } = section;
    if (colorings.length > 1) this.root.append(element("label", {}, "Color", this.list()));
    else if (colorings.length === 1) this.root.append(`Color: ${colorings[0].name}`);
    this.root.append(this.meaning);
    this.select.addEventListener("change", () => state.colorBy(colorings[Number(this.select.value)]));
    state.listen((change) => {
      if (change === "coloring") this.show();
      if (change === "visibility") this.mark();
    });
    onTheme(() => this.show());
    this.show();
  }

  private list(): HTMLSelectElement {
    const groups = new Map<string, HTMLElement>();
    this.section.colorings.forEach((coloring, i) => {
      const title = GROUPS[coloring.group];
      const option = new Option(coloring.name, String(i));
      let group = groups.get(title);
      if (!group) {
        group = title ? element("optgroup", { label: title }) : this.select;
        groups.set(title, group);
        if (title) this.select.append(group);
      }
      group.append(option);
    });
    return this.select;
  }

  private show(): void {
    const { coloring } = this.section.state;
    if (!coloring) return;
    this.select.value = String(this.section.colorings.indexOf(coloring));
    this.meaning.replaceChildren(coloring.labels ? this.legend(coloring.labels) : this.scale(coloring));
    this.mark();
  }

  private scale(coloring: Coloring): HTMLElement {
    const stops = Array.from({ length: 17 }, (_, i) => css(scaleColor(i / 16, currentTheme())));
    const bar = element("i", { style: `background: linear-gradient(to right, ${stops.join(",")})` });
    return element("div", { class: "scale" }, spoken(coloring.low), bar, spoken(coloring.high));
  }

  private legend(labels: readonly string[]): HTMLElement {
    const { state } = this.section;
    const legend = element("div", { class: "legend", role: "group", "aria-label": "Labels shown" });
    labels.forEach((text, label) => {
      const each = button("", `Click: show or hide ${text}; double click: ${text} alone`, () => state.toggle(label));
      each.append(this.signOf(label), element("span", {}, text));
      each.addEventListener("dblclick", () => state.showAlone(label, labels.length));
      each.addEventListener("pointerenter", (event) => event.pointerType === "mouse" && state.hoverLabel(label));
      each.addEventListener("pointerleave", () => state.hoveredLabel >= 0 && state.hoverLabel(-1));
      legend.append(each);
    });
    const all = button("show all", "Show all labels", () => state.showAll());
    all.className = "all";
    legend.append(all);
    return legend;
  }

  private signOf(label: number): HTMLCanvasElement {
    const canvas = element("canvas", { width: "36", height: "36" });
    const context = canvas.getContext("2d");
    if (!context) return canvas;
    trace(context, labelShape(label), 18, 18, 12);
    context.fillStyle = css(labelColor(label, currentTheme()));
    context.fill();
    return canvas;
  }

  /** Which labels are shown. */
  private mark(): void {
    const { hidden, coloring } = this.section.state;
    if (!coloring?.labels) return;
    const buttons = [...this.meaning.querySelectorAll("button")];
    coloring.labels.forEach((_, label) => buttons[label].setAttribute("aria-pressed", String(!hidden.has(label))));
    buttons[coloring.labels.length].hidden = hidden.size === 0;
  }
}
