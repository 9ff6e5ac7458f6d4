// Editing a figure's curve: by dragging or with the arrow keys in the picture, and by numbers in a table beside it.
import { INPUTS, INTERCEPT, NAME, groupedSum } from "./model.js";
import { all, byId, download, fileName, make } from "./dom.js";
import { added, capped, checked, flattened, monotone, roomBetween, toDecimals } from "./edits.js";
import { figures, pixel, redraw, valueAt, valueUp } from "./figures.js";
import { commit, history, modelFile, nodeOf, panelsAt, preview, redo, termAt, termsBefore, undo } from "./history.js";
import { listingText, termLine } from "./listing.js";
import { breaks, ordinates, slots } from "./nodes.js";
import { parsed, shown } from "./numbers.js";
import { metricsBeside, sampleText } from "./sample.js";
import { decimals, shortest } from "./spelling.js";

let changed = () => {}; // what the page does once the model is another
const editors = new Map(); // by the number of the figure's panel

// The decimals to which numbers are rounded that come from a place in the picture: those that the curve has, unless they
// are finer than a tenth of a pixel.
function snapping(numbers, ofPixel) {
  const visible = ofPixel > 0 ? Math.ceil(-Math.log10(ofPixel)) : 100;
  return Math.max(0, Math.min(decimals(numbers), visible + 1));
}

function steps(editor, x) {
  const { figure, node } = editor;
  const size = pixel(figure, x);
  const whole = INPUTS.find(({ feature }) => feature === figure.panel.features[0])?.whole && !figure.panel.inner;
  return { y: snapping(ordinates(node), size.y), x: whole ? 0 : snapping(breaks(node), size.x) };
}

const said = ({ x, label }) => label ?? shortest(x);

// Do an edit that may be refused; says why if it is.
function attempt(editor, work) {
  try {
    work();
    editor.status.textContent = "";
    return true;
  } catch (error) {
    editor.status.textContent = `Not done: ${error.message}.`;
    fillTable(editor);
    return false;
  }
}

function edit(editor, node, words, { run = null, before = editor.node } = {}) {
  const { panel } = editor.figure;
  commit(panel.address, before, checked(node), `${editor.title}: ${words}`, run);
  refresh(panel.address);
}

// Show what the model has become where an address leads.
function refresh(address) {
  for (const panel of panelsAt(address)) {
    if (editors.has(panel)) show(editors.get(panel), nodeOf(panel));
  }
  showHistory();
  changed(new Set(panelsAt(address).flatMap(({ features }) => features)));
}

function draw(editor, node) {
  editor.node = node;
  editor.code.textContent = termLine(termAt(editor.figure.panel.address));
  redraw(editor.figure, node);
  nameHandles(editor);
}

function show(editor, node) {
  draw(editor, node);
  fillTable(editor);
}

// The handles' names for those who do not see them.
function nameHandles({ figure, node, title }) {
  const rows = slots(node);
  for (const knot of all(".knot", figure.svg)) {
    const slot = rows[knot.dataset.slot];
    const settings = {
      tabindex: figure.editing ? 0 : -1,
      role: "slider",
      "aria-orientation": "vertical",
      "aria-label": `${title}, ${slot.x === undefined ? said(slot) : `point ${Number(knot.dataset.slot) + 1}`}`,
      "aria-valuenow": slot.y,
      "aria-valuetext": slot.x === undefined ? shown(slot.y) : `${shown(slot.x)}, ${shown(slot.y)}`,
    };
    for (const [name, value] of Object.entries(settings)) knot.setAttribute(name, value);
  }
}

// The node with a point at (x, y), as far as its neighbours leave room; of steps and levels only the value changes.
function moved(editor, k, x, y) {
  const slot = slots(editor.node)[k];
  if (slot.x === undefined || editor.node.type !== "PWLCurve") return slot.put(slot.x, y);
  const places = steps(editor, slot.x).x;
  const [low, high] = roomBetween(editor.node, k, 10 ** -places);
  if (toDecimals(x, places) === toDecimals(slot.x, places) || low > high) return slot.put(slot.x, y);
  return slot.put(toDecimals(Math.min(Math.max(x, low), high), places), y);
}

function describe(before, after, k) {
  const [old, now] = [before, after].map((node) => slots(node)[k]);
  if (old.x === undefined) return `${said(old)} from ${shown(old.y)} to ${shown(now.y)}`;
  return `(${shown(old.x)}, ${shown(old.y)}) to (${shown(now.x)}, ${shown(now.y)})`;
}

function drag(editor, event) {
  const { figure } = editor;
  const knot = event.target;
  const k = Number(knot.dataset.slot);
  const before = editor.node;
  const start = slots(before)[k];
  const toPicture = figure.svg.getScreenCTM().inverse();
  const pointer = ({ clientX, clientY }) => new DOMPoint(clientX, clientY).matrixTransform(toPicture);
  const [from, cx, cy] = [pointer(event), ...["cx", "cy"].map((name) => Number(knot.getAttribute(name)))];
  const move = (moving) => attempt(editor, () => {
    const [across, down] = [pointer(moving).x - from.x, pointer(moving).y - from.y];
    const height = Math.min(Math.max(cy + down, 0), figure.svg.viewBox.baseVal.height);
    const y = Math.abs(down) < 0.5 ? start.y : toDecimals(valueUp(figure, height), steps(editor).y);
    const node = checked(moved(editor, k, figure.panel.levels ? undefined : valueAt(figure.panel, cx + across), y));
    preview(figure.panel.address, node);
    draw(editor, node);
    changed(new Set(figure.panel.features));
  });
  const end = () => {
    knot.removeEventListener("pointermove", move);
    const { node } = editor;
    if (node !== before) attempt(editor, () => edit(editor, node, describe(before, node, k), { before }));
  };
  knot.setPointerCapture(event.pointerId);
  knot.addEventListener("pointermove", move);
  knot.addEventListener("lostpointercapture", end, { once: true });
}

const ARROWS = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowRight: [1, 0], ArrowLeft: [-1, 0] };

// A handle's keys: arrows move it by one step, with shift by ten, and Delete removes it.
function press(editor, event) {
  const k = Number(event.target.dataset.slot);
  const slot = slots(editor.node)[k];
  const arrow = ARROWS[event.key];
  if (!arrow && event.key !== "Delete") return;
  event.preventDefault();
  if (arrow) attempt(editor, () => nudge(editor, k, ...arrow.map((way) => way * (event.shiftKey ? 10 : 1))));
  else if (slot.drop) {
    attempt(editor, () => edit(editor, slot.drop(), `point at ${shown(slot.x)} removed`));
    all(".knot", editor.figure.svg)[Math.min(k, ordinates(editor.node).length - 1)]?.focus();
  }
}

function nudge(editor, k, across, up) {
  const slot = slots(editor.node)[k];
  const places = steps(editor, slot.x);
  const by = (from, count, digits) => toDecimals(from + count * 10 ** -digits, Math.max(digits, decimals([from])));
  const x = across && slot.x !== undefined ? by(slot.x, across, places.x) : slot.x;
  const node = moved(editor, k, x, up ? by(slot.y, up, places.y) : slot.y);
  const run = `${editor.number} ${k} ${editor.visit}`; // while the handle keeps the focus it is one edit
  if (!editor.runs.has(run)) editor.runs.set(run, editor.node);
  edit(editor, node, describe(editor.runs.get(run), node, k), { run });
}

function field(name, value = "") {
  return make("input", { type: "text", inputMode: "decimal", value, "aria-label": name });
}

// The number that a field says; an error that names what it says if that is none.
function numberIn(input, otherwise) {
  if (input.value.trim() === "" && otherwise !== undefined) return otherwise;
  const value = parsed(input.value);
  if (!Number.isFinite(value)) throw new RangeError(`"${input.value}" is no number; write it with a point: 22.75`);
  return value;
}

function tableRow(editor, slot, k) {
  const name = `${editor.title}, ${slot.label ?? `point ${k + 1}`}`;
  const y = field(`${name}, value`, shortest(slot.y));
  const x = slot.x === undefined ? null : field(`${name}, x`, shortest(slot.x));
  const take = () => attempt(editor, () => {
    const node = slot.put(x ? numberIn(x) : undefined, numberIn(y));
    if (JSON.stringify(node) !== JSON.stringify(editor.node)) edit(editor, node, describe(editor.node, node, k));
  });
  for (const input of [x, y]) input?.addEventListener("change", take);
  const remove = slot.drop && make("button", { type: "button", className: "small", "aria-label": `remove ${name}` }, "remove");
  remove?.addEventListener("click", () => attempt(editor, () => edit(editor, slot.drop(), `point at ${shown(slot.x)} removed`)));
  return make("tr", {}, make("td", {}, x ?? slot.label), make("td", {}, y), make("td", {}, remove ?? ""));
}

// The table of numbers, anew; the field that has the focus keeps it.
function fillTable(editor) {
  const fields = all("input", editor.table);
  const place = fields.indexOf(document.activeElement);
  editor.table.tBodies[0].replaceChildren(...slots(editor.node).map((slot, k) => tableRow(editor, slot, k)));
  if (place >= 0) all("input", editor.table)[place]?.focus();
}

// How the handles are used, and how what they give is rounded.
function help(editor) {
  const { node } = editor;
  const places = steps(editor, node.points?.[0][0]);
  const count = (digits) => (digits === 0 ? "whole numbers" : `${digits} ${digits === 1 ? "decimal" : "decimals"}`);
  const across = node.type === "PWLCurve" ? ` and x to ${count(places.x)}` : "";
  const more = node.type === "EnumCurve" ? "" : "; a double click adds one, Delete removes it";
  return `Drag a point in the picture, or move it with the arrow keys (with Shift by ten steps)${more}. Values snap to ${count(places.y)}${across}; the fields take any number.`;
}

// The buttons for whole curves: what each gives, and what it is called in the history.
function tools(editor) {
  const button = (text, work) => {
    const result = make("button", { type: "button" }, text);
    result.addEventListener("click", () => attempt(editor, () => edit(editor, ...work())));
    return result;
  };
  const [at, from, to] = ["x of the new point", "from x", "to x"].map((name) => field(`${editor.title}, ${name}`));
  const ends = () => [numberIn(from, -Infinity), numberIn(to, Infinity)];
  const range = (low, high) => `${low > -Infinity ? ` from ${shown(low)}` : ""}${high < Infinity ? ` to ${shown(high)}` : ""}`;
  const lines = [];
  if (breaks(editor.node).length) {
    const add = button("add", () => [added(editor.node, numberIn(at)), `point at ${shown(numberIn(at))} added`]);
    const cap = button("cap", () => [capped(editor.node, ...ends()), `capped${range(...ends())}`]);
    const flat = button("flatten", () => [flattened(editor.node, ...ends()), `flattened${range(...ends())}`]);
    lines.push(make("p", {}, make("label", {}, "point at x ", at), " ", add));
    lines.push(make("p", {}, make("label", {}, "from ", from), " ", make("label", {}, "to ", to), " ", cap, " ", flat));
    const ways = ["increasing", "decreasing"].map((way) => button(`make ${way}`, () => [monotone(editor.node, way), `made ${way}`]));
    lines.push(make("p", {}, ways[0], " ", ways[1]));
  }
  return editor.node.type === "Line" ? lines : [make("p", {}, help(editor)), ...lines];
}

function makeEditor(details, figure) {
  const { svg, panel } = figure;
  const title = details.closest("figure").querySelector("h3").textContent;
  const editor = { figure, title, number: svg.dataset.panel, node: nodeOf(panel), visit: 0, runs: new Map() };
  editor.code = details.closest("figure").querySelector("figcaption code");
  editor.status = make("p", { className: "refused", role: "status" });
  const first = { EnumCurve: "level", StepCurve: "from x", Line: "number" }[editor.node.type] ?? "x";
  const unseen = make("span", { className: "unseen" }, "remove");
  const head = [first, "value", unseen].map((text) => make("th", { scope: "col" }, text));
  editor.table = make("table", {}, make("thead", {}, make("tr", {}, ...head)), make("tbody"));
  details.append(editor.status, ...tools(editor), make("div", { className: "points" }, editor.table));
  editors.set(panel, editor);
  svg.addEventListener("pointerdown", (event) => {
    if (!figure.editing || !event.target.matches(".knot")) return;
    event.preventDefault();
    event.target.focus();
    drag(editor, event);
  });
  svg.addEventListener("keydown", (event) => { if (figure.editing && event.target.matches(".knot")) press(editor, event); });
  svg.addEventListener("focusin", () => { editor.visit += 1; });
  svg.addEventListener("dblclick", (event) => {
    if (!figure.editing || event.target.matches(".knot") || !breaks(editor.node).length) return;
    const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    const value = valueAt(panel, x);
    attempt(editor, () => edit(editor, added(editor.node, toDecimals(value, steps(editor, value).x)), `point at ${shown(value)} added`));
  });
  return editor;
}

function toggle(details, figure) {
  const editor = editors.get(figure.panel) ?? makeEditor(details, figure);
  figure.editing = details.open;
  figure.svg.setAttribute("role", details.open ? "group" : "img");
  figure.svg.classList.toggle("editing", details.open);
  show(editor, editor.node);
}

function showHistory() {
  const { done, undone } = history();
  byId("edits").hidden = done.length + undone.length === 0;
  byId("undo").disabled = done.length === 0;
  byId("redo").disabled = undone.length === 0;
  const items = [...done.map((words) => make("li", {}, words)), ...undone.reverse().map((words) => make("li", {}, make("s", {}, words)))];
  byId("history").replaceChildren(...items);
}

// The metrics on the page's own rows, before the edits and now.
function showMetrics() {
  const lines = metricsBeside(termsBefore).map(([name, before, now]) => {
    const [then, value] = [before, now].map((number) => (Number.isNaN(number) ? "\u2013" : shown(number)));
    return make("span", {}, `${name} `, make("b", {}, value), ` (before ${then})`);
  });
  byId("metrics").hidden = lines.length === 0;
  byId("metrics").replaceChildren(...lines.flatMap((line, k) => [k ? ", " : "", line]), ` ${sampleText}`);
}

// How many edits there are, and what the row's score was before them.
export function showEdits(row) {
  const { length } = history().done;
  const text = byId("edits-in-sight");
  text.hidden = length === 0;
  byId("metrics").hidden = true;
  if (length === 0) return;
  showMetrics();
  const before = row ? `; raw score before ${shown(groupedSum(termsBefore.map((term) => term(row)), INTERCEPT))}` : "";
  text.querySelector("a").textContent = `${length} ${length === 1 ? "edit" : "edits"}${before}`;
}

function again(step) {
  const address = step();
  if (address) refresh(address);
}

// Connect the editors; `then` is called with the features of the term that an edit has changed.
export function connectEditing(then) {
  changed = then;
  const figureOfPanel = new Map(figures.map((figure) => [figure.svg.dataset.panel, figure]));
  for (const details of all("details.edit")) {
    details.addEventListener("toggle", () => toggle(details, figureOfPanel.get(details.dataset.panel)));
  }
  byId("undo").addEventListener("click", () => again(undo));
  byId("redo").addEventListener("click", () => again(redo));
  byId("save-json").addEventListener("click", () => download(`${fileName(NAME)}.json`, "application/json", modelFile()));
  byId("save-python").addEventListener("click", () => download(`${fileName(NAME)}.py`, "text/x-python", listingText()));
  addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z" || event.target.matches("input, textarea")) return;
    event.preventDefault();
    again(event.shiftKey ? redo : undo);
  });
  addEventListener("beforeunload", (event) => { if (history().done.length) event.preventDefault(); });
}
