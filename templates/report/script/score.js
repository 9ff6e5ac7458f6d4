// The score of the row, and how it comes about.
import { INTERCEPT, POINTS, TERM_NAMES, contributions, predict, score } from "./model.js";
import { all, byId } from "./dom.js";
import { pointsText, shown, shownChange } from "./numbers.js";
import { reach, reasons, waterfall } from "./waterfall.js";

const NOTHING = "\u2013";
const MOST = 20; // steps in sight; the rest is one step

const lines = all("#contributions tbody tr[data-term]");
const rest = byId("other-terms");
const showAll = byId("all-terms");
let order = null; // kept while a control moves
let reference = null; // the row that the score is compared with

export function setReference(row) {
  reference = row;
  order = null;
  byId("contributions").classList.toggle("compared", row !== null);
  byId("start").cells[0].textContent = row === null ? "intercept" : "the reference";
}

function bar(line, from, to, [low, high]) {
  const span = line.querySelector(".bar span");
  const width = high > low ? 100 / (high - low) : 0;
  const [a, b] = [Math.min(from, to), Math.max(from, to)].map((sum) => (sum - low) * width);
  span.style.left = `${Number.isFinite(a) ? a : 0}%`;
  span.style.width = `${Number.isFinite(b - a) ? b - a : 0}%`;
  span.className = to < from ? "minus" : "";
}

function fill(line, texts) {
  texts.forEach((text, k) => {
    if (line.cells[k + 1].textContent !== text) line.cells[k + 1].textContent = text;
  });
}

function inSight(steps) {
  const count = showAll.checked || steps.length <= MOST + 1 ? steps.length : MOST;
  return [steps.slice(0, count), steps.slice(count)];
}

// Put the lines in the order of the steps: those in sight, the others folded into one.
function arrange(shownSteps, folded) {
  const body = rest.parentElement;
  for (const { term } of shownSteps) {
    lines[term].hidden = false;
    body.insertBefore(lines[term], rest);
  }
  for (const { term } of folded) lines[term].hidden = true;
  rest.hidden = folded.length === 0;
  rest.cells[0].textContent = `${folded.length} other terms`;
}

function showSteps(parts, total) {
  const base = reference ? contributions(reference) : null;
  const start = reference ? score(reference) : INTERCEPT;
  const sorting = order === null;
  const steps = waterfall(start, parts, base, order);
  order = steps.map((step) => step.term);
  const [near, far] = inSight(steps);
  if (sorting) arrange(near, far);
  const ends = reach(start, steps);
  fill(byId("start"), [reference ? NOTHING : shown(INTERCEPT), NOTHING, shown(start)]);
  for (const step of near) {
    const change = reference ? shownChange(step.change) : NOTHING;
    fill(lines[step.term], [shown(parts[step.term]), change, shown(step.to)]);
    bar(lines[step.term], step.from, step.to, ends);
  }
  if (far.length) {
    const sum = far.reduce((total, step) => total + step.change, 0);
    fill(rest, [reference ? NOTHING : shown(sum), reference ? shownChange(sum) : NOTHING, shown(far.at(-1).to)]);
    bar(rest, far[0].from, far.at(-1).to, ends);
  }
  fill(byId("total"), [NOTHING, reference ? shownChange(total - start) : NOTHING, shown(total)]);
  if (byId("outcome")) fill(byId("outcome"), [NOTHING, NOTHING, byId("prediction").textContent]);
  const most = reasons([...steps].sort((a, b) => Math.abs(b.change) - Math.abs(a.change)), TERM_NAMES, shownChange);
  byId("reasons").textContent = most ? `Most: ${most}` : "";
}

function showNothing() {
  for (const line of all("#contributions tbody tr")) {
    fill(line, [NOTHING, NOTHING, NOTHING]);
    if (line.querySelector(".bar")) bar(line, 0, 0, [0, 0]);
  }
  byId("reasons").textContent = "";
}

// Show the score of a row, or that there is none.
export function showScore(current) {
  byId("score").textContent = current ? shown(score(current)) : NOTHING;
  if (byId("prediction")) byId("prediction").textContent = current ? shown(predict(current)) : NOTHING;
  if (POINTS) byId("points").textContent = current ? pointsText(POINTS, score(current)) : NOTHING;
  if (current) showSteps(contributions(current), score(current));
  else showNothing();
}

// The largest steps first again, once the controls rest.
export function sortAgain(current) {
  order = null;
  if (current) showSteps(contributions(current), score(current));
}

// What a screen reader hears.
export function spoken(current) {
  if (!current) return "no score: an input is no number";
  const raw = `raw score ${shown(score(current))}`;
  return byId("prediction") ? `prediction ${shown(predict(current))}, ${raw}` : raw;
}
