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
