
// The page's own part. Above it: the model, PANELS (its pictures as functions of a row), INPUTS (its controls) and
// WIDEST (the largest contribution of a term).
const INVERSES = {
  identity: (u) => u,
  log: Math.exp,
  log1p: Math.expm1,
  symlog1p: (u) => Math.sign(u) * Math.expm1(Math.abs(u)),
};
const all = (selector, root = document) => [...root.querySelectorAll(selector)];
const values = [];

// Six significant digits, as the page's other numbers.
function shown(value) {
  return Number.isNaN(value) ? "missing" : String(Number(value.toPrecision(6))).replace("-", "\u2212");
}

// The number that a text says; NaN if it says none, a comma for a point for instance.
function parsed(text) {
  const plain = text.trim().replace("\u2212", "-");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}

// A slider goes from 0 to input.steps: even steps of the value, or of its transform on a curved axis.
function between(input, position) {
  const [low, high] = [TRANSFORMS[input.fx](input.low), TRANSFORMS[input.fx](input.high)];
  return INVERSES[input.fx](low + (position / input.steps) * (high - low));
}

// The round number at a position: to the last digit in which it differs from the next position.
function sliderValue(input, position) {
  if (position <= 0) return input.low;
  if (position >= input.steps) return input.high;
  const value = between(input, position);
  if (input.whole) return Math.round(value);
  const step = Math.abs(between(input, position + 1) - value);
  const places = -Math.floor(Math.log10(step));
  if (!(places <= 100)) return value;
  return places > 0 ? Number(value.toFixed(places)) : Math.round(value / 10 ** -places) * 10 ** -places;
}

function sliderPosition(input, value) {
  const [low, high] = [TRANSFORMS[input.fx](input.low), TRANSFORMS[input.fx](input.high)];
  const inside = Math.min(Math.max(value, input.low), input.high);
  return Math.round((input.steps * (TRANSFORMS[input.fx](inside) - low)) / (high - low));
}

// A level that the model does not list, of the type that it expects.
function unseenLevel(input) {
  if (input.type === "str") return "\uffff" + "x".repeat(1 + Math.max(...input.levels.map((level) => level.length)));
  let level = 0;
  while (input.levels.includes(level)) level += 1;
  return level;
}

function row() {
  const result = Object.create(null);
  INPUTS.forEach((input, k) => { result[input.feature] = values[k]; });
  return result;
}

function placeX(panel, x) {
  const { left, right } = panel.frame;
  if (panel.levels) {
    const place = panel.levels.indexOf(x);
    return place < 0 ? NaN : left + ((panel.end - left) * (place + 0.5)) / panel.levels.length;
  }
  const u = x <= 0 && panel.fx === "log" ? -Infinity : TRANSFORMS[panel.fx](x);
  const share = (u - panel.from) / (panel.to - panel.from);
  return left + (right - left) * Math.min(Math.max(share, 0), 1);
}

function movePoint(panel, circle, current) {
  const x = panel.inner ? panel.inner(current) : current[panel.feature];
  const y = panel.value(current);
  const missing = x === null || Number.isNaN(x);
  const { top, bottom, right } = panel.frame;
  const cx = missing ? right - 8 : placeX(panel, x);
  const cy = bottom - ((bottom - top) * (y - panel.low)) / (panel.high - panel.low);
  const visible = Number.isFinite(cx) && Number.isFinite(cy);
  circle.setAttribute("visibility", visible ? "visible" : "hidden");
  if (!visible) return;
  circle.setAttribute("cx", cx.toFixed(2));
  circle.setAttribute("cy", Math.min(Math.max(cy, top), bottom).toFixed(2));
}

const circles = all(".panel .now");
const rows = all("#contributions tbody tr").slice(1);

function moveBar(bar, value) {
  const share = Number.isFinite(value) ? Math.min(Math.abs(value) / WIDEST, 1) * 50 : 0;
  bar.style.width = `${share}%`;
  bar.style.left = `${value < 0 ? 50 - share : 50}%`;
  bar.className = value < 0 ? "minus" : "";
}

const unread = new Set(); // the inputs whose text is no number: without them there is no score

function show(prediction, raw, parts) {
  rows.forEach((line, k) => {
    line.cells[1].textContent = parts ? shown(parts[k]) : "\u2013";
    moveBar(line.querySelector(".bar span"), parts ? parts[k] : 0);
  });
  document.getElementById("score").textContent = raw;
  if (document.getElementById("prediction")) document.getElementById("prediction").textContent = prediction;
}

let pending = 0;
function update() {
  const current = row();
  const known = unread.size === 0;
  if (known) show(shown(predict(current)), shown(score(current)), contributions(current));
  else show("\u2013", "\u2013", null);
  PANELS.forEach((panel, k) => {
    if (known) movePoint(panel, circles[k], current);
    else circles[k].setAttribute("visibility", "hidden");
  });
  // A screen reader hears the result once the controls rest, not at every step.
  clearTimeout(pending);
  pending = setTimeout(() => { document.getElementById("spoken").textContent = spoken(current, known); }, 600);
}

function spoken(current, known) {
  if (!known) return "no score: an input is no number";
  const raw = `raw score ${shown(score(current))}`;
  return document.getElementById("prediction") ? `prediction ${shown(predict(current))}, ${raw}` : raw;
}

// What is to be said of an input: that it is no number, or that no row has it.
function remark(input, value, text) {
  if (Number.isNaN(value)) return text.trim() === "" ? "type a number" : "no number; write it with a point: 22.75";
  const end = (bound) => String(Number(bound.toPrecision(9))).replace("-", "\u2212");
  if (value < input.low) return `below ${input.source}, ${end(input.low)}`;
  return value > input.high ? `above ${input.source}, ${end(input.high)}` : "";
}

function setNumber(k, value, { slider, exact, missing, hint }) {
  const input = INPUTS[k];
  values[k] = value;
  unread.delete(k);
  missing.checked = Number.isNaN(value);
  slider.disabled = exact.disabled = missing.checked;
  exact.placeholder = missing.checked ? "missing" : "";
  hint.textContent = missing.checked ? "" : remark(input, value, "");
  exact.removeAttribute("aria-invalid");
  if (missing.checked) return;
  slider.value = String(sliderPosition(input, value));
  slider.setAttribute("aria-valuetext", String(value));
}

function connectNumber(input, k) {
  const slider = document.querySelector(`.slider[data-input="${k}"]`);
  const exact = document.querySelector(`.exact[data-input="${k}"]`);
  const missing = document.querySelector(`[type="checkbox"][data-input="${k}"]`);
  const hint = document.getElementById(exact.getAttribute("aria-describedby"));
  const parts = { slider, exact, missing, hint };
  let before = String(input.start); // what the text was before it gave way to "missing"
  const start = () => { exact.value = String(input.start); setNumber(k, input.start, parts); };
  slider.max = String(input.steps);
  slider.addEventListener("input", () => {
    const value = sliderValue(input, Number(slider.value));
    const position = slider.value;
    exact.value = String(value);
    setNumber(k, value, parts);
    slider.value = position;
    update();
  });
  exact.addEventListener("input", () => {
    const value = parsed(exact.value);
    if (Number.isNaN(value)) {
      unread.add(k);
      exact.setAttribute("aria-invalid", "true");
      hint.textContent = remark(input, value, exact.value);
    } else setNumber(k, value, parts);
    update();
  });
  missing.addEventListener("change", () => {
    if (missing.checked) {
      before = exact.value;
      exact.value = "";
      setNumber(k, NaN, parts);
    } else {
      exact.value = Number.isNaN(parsed(before)) ? String(input.start) : before;
      setNumber(k, parsed(exact.value), parts);
    }
    update();
  });
  return start;
}

function connectChoice(input, k) {
  const select = document.querySelector(`select[data-input="${k}"]`);
  const take = () => {
    if (select.value === "missing") values[k] = null;
    else values[k] = select.value === "unseen" ? unseenLevel(input) : input.levels[Number(select.value)];
  };
  select.addEventListener("change", () => { take(); update(); });
  return () => { select.value = String(input.start); take(); };
}

const starts = INPUTS.map((input, k) => (input.type === "number" ? connectNumber(input, k) : connectChoice(input, k)));
function restart() {
  starts.forEach((start) => start());
  update();
}
document.getElementById("inputs").addEventListener("reset", (event) => { event.preventDefault(); restart(); });
document.getElementById("inputs").addEventListener("submit", (event) => event.preventDefault());
restart();

function compareKeys(a, b) {
  if (a === "" || b === "") return (a === "") - (b === "");
  const numbers = [Number(a), Number(b)];
  return numbers.some(Number.isNaN) ? a.localeCompare(b) : numbers[0] - numbers[1];
}

for (const table of all("table.sortable")) {
  all("thead th", table).forEach((header, column) => {
    header.querySelector("button").addEventListener("click", () => {
      const down = header.getAttribute("aria-sort") !== "descending";
      all("thead th", table).forEach((other) => other.removeAttribute("aria-sort"));
      header.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (line) => line.cells[column].dataset.key;
      const sorted = [...table.tBodies[0].rows].sort((a, b) => compareKeys(key(a), key(b)) * (down ? -1 : 1));
      table.tBodies[0].append(...sorted);
    });
  });
}

// What is folded on the screen is on paper too.
addEventListener("beforeprint", () => all("details").forEach((details) => { details.open = true; }));
