import { choiceOfK, qualityCurves } from "../charts/curves";
import { spectra } from "../charts/spectra";
import { button, element } from "../controls/element";
import { Key } from "../controls/key";
import { bringToLife } from "../controls/table";
import { Tools } from "../controls/tools";
import { onTheme } from "../controls/theme";
import { Section } from "../data/section";
import type { SectionJson } from "../data/section_json";
import { Enlarged, type Shown } from "./enlarged";
import { Gestures } from "./gestures";
import { Keys } from "./keys";
import { Panel } from "./panel";
import type { Tip } from "./tip";

/** One data set of the page: brings to life what the page has as text (src/report/page.cpp). */
export function showSection(root: HTMLElement, tip: Tip): void {
  const json = JSON.parse(root.querySelector('script[type="application/json"]')?.textContent ?? "null") as SectionJson;
  const section = new Section(json);
  const name = root.getAttribute("aria-label") ?? "maps";
  const shown = [...root.querySelectorAll<HTMLCanvasElement>("figure canvas")].map((canvas) => shownIn(canvas, section));
  const enlarged = new Enlarged(shown, tip, name);
  shown.forEach((each, i) => {
    const enlarge = (): void => enlarged.open(i);
    new Gestures(each.panel, tip, enlarge);
    new Keys(each.panel, tip, enlarge);
    addToFigure(each, enlarge);
  });
  const reset = (): void => shown.forEach(({ panel }) => panel.showHome());
  const tools = new Tools(section, name, () => shown, reset);
  root.querySelector(".key")?.append(new Key(section).root, tools.root);
  root.append(tools.selection);
  const table = root.querySelector<HTMLTableElement>(".figures table");
  if (table) bringToLife(table, section.state);
  addCharts(root, section);
  addCopying(root);
  onTheme(() => shown.forEach(({ panel }) => panel.redraw()));
}

function shownIn(canvas: HTMLCanvasElement, section: Section): Shown {
  const { map, coloring } = canvas.dataset;
  const figure = canvas.closest("figure") ?? canvas.parentElement ?? canvas;
  const own = coloring === undefined ? null : section.colorings[Number(coloring)];
  const panel = new Panel(section, canvas, map === "original" ? -1 : Number(map), own);
  return { panel, figure, title: figure.querySelector("h3")?.textContent ?? "" };
}

function addToFigure({ panel, figure, title }: Shown, enlarge: () => void): void {
  const { state } = panel.section;
  const open = button("⤢", `Enlarge ${title}`, enlarge);
  open.className = "enlarge";
  figure.querySelector("figcaption")?.append(open);
  // Whose figures these are: of clusters on another method's map, the clusters'.
  const method = Number(figure.dataset.method ?? -1);
  figure.addEventListener("pointerenter", () => state.pointAtMethod(method));
  figure.addEventListener("pointerleave", () => state.pointAtMethod(-1));
  state.listen((change) => {
    if (change === "method") figure.classList.toggle("pointed", method >= 0 && state.method === method);
  });
  const { outside } = panel;
  if (!outside) return;
  const points = outside === 1 ? "point" : "points";
  const note = button(`${outside} ${points} outside`, "Show all points, or the window of most of them", () =>
    panel.view === panel.home ? panel.showWhole() : panel.showHome());
  note.className = "outside";
  panel.canvas.parentElement?.append(note);
}

function addCharts(root: HTMLElement, section: Section): void {
  const charts = [qualityCurves(section), choiceOfK(section)].filter((chart): chart is HTMLElement => chart !== null);
  const bars = spectra(section);
  const place = root.querySelector(".charts");
  place?.append(...charts);
  if (!bars) return;
  place?.append(element("details", { class: "more", open: "" }, element("summary", {}, "Eigenvalues and their gaps"),
    element("p", {}, "In the order in which each method reads them; dark: those of its coordinates. A gap after the last dark " +
      "bar says that the number of coordinates suits the data."), bars));
}

/** A button that copies the command. */
function addCopying(root: HTMLElement): void {
  const command = root.querySelector("p.command");
  const text = command?.querySelector("code")?.textContent;
  if (!command || !text) return;
  const copy = button("Copy", "Copy the command", () => {
    const range = document.createRange();
    range.selectNodeContents(command.querySelector("code") ?? command);
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
    void navigator.clipboard?.writeText(text).then(() => (copy.textContent = "Copied"), () => undefined);
  });
  command.append(" ", copy);
}
