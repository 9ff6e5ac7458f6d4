// Numbers and texts as Python writes them.
import { QUOTED } from "./model.js";

const quotations = new Map(QUOTED);

// A double as Python's repr: the fewest digits that read back as the same, always with a point or an exponent.
export function repr(value) {
  if (value === 0) return "0.0";
  const [mantissa, exponent] = value.toExponential().split("e");
  const power = Number(exponent);
  if (power < -4 || power >= 16) return `${mantissa}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  return Number.isInteger(value) ? `${value}.0` : String(value);
}

// The same, but whole numbers without a point, as a listing has them.
export function shortest(value) {
  return Number.isInteger(value) && Math.abs(value) < 2 ** 53 ? String(value + 0) : repr(value);
}

// A text of the model as a Python string.
export function quoted(text) {
  return quotations.get(text) ?? `"${text}"`;
}

// How many decimals the numbers have at most.
export function decimals(numbers) {
  const places = numbers.map((value) => {
    const [mantissa, exponent] = value.toExponential().split("e");
    return (mantissa.split(".")[1] ?? "").length - Number(exponent);
  });
  return Math.max(0, ...places);
}

// To how many decimals a new value among others is rounded: theirs, or three digits of their range.
export function placesOf(numbers) {
  const span = Math.max(...numbers) - Math.min(...numbers);
  const finer = span > 0 && span < Infinity ? 2 - Number(span.toExponential().split("e")[1]) : 0;
  return Math.max(decimals(numbers), finer);
}

// A value as it stands in a model's file: an item a line, and all numbers doubles but the version and levels.
export function fileText(value, indent = "", key = "") {
  if (typeof value === "number") return key === "curvec" || key === "level" ? String(value) : repr(value);
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent} `;
  const keyOf = (k) => (key === "mapping" ? "pair" : key === "pair" && k === 0 ? "level" : "");
  const items = Array.isArray(value)
    ? value.map((item, k) => fileText(item, inner, keyOf(k)))
    : Object.entries(value).map(([name, item]) => `${JSON.stringify(name)}: ${fileText(item, inner, name)}`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return items.length ? `${open}\n${inner}${items.join(`,\n${inner}`)}\n${indent}${close}` : open + close;
}
