import { strict as assert } from "node:assert";
import { test } from "node:test";
import { Grid, nextInDirection } from "../../web/src/geometry/grid";
import { contains, pointsWithin, rectangle } from "../../web/src/geometry/polygon";
import { seen } from "../../web/src/geometry/space";
import { countOutside, homeOf, projection, toMap, toPicture, whole, zoomed } from "../../web/src/geometry/view";
import { randomPoints, randoms } from "./points";

function nearestOfAll(at: Float32Array, x: number, y: number, radius: number, accepts: (i: number) => boolean): number {
  let found = -1;
  let least = radius * radius;
  for (let i = at.length / 2 - 1; i >= 0; --i) {
    const gap = (at[2 * i] - x) ** 2 + (at[2 * i + 1] - y) ** 2;
    if (gap <= least && accepts(i)) [found, least] = [i, gap];
  }
  return found;
}

test("the grid finds what a look at all points finds, outliers and hidden points included", () => {
  const at = randomPoints(3000);
  at.set([40, -7, -1e9, 3, 0.5, 1.3], 100);
  const grid = new Grid(at, 1.2);
  const random = randoms(2);
  const isOdd = (i: number): boolean => i % 2 === 1;
  for (let trial = 0; trial < 500; ++trial) {
    const [x, y, radius] = [3 * random() - 1.5, 3 * random() - 1.5, 0.3 * random()];
    assert.equal(grid.nearest(x, y, radius, isOdd), nearestOfAll(at, x, y, radius, isOdd));
  }
  assert.equal(grid.nearest(40, -7, 0.1, () => true), 50);
  assert.equal(grid.nearest(20, 20, 0.1, () => true), -1);
});

test("of points in one place the first is the nearest", () => {
  const grid = new Grid(new Float32Array([0.5, 0.5, 0, 0, 0, 0]), 1);
  assert.equal(grid.nearest(0.01, 0, 0.1, () => true), 1);
});

test("an arrow key goes ahead rather than aside", () => {
  const at = new Float32Array([0, 0, 1, 0, 0.6, 0.5, -1, 0, 0, 2]);
  const all = (): boolean => true;
  assert.equal(nextInDirection(at, 0, 1, 0, all), 1);
  assert.equal(nextInDirection(at, 0, -1, 0, all), 3);
  assert.equal(nextInDirection(at, 0, 0, 1, all), 4);
  assert.equal(nextInDirection(at, 0, 0, -1, all), -1);
});

test("points within an outline with a bay", () => {
  // A U: the bay between its arms is outside.
  const u = [0, 0, 3, 0, 3, 3, 2, 3, 2, 1, 1, 1, 1, 3, 0, 3];
  for (const [x, y, isInside] of [[0.5, 2, true], [1.5, 2, false], [2.5, 2, true], [1.5, 0.5, true], [4, 0.5, false]])
    assert.equal(contains(u, Number(x), Number(y)), isInside);
  assert.deepEqual(pointsWithin(u, new Float32Array([0.5, 2, 1.5, 2, 2.5, 2])), [0, 2]);
  const at = randomPoints(1000, 5);
  const expected: number[] = [];
  for (let i = 0; i < 1000; ++i) if (at[2 * i] > -0.2 && at[2 * i] < 0.7 && at[2 * i + 1] > 0.1 && at[2 * i + 1] < 0.4) expected.push(i);
  assert.deepEqual(pointsWithin(rectangle(0.7, 0.4, -0.2, 0.1), at), expected);
});

test("pictures and maps lead back to each other, and zooming keeps the place under the pointer", () => {
  const frame = { size: 300, margin: 8 };
  const home = { x: 0.25, y: -0.5, half: 1.5 };
  const view = zoomed(home, 3, 0.7, -1, home);
  assert.equal(view.half, 0.5);
  const [before, after] = [toPicture(projection(home, frame), 0.7, -1), toPicture(projection(view, frame), 0.7, -1)];
  before.forEach((value, i) => assert.ok(Math.abs(value - after[i]) < 1e-9));
  const [x, y] = toMap(projection(view, frame), ...after);
  assert.ok(Math.abs(x - 0.7) < 1e-12 && Math.abs(y + 1) < 1e-12);
});

test("a few outliers are left outside of the first view, and only then", () => {
  const at = randomPoints(1000);
  assert.deepEqual(homeOf(at), whole(at));
  at.set([500, 3, -4, 0.5], 0);
  const home = homeOf(at);
  assert.equal(home.half, 1.2);
  assert.equal(countOutside(home, at), 2);
  assert.equal(countOutside(whole(at), at), 0);
});

test("points in space are drawn from far to near", () => {
  const { at, order } = seen(new Float32Array([0, 1, 0, 0, -1, 0, 1, 0, 0]), { turn: 0, tilt: 0 });
  assert.deepEqual([...order], [0, 2, 1]);
  assert.deepEqual([...at], [0, 0, 0, 0, 1, 0]);
});
