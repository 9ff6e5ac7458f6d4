// The page's metrics beside Python's.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { metricOf, withoutRounding } from "./metrics.js";

const { rounding, cases } = JSON.parse(readFileSync("cases.json"));

for (const { name, y, score, predicted, w, query, expected } of cases) {
  test(`${name} is Python's`, () => {
    const found = metricOf(name)(y, withoutRounding(score, rounding), predicted, w, query);
    assert.ok(Math.abs(found - expected) <= 1e-12 * (1 + Math.abs(expected)), `${found} and not ${expected}`);
  });
}

test("no ROC of one class", () => {
  assert.ok(Number.isNaN(metricOf("roc_auc")([1, 1], [0, 1], [0, 1], [1, 1])));
});
