// The order of the terms and the filter by name: for the table of importance, the figures and the controls alike.
import { all, byId } from "./dom.js";
import { matches, ordered } from "./terms.js";

const numberOf = (text) => (text === undefined || text === "" ? null : Number(text));

// A line of the table or a figure, with what it is sorted by.
function lineOf(element, place) {
  const { name, importance, loss, findings, changed } = element.dataset;
  const numbers = { importance, loss, findings, changed };
  for (const key of Object.keys(numbers)) numbers[key] = numberOf(numbers[key]);
  return { element, place: Number(element.dataset.place ?? place), name, ...numbers };
}

export function connectOrder() {
  const groups = [all("#importance tbody tr"), all(".figures > figure")].map((elements) => elements.map(lineOf));
  const boxes = all("#inputs .input");
  const [filter, by, count] = ["filter", "order", "found"].map(byId);
  const sort = () => {
    for (const lines of groups) {
      if (lines.length) lines[0].element.parentElement.append(...ordered(lines, by.value).map(({ element }) => element));
    }
  };
  const pick = () => {
    const lines = groups.flat();
    for (const { element, name } of lines) element.hidden = !matches(name, filter.value);
    for (const box of boxes) box.hidden = !matches(box.dataset.feature, filter.value);
    const found = groups[0].filter(({ element }) => !element.hidden).length;
    count.textContent = filter.value ? `${found} of ${groups[0].length} terms` : "";
  };
  by.addEventListener("change", sort);
  filter.addEventListener("input", pick);
  return { sort, pick };
}
