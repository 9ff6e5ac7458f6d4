// The edits of the page, in Node.js, against what Python says: test_script.py writes the cases.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { MODEL } from "./model.js";
import { added, capped, checked, flattened, monotone, toDecimals } from "./edits.js";
import { termText } from "./listing.js";
import { build, nodeAt, ordinates, slots, withNode } from "./nodes.js";
import { decimals, fileText, repr } from "./spelling.js";

const cases = JSON.parse(readFileSync("cases.json"));
const close = (a, b, what) => assert.ok(Math.abs(a - b) <= 1e-6 * Math.max(1, Math.abs(b)), `${what}: ${a}, ${b}`);

// Two nodes whose values differ by the rounding to the curve's decimals at most.
function same(found, expected, places) {
  const still = (node) => ({ ...node, points: node.points?.map(([x]) => x), values: null });
  assert.deepEqual(still(found), still(expected));
  ordinates(found).forEach((y, k) => {
    assert.ok(Math.abs(y - ordinates(expected)[k]) <= 0.500001 * 10 ** -places + 1e-9 * Math.abs(y), `${y} ${ordinates(expected)[k]}`);
  });
}

test("a term's text is the listing's", () => {
  for (const { node, text } of cases) assert.equal(termText(node), text);
});

test("a file's text is Python's", () => {
  assert.equal(`${fileText(MODEL)}\n`, readFileSync("file.json", "utf8"));
});

test("a node built here has the values of Python's, to the bit", () => {
  for (const { node, values } of cases) {
    const curve = build(node);
    for (const [x, y] of values ?? []) {
      const found = curve({ [node.input]: x });
      if (node.fx === "identity") assert.equal(found, y ?? NaN, `${node.input} at ${x}`);
      else close(found, y, x);
    }
  }
});

test("a cap is Python's, to the curve's decimals", () => {
  for (const { node, capped: bounds } of cases) {
    for (const [low, high, expected] of bounds ?? []) {
      const cap = () => capped(node, Number(low.replace?.("inf", "Infinity") ?? low), Number(high.replace?.("inf", "Infinity") ?? high));
      if (expected === null) assert.throws(cap, /nothing changes|must be less/);
      else same(cap(), expected, decimals(ordinates(node)));
    }
  }
});

test("a monotone curve is Python's, to the curve's decimals", () => {
  for (const { node, monotone: ways } of cases) {
    for (const [way, expected] of Object.entries(ways ?? {})) same(monotone(node, way), expected, decimals(ordinates(node)));
  }
});

test("every slot puts its own number and nothing else", () => {
  for (const { node } of cases.filter(({ node: { type } }) => !["Sum", "Product"].includes(type))) {
    slots(node).forEach((slot, k) => {
      assert.deepEqual(slot.put(slot.x, slot.y), node);
      const other = slot.put(slot.x, 0.625);
      slots(other).forEach(({ x, y }, place) => {
        assert.deepEqual([x, y], place === k ? [slot.x, 0.625] : [slots(node)[place].x, slots(node)[place].y]);
      });
    });
  }
});

const curve = { type: "PWLCurve", input: "x", points: [[1, 0], [2, 0.5], [4, 1.25]], fx: "log", missing: null, note: "" };

test("a point is added where the curve is, and a flat stretch is the mean", () => {
  assert.deepEqual(added(curve, 3).points, [[1, 0], [2, 0.5], [3, 0.94], [4, 1.25]]);
  assert.deepEqual(flattened(curve, 2, Infinity).points, [[1, 0], [2, 0.88], [4, 0.88]]);
  const steps = { type: "StepCurve", input: "x", cuts: [1, 2], values: [0, 2, 4], missing: null, note: "" };
  assert.deepEqual(added(steps, 1.5), { ...steps, cuts: [1, 1.5, 2], values: [0, 2, 2, 4] });
  assert.deepEqual(flattened(steps, 1, Infinity).values, [0, 3, 3]);
});

test("what breaks a rule is refused, and why", () => {
  const refused = (node, why) => assert.throws(() => checked(node), why);
  refused({ ...curve, points: [[1, 0], [1, 1]] }, /1 is followed by 1; x must be strictly increasing/);
  refused({ ...curve, points: [[0, 0], [1, 1]] }, /x=0 is outside the domain of log \(x > 0\)/);
  refused({ ...curve, points: [[1, 0]] }, /needs two points/);
  refused({ ...curve, fx: "identity", points: [[0, 0], [5e-324, 1]] }, /no finite slope/);
  refused({ ...curve, points: [[1, 0], [2, Infinity]] }, /finite/);
  assert.throws(() => added(curve, 2), /already/);
  assert.throws(() => flattened(curve, 3, 5), /fewer than two/);
});

test("one node is put into the place of another, and the tree stays as it was", () => {
  const tree = { terms: [{ factors: [1, 2] }, 3] };
  const other = withNode(tree, ["terms", 0, "factors", 1], 9);
  assert.deepEqual(other, { terms: [{ factors: [1, 9] }, 3] });
  assert.deepEqual(tree, { terms: [{ factors: [1, 2] }, 3] });
  assert.equal(nodeAt(other, ["terms", 0, "factors", 1]), 9);
});

test("digits and decimals", () => {
  assert.deepEqual([1, 1e-5, 0.0001, 1e16, 123456789012345, -0, 1.5e300].map(repr), ["1.0", "1e-05", "0.0001", "1e+16", "123456789012345.0", "0.0", "1.5e+300"]);
  assert.deepEqual([[1, 20], [0.25, 3], [1e-7], []].map(decimals), [0, 2, 7, 0]);
  assert.equal(toDecimals(-0.125, 1), -0.1);
});
