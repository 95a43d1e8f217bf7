import type { Panel } from "./panel";

/** What is said of the point under the pointer, beside it. One for the page. */
export class Tip {
  private readonly box: HTMLElement;
  private readonly words = document.createElement("span");
  private readonly image = document.createElement("canvas");
  constructor(box: HTMLElement) {
    this.box = box;
    this.image.className = "row";
    box.append(this.image, this.words);
  }

  hide(): void {
    this.box.hidden = true;
  }

  show(panel: Panel, point: number): void {
    // A dialog is above everything else of the page: the box goes where the panel is.
    const layer = panel.canvas.closest("dialog") ?? document.body;
    if (this.box.parentElement !== layer) layer.append(this.box);
    this.words.textContent = panel.section.spoken(point, Math.max(0, panel.map)).join("\n");
    this.drawImage(panel, point);
    this.box.hidden = false;
    const frame = panel.canvas.getBoundingClientRect();
    const [x, y] = panel.place(point);
    const { offsetWidth: width, offsetHeight: height } = this.box;
    const left = Math.max(4, Math.min(frame.left + x + 14, innerWidth - width - 8));
    const below = frame.top + y + 14;
    this.box.style.left = `${left}px`;
    this.box.style.top = `${below + height > innerHeight ? Math.max(4, frame.top + y - height - 14) : below}px`;
  }

  /** The row itself, if it is an image: pixels in shades of grey. */
  private drawImage(panel: Panel, point: number): void {
    const { images } = panel.section;
    this.image.hidden = !images;
    const context = this.image.getContext("2d");
    if (!images || !context) return;
    const [rows, columns] = images.shape;
    this.image.width = columns;
    this.image.height = rows;
    const picture = context.createImageData(columns, rows);
    images.pixels(point).forEach((grey, i) => picture.data.set([grey, grey, grey, 255], 4 * i));
    context.putImageData(picture, 0, 0);
  }
}
