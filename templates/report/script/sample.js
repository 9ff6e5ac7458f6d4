// The metrics on the rows that the page carries with their labels, before the edits and now.
import { EXAMPLES, INTERCEPT, INVERSE_LINKS, MODEL, TERMS, groupedSum } from "./model.js";
import { metricOf, withoutRounding } from "./metrics.js";
import { exampleAt } from "./examples.js";

const labelled = EXAMPLES?.labels ? EXAMPLES : null;
const rows = [];
const known = new Map(); // by a term's function its values on the rows

function valuesOf(term) {
  if (!known.has(term)) known.set(term, rows.map((row) => term(row)));
  return known.get(term);
}

function measured(terms) {
  const columns = terms.map(valuesOf);
  const all = rows.map((_, k) => groupedSum(columns.map((column) => column[k]), INTERCEPT));
  const used = [...all.keys()].filter((k) => Number.isFinite(all[k]) && labelled.weights[k] > 0);
  const pick = (column) => used.map((k) => column?.[k]);
  const scores = withoutRounding(pick(all), labelled.rounding);
  const predictions = scores.map(INVERSE_LINKS[MODEL.model.link ?? "identity"]);
  const others = [pick(labelled.weights), pick(labelled.query)];
  return labelled.metrics.map((name) => metricOf(name)(pick(labelled.labels), scores, predictions, ...others));
}

// Each metric by name, of two lists of terms: as the page came, and now. None without labels on the page.
export function metricsBeside(before, now = TERMS) {
  if (!labelled) return [];
  if (!rows.length) rows.push(...labelled.ids.map((_, k) => exampleAt(labelled, k)));
  const values = [before, now].map(measured);
  for (const term of known.keys()) if (!before.includes(term) && !now.includes(term)) known.delete(term);
  return labelled.metrics.map((name, k) => [name, values[0][k], values[1][k]]);
}

// The rows in words: "on this page's 200 of 1,083 rows of the data".
export const sampleText = labelled
  ? `on this page\u2019s ${labelled.ids.length.toLocaleString("en")} of ${labelled.rows.toLocaleString("en")} ${labelled.of}`
  : "";
