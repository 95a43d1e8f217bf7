import { strict as assert } from "node:assert";
import { test } from "node:test";
import { LabelColoring, NumberColoring, UNKNOWN } from "../../web/src/data/coloring";
import { floats, spoken } from "../../web/src/data/decode";
import { csvOf } from "../../web/src/data/csv";
import { Section } from "../../web/src/data/section";
import type { SectionJson } from "../../web/src/data/section_json";
import { DIM, HIDDEN, VIVID } from "../../web/src/data/state";
import { paletteOf, shapesOf, unknownColor } from "../../web/src/draw/palette";
import { base64 } from "./points";

function method(label: string): SectionJson["methods"][0] {
  return { label, name: label, title: label, options: {}, eigenvalues: [], coordinates: 2, failed: false, worthless: false,
    reading: [] };
}

/** Four points, two methods of which one has failed. */
function madeUp(): Section {
  return new Section({
    count: 4,
    rows: [0, 2, 4, 6],
    names: ["a", '=b"', "c,d", "e"],
    original: null,
    features: { columns: 4, names: null, low: [0, 0, 0, 0], high: [10, 10, 10, 5], image: [2, 2],
      at: base64(Uint8Array.of(0, 255, 0, 255, 51, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)) },
    maps: [{ at: base64(new Float32Array([0, 0, 1, 0, 0, 1, -1, -1])), center: [10, 20], half: 2, turn: [0, -1, 1, 0] }, null],
    colorings: [
      { name: "kind", labels: ["x", "y"], at: base64(Uint8Array.of(0, 1, 0, 1)) },
      { name: "arc", low: -1.5, high: 2, at: base64(new Float32Array([0, 1, 2, -1.5])) },
    ],
    qualities: [{ name: "trust", low: 0, high: 1, at: [base64(Uint8Array.of(0, 127, 254, 254)), null] }],
    methods: [method("one"), method("two")],
    figures: [],
    curves: null,
  });
}

test("numbers are read low byte first", () => {
  assert.deepEqual([...floats("AACAPwAAAMA=")], [1, -2]);
  assert.equal(spoken(0.123456), "0.1235");
});

test("colorings: known ones, measures of each map, features", () => {
  const { colorings } = madeUp();
  assert.deepEqual(colorings.map((coloring) => coloring.group), ["known", "known", "quality", "features", "features", "features", "features"]);
  assert.deepEqual([...colorings[1].codes(0)], [109, 181, 254, 0]);
  assert.equal(colorings[1].spoken(1, 0), "1");
  assert.equal(colorings[2].spoken(1, 0), "0.5");
  assert.equal(colorings[2].spoken(1, 1), "not measured");
  assert.deepEqual([...colorings[3].codes(0)], [0, 51, 0, 0]);
  assert.equal(colorings[3].spoken(1, 0), "2");
});

test("what is not known is said, and has a color of its own", () => {
  const labels = new LabelColoring("kind", ["x"], base64(Uint8Array.of(0, UNKNOWN)), "known");
  const numbers = new NumberColoring("age", 1, 3, base64(new Float32Array([NaN, 2])));
  assert.deepEqual([labels.spoken(0), labels.spoken(1)], ["x", "unknown"]);
  assert.deepEqual([numbers.spoken(0), numbers.spoken(1)], ["unknown", "2"]);
  assert.deepEqual([...numbers.codes()], [UNKNOWN, 127]);
  for (const coloring of [labels, numbers])
    assert.deepEqual(paletteOf(coloring, "light")[UNKNOWN], unknownColor("light"));
  assert.equal(shapesOf(labels)[UNKNOWN], 0);
});

test("pixels have one scale of grey for all", () => {
  const { images } = madeUp();
  assert.deepEqual([...(images?.pixels(0) ?? [])], [0, 255, 0, 128]);
});

test("the turn of a map is taken back", () => {
  const { maps } = madeUp();
  assert.deepEqual(maps[0]?.coordinates(0), [10, 20]);
  // turn^T (1, 0) = (0, -1)
  assert.deepEqual(maps[0]?.coordinates(1), [10, 18]);
});

test("selection, legend and label under the pointer decide how points look", () => {
  const { state } = madeUp();
  const changes: string[] = [];
  const stop = state.listen((change) => changes.push(change));
  assert.deepEqual([...state.shades()], [VIVID, VIVID, VIVID, VIVID]);
  state.select([1, 2]);
  assert.deepEqual([...state.shades()], [DIM, VIVID, VIVID, DIM]);
  state.select([0], "add");
  state.select([2], "remove");
  assert.deepEqual(state.selectedPoints(), [0, 1]);
  state.toggle(0);
  assert.deepEqual([...state.shades()], [HIDDEN, VIVID, HIDDEN, DIM]);
  assert.ok(!state.isVisible(0));
  state.showAll();
  state.select([]);
  state.hoverLabel(1);
  assert.deepEqual([...state.shades()], [DIM, VIVID, DIM, VIVID]);
  state.showAlone(1, 2);
  assert.ok(state.hidden.has(0));
  state.showAlone(1, 2);
  assert.equal(state.hidden.size, 0);
  stop();
  state.focus(3);
  assert.deepEqual([...new Set(changes)], ["selection", "visibility"]);
});

test("another coloring shows all labels again", () => {
  const { state, colorings } = madeUp();
  state.toggle(1);
  state.colorBy(colorings[1]);
  assert.deepEqual([...state.shades()], [VIVID, VIVID, VIVID, VIVID]);
});

test("rows as CSV: numbers of the file, quoted names, coordinates as the method gave them", () => {
  const section = madeUp();
  assert.equal(csvOf(section, [1, 2]),
    'row,name,kind,arc,one 0,one 1\r\n3,"\'=b""",y,1,10,18\r\n5,"c,d",x,2,12,20\r\n');
  assert.ok(csvOf(section, [3]).includes("\n7,e,y,-1.5,"));
});

test("what is said of a point", () => {
  assert.deepEqual(madeUp().spoken(1, 0), ['=b" (row 3)', "kind: y", "arc: 1"]);
});
