
// The page's own part. Above it: the model, PANELS (its pictures as functions of a row) and INPUTS (its controls).
const STEPS = 1000;
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

function sliderValue(input, position) {
  const [low, high] = [TRANSFORMS[input.fx](input.low), TRANSFORMS[input.fx](input.high)];
  if (position <= 0) return input.low;
  if (position >= STEPS) return input.high;
  const value = INVERSES[input.fx](low + (position / STEPS) * (high - low));
  return input.whole ? Math.round(value) : Number(value.toPrecision(4));
}

function sliderPosition(input, value) {
  const [low, high] = [TRANSFORMS[input.fx](input.low), TRANSFORMS[input.fx](input.high)];
  const inside = Math.min(Math.max(value, input.low), input.high);
  return Math.round((STEPS * (TRANSFORMS[input.fx](inside) - low)) / (high - low));
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
const widest = PANELS.reduce((most, panel) => Math.max(most, Math.abs(panel.low), Math.abs(panel.high)), 0);

function moveBar(bar, value) {
  const share = Number.isFinite(value) ? Math.min(Math.abs(value) / widest, 1) * 50 : 0;
  bar.style.width = `${share}%`;
  bar.style.left = `${value < 0 ? 50 - share : 50}%`;
  bar.className = value < 0 ? "minus" : "";
}

let pending = 0;
function update() {
  const current = row();
  const parts = contributions(current);
  parts.forEach((value, k) => {
    rows[k].cells[1].textContent = shown(value);
    moveBar(rows[k].querySelector(".bar span"), value);
  });
  document.getElementById("score").textContent = shown(score(current));
  const prediction = document.getElementById("prediction");
  if (prediction) prediction.textContent = shown(predict(current));
  PANELS.forEach((panel, k) => movePoint(panel, circles[k], current));
  // A screen reader hears the result once the controls rest, not at every step.
  clearTimeout(pending);
  pending = setTimeout(() => {
    document.getElementById("spoken").textContent = prediction
      ? `prediction ${prediction.textContent}, raw score ${shown(score(current))}`
      : `raw score ${shown(score(current))}`;
  }, 600);
}

function setNumber(k, value, { slider, exact, missing }) {
  values[k] = value;
  const known = !Number.isNaN(value);
  missing.checked = !known;
  slider.disabled = exact.disabled = !known;
  if (known) {
    slider.value = String(sliderPosition(INPUTS[k], value));
    slider.setAttribute("aria-valuetext", String(value));
  }
}

function connectNumber(input, k) {
  const slider = document.querySelector(`.slider[data-input="${k}"]`);
  const exact = document.querySelector(`.exact[data-input="${k}"]`);
  const missing = document.querySelector(`[type="checkbox"][data-input="${k}"]`);
  const parts = { slider, exact, missing };
  const start = () => { exact.value = String(input.start); setNumber(k, input.start, parts); };
  slider.addEventListener("input", () => {
    const value = sliderValue(input, Number(slider.value));
    exact.value = String(value);
    values[k] = value;
    slider.setAttribute("aria-valuetext", String(value));
    update();
  });
  exact.addEventListener("input", () => {
    if (Number.isNaN(exact.valueAsNumber)) return; // half typed
    setNumber(k, exact.valueAsNumber, parts);
    update();
  });
  missing.addEventListener("change", () => {
    if (missing.checked) setNumber(k, NaN, parts);
    else {
      if (Number.isNaN(exact.valueAsNumber)) exact.value = String(input.start);
      setNumber(k, exact.valueAsNumber, parts);
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
