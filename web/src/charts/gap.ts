import { spoken } from "../data/decode";

/** Where the eigenvalues leave the largest gap, as a ratio of neighbours; null: there is none to speak of. */
export function largestGap(values: readonly number[]): { after: number; ratio: number } | null {
  let found: { after: number; ratio: number } | null = null;
  // Behind zero, which is trivial, there is no gap.
  const zero = 1e-10 * Math.max(...values.map(Math.abs));
  for (let i = 0; i + 1 < values.length; ++i) {
    const [a, b] = [Math.abs(values[i]), Math.abs(values[i + 1])];
    if (Math.min(a, b) <= zero) continue;
    const ratio = Math.max(a, b) / Math.min(a, b);
    if (ratio > 1.05 && (!found || ratio > found.ratio)) found = { after: i + 1, ratio };
  }
  return found;
}

/** How many times an eigenvalue differs from the next, of those up to this number; null: one of them is zero, or none is there. */
function ratioAfter(values: readonly number[], count: number): number | null {
  const [a, b] = [Math.abs(values[count - 1] ?? 0), Math.abs(values[count] ?? 0)];
  return Math.min(a, b) > 1e-10 * Math.max(...values.map(Math.abs)) ? Math.max(a, b) / Math.min(a, b) : null;
}

/** The largest gap in words, and the one behind the coordinates of the map where that is another. */
export function gapInWords(values: readonly number[], coordinates: number): string {
  const gap = largestGap(values);
  if (!gap) return "no gap";
  const own = gap.after === coordinates ? null : ratioAfter(values, coordinates);
  return `largest gap after ${gap.after}` + (own ? `; \u00d7${spoken(own)} after ${coordinates}` : "");
}

/** The heights of bars, 0 to 1: logarithmic where values differ by more than a factor of 50. */
export function barHeights(values: readonly number[]): number[] {
  const sizes = values.map(Math.abs);
  const most = Math.max(...sizes);
  const least = Math.min(...sizes.filter((size) => size > 0));
  if (!(most > 0)) return sizes.map(() => 0);
  if (most <= 50 * least) return sizes.map((size) => size / most);
  const floor = Math.max(least, 1e-12 * most) / 2;
  return sizes.map((size) => Math.max(0, Math.log(size / floor) / Math.log(most / floor)));
}
