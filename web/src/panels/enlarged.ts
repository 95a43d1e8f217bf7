import { spectrumChart } from "../charts/spectra";
import { button, element } from "../controls/element";
import { savePng, saveSvg, type Titled } from "../controls/save";
import { Gestures } from "./gestures";
import { Keys } from "./keys";
import { Panel } from "./panel";
import type { Tip } from "./tip";

/** A small panel and the figure that it stands in. */
export interface Shown extends Titled {
  figure: HTMLElement;
}

/** An option for people. */
function optionText(value: unknown): string {
  if (value === null) return "auto";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** One panel as large as the window, with all that is known of its method. Escape or a click beside it closes it; the
 * buttons go to the next method. */
export class Enlarged {
  private readonly dialog = element("dialog", { class: "enlarged" });
  private panel: Panel | null = null;
  private from: HTMLElement | null = null;

  constructor(private readonly all: readonly Shown[], private readonly tip: Tip, private readonly name: string) {
    document.body.append(this.dialog);
    this.dialog.addEventListener("click", (event) => event.target === this.dialog && this.dialog.close());
    this.dialog.addEventListener("close", () => {
      this.tip.hide();
      this.panel?.dismiss();
      this.panel = null;
      this.from?.focus();
    });
  }

  open(at: number): void {
    const { panel, title, figure } = this.all[at];
    this.panel?.dismiss();
    this.tip.hide();
    const canvas = element("canvas", { tabindex: "0", role: "img", "aria-label": title });
    const own = new Panel(panel.section, canvas, panel.map, panel.own);
    own.view = panel.view;
    if (panel.attitude) own.look(panel.attitude);
    own.onView = () => panel.show(own.view);
    this.panel = own;
    this.from = panel.canvas;
    new Gestures(own, this.tip, (point) => {
      const { state } = own.section;
      if (point >= 0) state.select([point], state.selected[point] ? "remove" : "add");
    });
    new Keys(own, this.tip, () => this.dialog.close());
    this.dialog.replaceChildren(this.head(at), element("div", { class: "stage" }, canvas, this.facts(panel, figure)));
    if (!this.dialog.open) this.dialog.showModal();
    canvas.focus();
  }

  private head(at: number): HTMLElement {
    const shown = this.all[at];
    const go = (step: number): void => this.open((at + step + this.all.length) % this.all.length);
    const pictures = (): Titled[] => (this.panel ? [{ panel: this.panel, title: shown.title }] : []);
    const name = `${this.name} ${shown.title}`;
    return element("header", {},
      button("‹", "The method before", () => go(-1)), element("h2", {}, shown.title), button("›", "The next method", () => go(1)),
      element("span", { class: "space" }),
      button("All points", "Show all points, outliers too", () => this.panel?.showWhole()),
      button("⟲ Reset", "Show the map as at first (0)", () => this.panel?.showHome()),
      button("PNG", "Save as a picture", () => void savePng(pictures(), name)),
      button("SVG", "Save as a drawing", () => saveSvg(pictures(), name)),
      button("✕", "Close (Escape)", () => this.dialog.close()));
  }

  /** What is said below the small panel, how to read the map, its options, and its eigenvalues. */
  private facts(panel: Panel, figure: HTMLElement): HTMLElement {
    const facts = element("div", { class: "facts" });
    for (const part of figure.querySelectorAll("figcaption p, dl, p.note, p.poor")) facts.append(part.cloneNode(true));
    const method = panel.section.json.methods[panel.map];
    if (panel.map < 0 || !method) return facts;
    if (method.reading.length) {
      const sentences = method.reading.map((sentence) => element("li", {}, sentence));
      facts.append(element("h3", {}, "Reading this map"), element("ul", {}, ...sentences));
    }
    const options = Object.entries(method.options);
    if (options.length) {
      const rows = options.map(([name, value]) => element("tr", {}, element("th", { scope: "row" }, name),
        element("td", {}, optionText(value))));
      facts.append(element("h3", {}, "Parameters"), element("table", {}, element("tbody", {}, ...rows)));
    }
    if (method.eigenvalues.length > method.coordinates) facts.append(element("h3", {}, "Eigenvalues"), spectrumChart(method));
    return facts;
  }
}
