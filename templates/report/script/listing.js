// Nodes as the emitted Python has them: the same text, laid out as black lays it out.
import { byId, make } from "./dom.js";
import { quoted, shortest } from "./spelling.js";

const WIDTH = 88;
const digits = (value) => shortest(value).replace("e+", "e"); // as black spells it
const list = (items) => ({ open: "[", items, close: "]", atom: true });
const call = (name, items) => ({ open: `${name}(`, items: items.filter(Boolean), close: ")", atom: false });
const pair = ([x, y]) => `(${digits(x)}, ${digits(y)})`;
const inputText = (input) => (typeof input === "string" ? quoted(input) : parts(input));
const keyText = (level) => (typeof level === "string" ? quoted(level) : { true: "True", false: "False" }[level] ?? String(level));

function dict(name, pairs, write) {
  return { open: `${name}{`, items: pairs.map(([level, y]) => `${write(level)}: ${digits(y)}`), close: "}", atom: true };
}

const OWN_PARTS = {
  Line: (node) => [quoted(node.input), digits(node.coefficient)],
  PWLCurve: (node) => [inputText(node.input), list(node.points.map(pair))],
  StepCurve: (node) => [inputText(node.input), list(node.cuts.map(digits)), list(node.values.map(digits))],
  EnumCurve: (node) => [quoted(node.input), dict("", node.mapping, keyText)],
  Sum: (node) => [list(node.terms.map(parts))],
  Product: (node) => [list(node.factors.map(parts))],
};

function parts(node) {
  const named = ["default", "missing"].map((name) => (node[name] ?? null) !== null && `${name}=${digits(node[name])}`);
  const fx = node.fx && node.fx !== "identity" && `fx=${quoted(node.fx)}`;
  const special = node.special?.length && dict("special=", node.special, digits);
  const note = node.note && `note=${quoted(node.note)}`;
  return call(node.type, [...OWN_PARTS[node.type](node), fx, ...named, special, note]);
}

function flat(part) {
  return typeof part === "string" ? part : part.open + part.items.map(flat).join(", ") + part.close;
}

// An expression over as many lines as it needs; `behind` is what follows it on its last line.
function laidOut(part, indent, behind) {
  const text = flat(part);
  if (typeof part === "string" || indent + text.length + behind.length <= WIDTH) return text;
  const { open, items, close, atom } = part;
  const inner = `\n${" ".repeat(indent + 4)}`;
  const together = items.map(flat).join(", ");
  let body = together;
  if (items.length === 1) body = laidOut(items[0], indent + 4, "");
  else if (atom || indent + 4 + together.length > WIDTH) body = items.map((item) => `${laidOut(item, indent + 4, ",")},`).join(inner);
  return `${open}${inner}${body}\n${" ".repeat(indent)}${close}`;
}

// A term as it stands in the listing.
export function termText(node) {
  return laidOut(parts(node), 8, ",");
}

// The same on one line.
export function termLine(node) {
  return flat(parts(node));
}

const TOKENS = /(?<string>"""[^]*?"""|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')|(?<number>\b\d[\d.]*(?:e[+-]?\d+)?)|(?<keyword>\b(?:True|False|None|from|import|def|return)\b)|(?<node>\b(?:PWLCurve|StepCurve|EnumCurve|Line|Sum|Product|CurveModel|Feature)\b)/g;

function highlighted(text) {
  const pieces = [];
  let done = 0;
  for (const found of text.matchAll(TOKENS)) {
    const [kind] = Object.entries(found.groups).find(([, part]) => part !== undefined);
    pieces.push(text.slice(done, found.index), kind === "number" ? make("var", {}, found[0]) : make("span", { className: kind }, found[0]));
    done = found.index + found[0].length;
  }
  return [...pieces, text.slice(done)];
}

// Colour the listing as the page came with it.
export function colourListing() {
  for (const part of [...byId("listing").querySelector("code").childNodes]) {
    if (part.nodeType === Node.TEXT_NODE) part.replaceWith(...highlighted(part.data));
    else part.replaceChildren(...highlighted(part.textContent));
  }
}

// Write a term anew in the page's listing.
export function showTerm(place, node) {
  byId("listing").querySelector(`[data-term="${place}"]`).replaceChildren(...highlighted(termText(node)));
}

// The whole listing, a Python module.
export function listingText() {
  return byId("listing").querySelector("code").textContent;
}
