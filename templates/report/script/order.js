// The order of the terms and the filter by name: for the table of importance, the figures and the controls alike.
import { all, byId } from "./dom.js";
import { matches, ordered } from "./terms.js";

const numberOf = (text) => (text === undefined ? null : Number(text));

// A line of the table with what it is sorted by.
function lineOf(element) {
  const { name, place, rank, loss, findings, changed } = element.dataset;
  const numbers = { importance: rank && -rank, loss, findings: findings ?? 0, changed };
  for (const key of Object.keys(numbers)) numbers[key] = numberOf(numbers[key]);
  return { element, place: Number(place), name, ...numbers };
}

// A figure, sorted by what the table says of its term; a term that the model no longer has says it in the figure.
function figureOf(element, lineAt) {
  const line = lineAt.get(Number(element.dataset.place));
  return line ? { ...line, element } : lineOf(element);
}

export function connectOrder() {
  const lines = all("#importance tbody tr").map(lineOf);
  const lineAt = new Map(lines.map((line) => [line.place, line]));
  const groups = [lines, all(".figures > figure").map((element) => figureOf(element, lineAt))];
  const boxes = all("#inputs .input");
  const [filter, by, count] = ["filter", "order", "found"].map(byId);
  const sort = () => {
    for (const group of groups) {
      if (group.length) group[0].element.parentElement.append(...ordered(group, by.value).map(({ element }) => element));
    }
  };
  const pick = () => {
    for (const { element, name } of groups.flat()) element.hidden = !matches(name, filter.value);
    for (const box of boxes) box.hidden = !matches(box.dataset.feature, filter.value);
    const found = groups[0].filter(({ element }) => !element.hidden).length;
    count.textContent = filter.value ? `${found} of ${groups[0].length} terms` : "";
  };
  by.addEventListener("change", sort);
  filter.addEventListener("input", pick);
  return { sort, pick };
}
