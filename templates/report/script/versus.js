// Rows of the data in the controls, and what the score is compared with: another row, or the base model.
import { BASE, EXAMPLES, INVERSE_LINKS, POINTS, groupedSum } from "./model.js";
import { byId } from "./dom.js";
import { exampleRow } from "./examples.js";
import { pointsText, shown } from "./numbers.js";

// The base model's raw score and prediction of a row.
export function baseScores(row) {
  const raw = groupedSum(BASE.terms.map((term) => term(row)), BASE.intercept);
  return [raw, INVERSE_LINKS[BASE.link](raw)];
}

export function showBase(row) {
  if (!BASE) return;
  const texts = row ? baseScores(row).map(shown) : ["\u2013", "\u2013"];
  if (byId("base-points")) byId("base-points").textContent = row ? pointsText(POINTS, baseScores(row)[0]) : "\u2013";
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
