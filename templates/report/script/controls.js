// The controls of the what-if: a slider with a field for the exact number, or a choice of levels.
import { INPUTS } from "./model.js";
import { byId } from "./dom.js";
import { parsed } from "./numbers.js";
import { sliderPosition, sliderValue } from "./sliders.js";
import { unread, values } from "./state.js";

// A level that the model does not list, of the type that it expects.
function unseenLevel(input) {
  if (input.type === "str") return "\uffff" + "x".repeat(1 + Math.max(...input.levels.map((level) => level.length)));
  let level = 0;
  while (input.levels.includes(level)) level += 1;
  return level;
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

// Connect a number's controls; gives the function that sets them to a value.
function connectNumber(box, input, k, changed) {
  const [slider, exact, missing, hint] = [".slider", ".exact", "[type=checkbox]", ".hint"].map((s) => box.querySelector(s));
  const parts = { slider, exact, missing, hint };
  let before = String(input.start); // what the text was before it gave way to "missing"
  const set = (value) => {
    exact.value = Number.isNaN(value) ? "" : String(value);
    setNumber(k, value, parts);
  };
  slider.max = String(input.steps);
  slider.addEventListener("input", () => {
    const value = sliderValue(input, Number(slider.value));
    const position = slider.value;
    set(value);
    slider.value = position;
    changed(input);
  });
  exact.addEventListener("input", () => {
    const value = parsed(exact.value);
    if (Number.isNaN(value)) {
      unread.add(k);
      exact.setAttribute("aria-invalid", "true");
      hint.textContent = remark(input, value, exact.value);
    } else setNumber(k, value, parts);
    changed(input);
  });
  missing.addEventListener("change", () => {
    if (missing.checked) {
      before = exact.value;
      set(NaN);
    } else {
      exact.value = Number.isNaN(parsed(before)) ? String(input.start) : before;
      setNumber(k, parsed(exact.value), parts);
    }
    changed(input);
  });
  return set;
}

function connectChoice(box, input, k, changed) {
  const select = box.querySelector("select");
  const take = () => {
    if (select.value === "missing") values[k] = null;
    else values[k] = select.value === "unseen" ? unseenLevel(input) : input.levels[Number(select.value)];
  };
  select.addEventListener("change", () => { take(); changed(input); });
  return (value) => {
    if (value === null) select.value = "missing";
    else select.value = input.levels.includes(value) ? String(input.levels.indexOf(value)) : "unseen";
    take();
  };
}

// Connect all controls to `changed`, a function of the input that moved; gives the function that sets them to a row: an
// object with a property a feature.
export function connectControls(changed) {
  const setters = INPUTS.map((input, k) => {
    const box = byId(`input-${k}`).closest(".input");
    return (input.type === "number" ? connectNumber : connectChoice)(box, input, k, changed);
  });
  return (row) => INPUTS.forEach((input, k) => setters[k](row[input.feature]));
}

// Where the controls start: the middle of the data, or of the points.
export function startRow() {
  const row = Object.create(null);
  for (const input of INPUTS) row[input.feature] = input.type === "number" ? input.start : input.levels[input.start];
  return row;
}
