import { strict as assert } from "node:assert";
import { test } from "node:test";
import { niceTicks, place, powerTicks } from "../../web/src/charts/axis";
import { barHeights, gapInWords, largestGap } from "../../web/src/charts/gap";
import { DIM, HIDDEN, VIVID } from "../../web/src/data/state";
import { placedNames } from "../../web/src/draw/names";
import type { Rgb } from "../../web/src/draw/palette";
import { dimColor, PAPER } from "../../web/src/draw/palette";
import { paint, type Marks, type Picture } from "../../web/src/draw/raster";
import { stampOf } from "../../web/src/draw/stamp";
import { marksSvg } from "../../web/src/draw/svg";

const RED: Rgb = [255, 0, 0];
const BLUE: Rgb = [0, 0, 255];
const PLAIN = { scale: 10, dx: 20, dy: 20 };

function picture(size: number): Picture {
  return { width: size, height: size, data: new Uint8ClampedArray(4 * size * size) };
}
function marks(at: number[], codes: number[], shades: number[]): Marks {
  return { at: new Float32Array(at), codes: Uint8Array.from(codes), shades: Uint8Array.from(shades), palette: [RED, BLUE],
    shapes: Uint8Array.of(0, 1), order: null, radius: 3 };
}
function pixel({ data, width }: Picture, x: number, y: number): number[] {
  return [...data.subarray(4 * (y * width + x), 4 * (y * width + x) + 3)];
}

test("a mark covers as many pixels as its area, wherever its center is", () => {
  const areas = [Math.PI, 1.8 * 1.8, (2.4 * 2.2) / 2, (2.4 * 2.8) / 2];
  areas.forEach((area, shape) => {
    for (const mask of stampOf(shape, 4, 1).masks) {
      const covered = mask.reduce((sum, opacity) => sum + opacity / 256, 0);
      assert.ok(Math.abs(covered / (16 * area) - 1) < 0.04, `shape ${shape}: ${covered} of ${16 * area}`);
    }
  });
});

test("points are where they belong; y is upwards; hidden points are not drawn", () => {
  const canvas = picture(40);
  paint(canvas, PLAIN, marks([-1, 1, 1, 1, 0, -1], [0, 1, 0], [VIVID, VIVID, HIDDEN]), PAPER.light, dimColor("light"));
  const [red, , blue] = pixel(canvas, 10, 10);
  assert.ok(red > 220 && blue < 60);
  assert.ok(pixel(canvas, 30, 10)[2] > 220 && pixel(canvas, 30, 10)[0] < 60);
  assert.deepEqual(pixel(canvas, 20, 30), [...PAPER.light]);
});

test("dimmed points stay faint however many lie on each other, and below the others", () => {
  const canvas = picture(40);
  const many = Array.from({ length: 200 }, () => [0, 0]).flat();
  const shades = Array.from({ length: 200 }, () => DIM);
  paint(canvas, PLAIN, marks(many, shades.map(() => 0), shades), PAPER.light, dimColor("light"));
  pixel(canvas, 20, 20).forEach((value, i) => assert.ok(Math.abs(value - dimColor("light")[i]) <= 2));
  paint(canvas, PLAIN, marks([0, 0, 0, 0], [1, 0], [VIVID, DIM]), PAPER.light, dimColor("light"));
  assert.ok(pixel(canvas, 20, 20)[0] < 60, "the vivid one is on top although it comes first");
});

test("marks at the edge and far outside do no harm", () => {
  const canvas = picture(10);
  paint(canvas, { scale: 1, dx: 0, dy: 0 }, marks([0, 0, 9.9, -9.9, 1e30, 1e30, NaN, 0, -500, 3], [0, 0, 0, 0, 0],
    [VIVID, VIVID, VIVID, VIVID, VIVID]), PAPER.dark, dimColor("dark"));
  assert.ok(pixel(canvas, 0, 0)[0] > 200 && pixel(canvas, 9, 9)[0] > 200);
  assert.deepEqual(pixel(canvas, 5, 5), [...PAPER.dark]);
});

test("a drawing has one path per color and shape, and no hidden points", () => {
  const svg = marksSvg(marks([-1, 1, 1, 1, 0, -1, 1, 0], [0, 1, 0, 0], [VIVID, VIVID, HIDDEN, VIVID]), PLAIN, 40, [1, 2, 3]);
  assert.equal(svg.split("<path").length - 1, 2);
  assert.ok(svg.includes('d="M10.0 10.0h0M30.0 20.0h0" stroke="rgb(255,0,0)"'), svg);
});

test("names do not lie on each other and stay within", () => {
  const placed = placedNames(Float64Array.of(10, 50, 12, 52, 95, 50, NaN, NaN), [30, 30, 30, 30], 10, 100, 5);
  assert.deepEqual(placed.map((name) => name.point), [0, 2]);
  assert.equal(placed[1].x, 60, "left of the point where the right has no room");
});

test("ticks are round numbers within the range", () => {
  assert.deepEqual(niceTicks(0.03, 1.02), [0.2, 0.4, 0.6, 0.8, 1]);
  assert.deepEqual(powerTicks(1, 60), [1, 2, 5, 10, 20, 50]);
  assert.deepEqual(powerTicks(1, 1998), [1, 10, 100, 1000]);
  const axis = { low: 1, high: 100, from: 0, to: 200, isLog: true };
  assert.ok(Math.abs(place(axis, 10) - 100) < 1e-9);
});

test("the gap of a spectrum is where neighbors differ most, rising or falling", () => {
  assert.deepEqual(largestGap([10, 9, 3, 2.5]), { after: 2, ratio: 3 });
  assert.equal(largestGap([1e-4, 2e-4, 4e-2, 5e-2])?.after, 2);
  assert.equal(largestGap([1, 1, 1]), null);
  assert.deepEqual(largestGap([1e-17, 0.1, 0.2, 0.8]), { after: 3, ratio: 4 });
  assert.equal(gapInWords([1, 1, 1], 2), "no gap");
  assert.equal(gapInWords([10, 9, 3, 2.5], 2), "largest gap after 2");
  // A long strip: its length is far above its width, and that as far above the rest.
  assert.equal(gapInWords([1800, 100, 5.75, 5], 2), "largest gap after 1; \u00d717.39 after 2");
  assert.equal(gapInWords([4, 1, 0], 2), "largest gap after 1");
  assert.deepEqual(barHeights([4, 2, 1]), [1, 0.5, 0.25]);
  const heights = barHeights([1, 1e-3, 1e-6]);
  assert.ok(heights[0] === 1 && Math.abs(heights[1] - 0.5) < 0.05 && heights[2] < 0.1);
  assert.deepEqual(barHeights([0, 0]), [0, 0]);
});
