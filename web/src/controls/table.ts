import type { State } from "../data/state";

/** The number in a cell; of text, none. */
function valueOf(row: HTMLTableRowElement, column: number): number {
  return parseFloat((row.cells[column]?.textContent ?? "").replace("<", ""));
}

/** The table of figures: a click on a heading sorts by it, and a row shows which panel it belongs to. */
export function bringToLife(table: HTMLTableElement, state: State): void {
  const body = table.tBodies[0];
  const rows = [...body.rows];
  rows.forEach((row, method) => {
    row.dataset.method = String(method);
    row.addEventListener("pointerenter", () => state.pointAtMethod(method));
    row.addEventListener("pointerleave", () => state.pointAtMethod(-1));
  });
  state.listen((change) => {
    if (change === "method") rows.forEach((row, method) => row.classList.toggle("pointed", method === state.method));
  });
  [...(table.tHead?.rows[0].cells ?? [])].forEach((heading, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    button.addEventListener("click", () => sort(table, rows, column, heading));
  });
}

function sort(table: HTMLTableElement, rows: HTMLTableRowElement[], column: number, heading: HTMLElement): void {
  const isDown = heading.getAttribute("aria-sort") !== "descending";
  for (const other of table.querySelectorAll("th[aria-sort]")) other.removeAttribute("aria-sort");
  heading.setAttribute("aria-sort", isDown ? "descending" : "ascending");
  const sign = isDown ? -1 : 1;
  const last = (x: number): number => (isNaN(x) ? 1 : 0);
  const order = [...rows].sort((a, b) => {
    if (column === 0) return isDown ? Number(a.dataset.method) - Number(b.dataset.method) : Number(b.dataset.method) - Number(a.dataset.method);
    const [x, y] = [valueOf(a, column), valueOf(b, column)];
    return last(x) - last(y) || (isNaN(x) ? 0 : sign * (x - y));
  });
  table.tBodies[0].append(...order);
}
