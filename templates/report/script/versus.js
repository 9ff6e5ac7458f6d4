// Rows of the data in the controls, and what the score is compared with: another row, or the base model.
import { BASE, EXAMPLES, INVERSE_LINKS, groupedSum } from "./model.js";
import { byId } from "./dom.js";
import { shown } from "./numbers.js";

// The example of an id, as a row; null if there is none.
export function exampleRow(examples, id) {
  const place = examples.ids.indexOf(id.trim());
  if (place < 0) return null;
  const result = Object.create(null);
  for (const [feature, column] of Object.entries(examples.columns)) {
    const input = column[place];
    result[feature] = input === null && examples.numbers.includes(feature) ? NaN : input;
  }
  return result;
}

// The base model's raw score and prediction of a row.
export function baseScores(row) {
  const raw = groupedSum(BASE.terms.map((term) => term(row)), BASE.intercept);
  return [raw, INVERSE_LINKS[BASE.link](raw)];
}

export function showBase(row) {
  if (!BASE) return;
  const texts = row ? baseScores(row).map(shown) : ["\u2013", "\u2013"];
  byId("base-score").textContent = texts[0];
  if (byId("base-prediction")) byId("base-prediction").textContent = texts[1];
}

// Connect the choice of a reference and the field that loads a row. `load` puts a row into the controls, `compare`
// takes the row to compare with or null, `start` gives where the controls start and `now` the row that they stand for.
export function connectVersus({ load, compare, start, now }) {
  const [choice, field, button, hint] = ["reference", "row-id", "load-row", "row-hint"].map(byId);
  const find = () => {
    const found = exampleRow(EXAMPLES, field.value);
    hint.textContent = found ? "" : `no row ${field.value} on this page`;
    return found;
  };
  const rows = { none: () => null, start, now, example: () => find() };
  choice.addEventListener("change", () => compare(rows[choice.value]()));
  if (!EXAMPLES) return;
  button.addEventListener("click", () => {
    const found = find();
    if (found) load(found);
  });
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); button.click(); }
  });
}
