import type { Section } from "./section";

const NUMBER = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;

/** A cell as RFC 4180 has it. A word that a spreadsheet would take for a formula is quoted as text; a number is none. */
function cell(value: string | number): string {
  const isFormula = typeof value === "string" && /^[=+\-@\t\r]/.test(value) && !NUMBER.test(value);
  const text = isFormula ? `'${value}` : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replace(/"/g, '""')}"` : text;
}

/** Points as a table: number of the row from 1, name, what is known of it, and its coordinates in every map. */
export function csvOf(section: Section, points: readonly number[]): string {
  const colorings = section.colorings.filter((coloring) => coloring.group === "known");
  const header = ["row", ...(section.json.names ? ["name"] : []), ...colorings.map((coloring) => coloring.name)];
  section.maps.forEach((map, m) => {
    const { label } = section.json.methods[m];
    if (map) header.push(`${label} 0`, `${label} 1`);
  });
  const lines = points.map((i) => {
    const cells: (string | number)[] = [section.rowNumber(i)];
    if (section.json.names) cells.push(section.json.names[i]);
    for (const coloring of colorings) cells.push(coloring.spoken(i, 0));
    for (const map of section.maps) if (map) cells.push(...map.coordinates(i));
    return cells;
  });
  return [header, ...lines].map((line) => line.map(cell).join(",") + "\r\n").join("");
}
