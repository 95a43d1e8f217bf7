import type { Coloring } from "../data/coloring";
import type { Section } from "../data/section";
import { HIDDEN } from "../data/state";
import { MOST_NAMES, placedNames } from "../draw/names";
import { css, dimColor, INK, mixed, PAPER, paletteOf, shapesOf, type Theme } from "../draw/palette";
import { paint, radiusOf, type Marks } from "../draw/raster";
import { trace } from "../draw/shapes";
import { Grid } from "../geometry/grid";
import { seen, type Attitude } from "../geometry/space";
import { countOutside, homeOf, projection, toMap, toPicture, whole, type Projection, type View } from "../geometry/view";
import { currentTheme } from "../controls/theme";
import { enqueue, type Drawable } from "./queue";

const MARGIN = 8;
/** How near the pointer has to be to a point, in pixels. */
const REACH = 14;

/** One picture of the points: the map of a method, or the data themselves. Points are drawn once and kept; what changes
 * with the pointer is drawn on top of them. */
export class Panel implements Drawable {
  /** x and y of one point after the other: the map, or the points in space as they are seen. */
  at: Float32Array;
  view: View;
  home: View;
  /** Of points in space. */
  attitude: Attitude | null = null;
  /** The outline that is being drawn with the pointer, x and y in pixels. */
  outline: number[] = [];
  size = 0;
  /** Told when the view has changed. */
  onView: () => void = () => undefined;
  /** To be called when the canvas is taken away. */
  readonly dismiss: () => void;

  private order: Uint32Array | null = null;
  private grid: Grid | null = null;
  private readonly kept = document.createElement("canvas");
  private isStale = true;
  private isOnScreen = false;

  /** `map`: the number of a method; -1: the data. `own`: a coloring of its own, of clusters. */
  constructor(
    readonly section: Section, readonly canvas: HTMLCanvasElement, readonly map: number, readonly own: Coloring | null,
  ) {
    const { original } = section;
    const isInSpace = map < 0 && original?.columns === 3;
    this.at = map >= 0 ? section.maps[map]?.at ?? new Float32Array() : original?.at ?? new Float32Array();
    if (isInSpace) this.attitude = { turn: -0.26, tilt: 0.2 };
    if (this.attitude) this.look(this.attitude);
    this.home = isInSpace ? { x: 0, y: 0, half: 1 } : homeOf(this.at);
    this.view = this.home;
    const stopListening = section.state.listen((change) => {
      if (change === "coloring" || change === "visibility" || change === "selection") this.redraw();
      if (change === "focus") enqueue(this);
    });
    const sizes = new ResizeObserver(() => this.resize());
    sizes.observe(canvas);
    const places = new IntersectionObserver((entries) => {
      this.isOnScreen = entries[entries.length - 1].isIntersecting;
      if (this.isOnScreen) enqueue(this);
    }, { rootMargin: "200px" });
    places.observe(canvas);
    this.dismiss = () => {
      stopListening();
      sizes.disconnect();
      places.disconnect();
    };
  }

  get coloring(): Coloring | null {
    return this.own ?? this.section.state.coloring;
  }
  get projection(): Projection {
    return projection(this.view, { size: this.size, margin: MARGIN });
  }
  /** Points that the first view leaves out. */
  get outside(): number {
    return countOutside(this.home, this.at);
  }

  private resize(): void {
    this.size = this.canvas.clientWidth;
    const ratio = window.devicePixelRatio || 1;
    for (const canvas of [this.canvas, this.kept]) canvas.width = canvas.height = Math.round(this.size * ratio);
    this.redraw();
  }
  /** Everything is drawn again, soon; `first`: before the other panels. */
  redraw(first = false): void {
    this.isStale = true;
    enqueue(this, first);
  }
  /** What lies on top of the points is drawn again. */
  redrawTop(): void {
    enqueue(this, true);
  }
  show(view: View): void {
    this.view = view;
    this.redraw(true);
    this.onView();
  }
  showHome(): void {
    this.show(this.home);
  }
  showWhole(): void {
    this.show(whole(this.at));
  }
  /** Looks at points in space from another side. */
  look(attitude: Attitude): void {
    this.attitude = attitude;
    const { at, order } = seen(this.section.original?.at ?? new Float32Array(), attitude);
    this.at = at;
    this.order = order;
    this.grid = null;
    this.redraw(true);
  }

  private isThere = (point: number): boolean => this.section.state.isVisible(point);

  /** The point under a place of the picture; -1: none. */
  pointAt(x: number, y: number): number {
    this.grid ??= new Grid(this.at, 1.25 * Math.min(this.home.half, 2));
    const p = this.projection;
    const [u, v] = toMap(p, x, y);
    return this.grid.nearest(u, v, REACH / p.scale, this.isThere);
  }
  /** Where a point is drawn, in pixels. */
  place(point: number): [number, number] {
    return toPicture(this.projection, this.at[2 * point], this.at[2 * point + 1]);
  }
  /** The outline in units of the map. */
  outlineOnMap(): number[] {
    const p = this.projection;
    const outline: number[] = [];
    for (let i = 0; i < this.outline.length; i += 2) outline.push(...toMap(p, this.outline[i], this.outline[i + 1]));
    return outline;
  }

  /** What is drawn of the points, for pictures of any size. */
  marks(theme: Theme, size: number, ratio: number): Marks {
    const { coloring, section } = this;
    return {
      at: this.at,
      codes: coloring ? coloring.codes(this.map) : new Uint8Array(section.json.count),
      shades: section.state.shades(),
      palette: paletteOf(coloring, theme),
      shapes: shapesOf(coloring),
      order: this.order,
      radius: ratio * radiusOf(size, section.json.count, this.home.half / this.view.half),
    };
  }

  refresh(): void {
    if (!this.size || !this.isOnScreen) return;
    if (this.isStale) this.drawPoints();
    this.isStale = false;
    this.drawOnTop();
  }

  private drawPoints(): void {
    const theme = currentTheme();
    const { width, height } = this.kept;
    const ratio = width / this.size;
    const context = this.kept.getContext("2d");
    if (!context) return;
    const picture = context.createImageData(width, height);
    const onPixels = projection(this.view, { size: width, margin: MARGIN * ratio });
    paint(picture, onPixels, this.marks(theme, this.size, ratio), PAPER[theme], dimColor(theme));
    context.putImageData(picture, 0, 0);
  }

  private drawOnTop(): void {
    const context = this.canvas.getContext("2d");
    if (!context) return;
    const theme = currentTheme();
    const ratio = this.canvas.width / this.size;
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.drawImage(this.kept, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.drawNames(context, theme);
    this.drawFocus(context, theme);
    if (this.outline.length < 4) return;
    context.beginPath();
    for (let i = 0; i < this.outline.length; i += 2) context.lineTo(this.outline[i], this.outline[i + 1]);
    context.closePath();
    context.lineWidth = 1.5;
    context.strokeStyle = css(INK[theme]);
    context.fillStyle = css(mixed(PAPER[theme], INK[theme], 0.5));
    context.globalAlpha = 0.1;
    context.fill();
    context.globalAlpha = 1;
    context.stroke();
  }

  private drawFocus(context: CanvasRenderingContext2D, theme: Theme): void {
    const i = this.section.state.focused;
    if (i < 0 || this.at.length === 0) return;
    const code = this.coloring ? this.coloring.codes(this.map)[i] : 0;
    trace(context, shapesOf(this.coloring)[code], ...this.place(i), 5.5);
    context.fillStyle = css(paletteOf(this.coloring, theme)[code]);
    context.fill();
    context.lineWidth = 4;
    context.strokeStyle = css(PAPER[theme]);
    context.stroke();
    context.lineWidth = 2;
    context.strokeStyle = css(INK[theme]);
    context.stroke();
  }

  /** Names stand beside their points where these are few. */
  private drawNames(context: CanvasRenderingContext2D, theme: Theme): void {
    const { names, count } = this.section.json;
    if (!names || count > MOST_NAMES) return;
    const large = this.size > 480;
    context.font = `${large ? 13 : 11}px system-ui, sans-serif`;
    context.textBaseline = "middle";
    context.fillStyle = css(mixed(PAPER[theme], INK[theme], 0.85));
    context.strokeStyle = css(PAPER[theme]);
    context.lineWidth = 3;
    context.lineJoin = "round";
    const shades = this.section.state.shades();
    const places = new Float64Array(2 * count).fill(NaN);
    for (let i = 0; i < count; ++i) if (shades[i] !== HIDDEN) places.set(this.place(i), 2 * i);
    const widths = names.map((name) => context.measureText(name).width);
    for (const { point, x, y } of placedNames(places, widths, large ? 15 : 12, this.size, 6)) {
      context.globalAlpha = shades[point] === 1 ? 0.25 : 1;
      context.strokeText(names[point], x, y);
      context.fillText(names[point], x, y);
    }
    context.globalAlpha = 1;
  }
}
