/** An axis of a chart: values from low to high are drawn from one place to another, in pixels. */
export interface Axis {
  low: number;
  high: number;
  from: number;
  to: number;
  isLog: boolean;
}

export function place(axis: Axis, value: number): number {
  const scaled = (x: number): number => (axis.isLog ? Math.log(x) : x);
  const share = (scaled(value) - scaled(axis.low)) / (scaled(axis.high) - scaled(axis.low) || 1);
  return axis.from + share * (axis.to - axis.from);
}

/** Four to eight round numbers between low and high. */
export function niceTicks(low: number, high: number): number[] {
  const rough = (high - low) / 7;
  if (!(rough > 0)) return [low];
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10);
  const ticks: number[] = [];
  for (let i = Math.ceil(low / step); i * step <= high + 1e-9 * step; ++i) ticks.push(Number((i * step).toPrecision(12)));
  return ticks;
}

/** 1, 2, 5, 10, ... between low and high, or powers of 10 alone if these are many. */
export function powerTicks(low: number, high: number): number[] {
  const factors = high / low > 500 ? [1] : [1, 2, 5];
  const ticks: number[] = [];
  for (let power = Math.floor(Math.log10(low)); power <= Math.log10(high); ++power)
    for (const factor of factors) {
      const value = Number((factor * 10 ** power).toPrecision(12));
      if (value >= low && value <= high) ticks.push(value);
    }
  return ticks;
}
