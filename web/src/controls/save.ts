import type { Section } from "../data/section";
import { csvOf } from "../data/csv";
import { css, dimColor, INK, PAPER } from "../draw/palette";
import { paint } from "../draw/raster";
import { escaped, marksSvg } from "../draw/svg";
import { projection, type Frame } from "../geometry/view";
import type { Panel } from "../panels/panel";
import { SVG_SPACE } from "./element";
import { currentTheme } from "./theme";

/** A panel with the words above it. */
export interface Titled {
  panel: Panel;
  title: string;
}

const HEAD = 26;
const GAP = 14;
/** Pixels of a PNG per pixel of the picture. */
const FINE = 2;

/** Hands a file to the reader. */
function download(name: string, content: Blob): void {
  const link = document.createElement("a");
  const place = URL.createObjectURL(content);
  link.setAttribute("href", place);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(place), 10_000);
}

/** A name without signs that file systems mind. */
function fileName(title: string, ending: string): string {
  return `${title.replace(/\.[a-z.]+$/i, "").replace(/[^\w=-]+/g, "_") || "maps"}.${ending}`;
}

/** Pictures side by side: as many columns as rows, or one more. */
interface Sheet {
  frame: Frame;
  width: number;
  height: number;
  corner(i: number): [number, number];
}
function sheetOf(count: number): Sheet {
  const columns = Math.ceil(Math.sqrt(count * 1.3));
  const size = count === 1 ? 800 : 300;
  return {
    frame: { size, margin: 8 },
    width: columns * (size + GAP) + GAP,
    height: Math.ceil(count / columns) * (size + HEAD + GAP) + GAP,
    corner: (i) => [GAP + (i % columns) * (size + GAP), GAP + HEAD + Math.floor(i / columns) * (size + HEAD + GAP)],
  };
}

export function svgOf(pictures: readonly Titled[]): string {
  const theme = currentTheme();
  const sheet = sheetOf(pictures.length);
  const { size } = sheet.frame;
  const panels = pictures.map(({ panel, title }, i) => {
    const [x, y] = sheet.corner(i);
    const marks = marksSvg(panel.marks(theme, size, 1), projection(panel.view, sheet.frame), size, dimColor(theme));
    return `<g transform="translate(${x} ${y})">\n<text x="2" y="-8">${escaped(title)}</text>\n${marks}\n</g>`;
  });
  return (
    `<svg xmlns="${SVG_SPACE}" width="${sheet.width}" height="${sheet.height}" ` +
    `font-family="system-ui, sans-serif" font-size="15" fill="${css(INK[theme])}">\n` +
    `<rect width="100%" height="100%" fill="${css(PAPER[theme])}"/>\n${panels.join("\n")}\n</svg>\n`
  );
}

function pngOf(pictures: readonly Titled[]): Promise<Blob | null> {
  const theme = currentTheme();
  const sheet = sheetOf(pictures.length);
  const canvas = document.createElement("canvas");
  canvas.width = FINE * sheet.width;
  canvas.height = FINE * sheet.height;
  const context = canvas.getContext("2d");
  if (!context) return Promise.resolve(null);
  context.fillStyle = css(PAPER[theme]);
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = css(INK[theme]);
  context.font = `${15 * FINE}px system-ui, sans-serif`;
  pictures.forEach(({ panel, title }, i) => {
    const [x, y] = sheet.corner(i);
    const side = FINE * sheet.frame.size;
    const picture = context.createImageData(side, side);
    const onPixels = projection(panel.view, { size: side, margin: FINE * sheet.frame.margin });
    paint(picture, onPixels, panel.marks(theme, sheet.frame.size, FINE), PAPER[theme], dimColor(theme));
    context.putImageData(picture, FINE * x, FINE * y);
    context.fillText(title, FINE * (x + 2), FINE * (y - 8));
  });
  return new Promise((done) => canvas.toBlob(done, "image/png"));
}

export async function savePng(pictures: readonly Titled[], name: string): Promise<void> {
  const picture = await pngOf(pictures);
  if (picture) download(fileName(name, "png"), picture);
}
export function saveSvg(pictures: readonly Titled[], name: string): void {
  download(fileName(name, "svg"), new Blob([svgOf(pictures)], { type: "image/svg+xml" }));
}
export function saveRows(section: Section, name: string): void {
  const text = csvOf(section, section.state.selectedPoints());
  download(fileName(`${name} selected`, "csv"), new Blob([text], { type: "text/csv" }));
}
