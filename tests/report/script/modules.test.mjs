// The page's own modules, in Node.js: test_script.py lays them beside a model.js.
import assert from "node:assert/strict";
import { test } from "node:test";

import { shown, shownChange, parsed } from "./numbers.js";
import { fromHash, toHash } from "./permalink.js";
import { sliderPosition, sliderValue } from "./sliders.js";
import { csv } from "./tables.js";
import { matches, ordered } from "./terms.js";
import { reach, reasons, waterfall } from "./waterfall.js";

test("a number has six digits and a real minus sign", () => {
  assert.deepEqual([1234567, -0.00012345678, NaN, 0].map(shown), ["1234570", "\u22120.000123457", "missing", "0"]);
  assert.deepEqual([0.5, -0.5, 0].map(shownChange), ["+0.5", "\u22120.5", "0"]);
});

test("what is no number is none", () => {
  assert.deepEqual(["22.75", " 1e3 ", "\u22125", "+.5", "5."].map(parsed), [22.75, 1000, -5, 0.5, 5]);
  for (const text of ["22,75", "", "1 000", "0x10", "1e", "--1", "NaN", "Infinity", "12a"]) {
    assert.ok(Number.isNaN(parsed(text)), text);
  }
});

test("a slider goes from end to end, and back to where it was", () => {
  for (const input of [
    { low: -122.52, high: -122.38, fx: "identity", steps: 1000, whole: false },
    { low: 0.01, high: 1e6, fx: "log", steps: 1000, whole: false },
    { low: 18, high: 80, fx: "identity", steps: 62, whole: true },
    { low: -5, high: 300, fx: "symlog1p", steps: 1000, whole: false },
  ]) {
    assert.equal(sliderValue(input, 0), input.low);
    assert.equal(sliderValue(input, input.steps), input.high);
    for (let k = 0; k <= input.steps; k += 1) assert.ok(Math.abs(sliderPosition(input, sliderValue(input, k)) - k) <= 1);
  }
});

test("the steps of a score: the largest first, the sums add up", () => {
  const steps = waterfall(1, [0.5, -2, NaN, 0.5]);
  assert.deepEqual(steps.map(({ term }) => term), [1, 0, 3, 2]);
  assert.deepEqual(steps.map(({ to }) => to), [-1, -0.5, 0, NaN]);
  assert.deepEqual(reach(1, steps), [-1, 1]);
  assert.equal(reasons(steps, ["a", "b", "c", "d"], shownChange, 2), "b \u22122, a +0.5");
});

test("against another row only the differences count, in the order that was asked for", () => {
  const steps = waterfall(10, [1, 5, 2], [1, 2, 4], [2, 1, 0]);
  assert.deepEqual(steps.map(({ term, change, to }) => [term, change, to]), [[2, -2, 8], [1, 3, 11], [0, 0, 11]]);
  assert.equal(reasons(steps, ["a", "b", "c"], shownChange), "c \u22122, b +3");
});

test("terms by name, by number, and as the model has them", () => {
  const lines = [
    { place: 2, name: "age", loss: null },
    { place: 0, name: "Zip code", loss: 0.5 },
    { place: 1, name: "b", loss: 0.5 },
  ];
  assert.deepEqual(ordered(lines, "name").map(({ name }) => name), ["age", "b", "Zip code"]);
  assert.deepEqual(ordered(lines, "loss").map(({ place }) => place), [0, 1, 2]);
  assert.deepEqual(ordered(lines, "model").map(({ place }) => place), [0, 1, 2]);
  assert.ok(matches("Length of stay", "STAY len"));
  assert.ok(!matches("Length of stay", "age"));
});

test("a table as CSV: quotes where they must be, plain minus signs", () => {
  assert.equal(csv([["a,b", 'say "x"'], ["\u22120.5", "\u2013"]]), '"a,b","say ""x"""\r\n-0.5,\r\n');
});

test("an address holds a row and gives it back", () => {
  const inputs = [
    { feature: "a&b=", type: "number" },
    { feature: "k", type: "int" },
    { feature: "s", type: "str" },
    { feature: "yes", type: "bool" },
    { feature: "gone", type: "number" },
    { feature: "none", type: "str" },
  ];
  const row = { "a&b=": -0.1, k: 3, s: "x y&\u2603", yes: false, gone: NaN, none: null };
  const found = fromHash(toHash(row, inputs), inputs, {});
  assert.deepEqual({ ...found }, row);
  assert.equal(fromHash("#curves", inputs, {}), null);
  assert.equal(fromHash("#values?k=%22x%22", inputs, {}), null);
  assert.equal(fromHash("#values?k={", inputs, {}), null);
  assert.deepEqual({ ...fromHash("#values?k=4", inputs, { s: "as it was" }) }, { k: 4, s: "as it was" });
});
