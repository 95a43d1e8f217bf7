/** Pictures that have to be drawn again, some per frame, so that the pointer never waits for all of them. */
export interface Drawable {
  /** Draws what is out of date. */
  refresh(): void;
}

/** Milliseconds of a frame that pictures may take. */
const BUDGET = 14;

const waiting = new Set<Drawable>();
let isAsked = false;

/** Draws it in the next frame, or in one of those that follow; with `first`, before all others. */
export function enqueue(picture: Drawable, first = false): void {
  if (first) {
    const others = [...waiting];
    waiting.clear();
    waiting.add(picture);
    for (const other of others) waiting.add(other);
  }
  waiting.add(picture);
  ask();
}

function ask(): void {
  if (isAsked) return;
  isAsked = true;
  requestAnimationFrame(() => {
    isAsked = false;
    const start = performance.now();
    for (const picture of waiting) {
      waiting.delete(picture);
      picture.refresh();
      if (performance.now() - start > BUDGET) break;
    }
    if (waiting.size) ask();
  });
}
