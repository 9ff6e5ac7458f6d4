// The nodes of the model's file: as functions of a row, and in their places. None is ever changed: an edit makes another.
import { enumCurve, line, product, pwlCurve, stepCurve, sum } from "./model.js";

const levelType = (level) => ({ number: "int", string: "str", boolean: "bool" })[typeof level];
const levelText = (level) => (typeof level === "boolean" ? { true: "True", false: "False" }[level] : String(level) || "\"\"");
const input = (given) => (typeof given === "string" ? given : build(given));
const options = ({ fx, missing, special }) => ({ fx: fx ?? "identity", missing: missing ?? NaN, special: special ?? [] });

const BUILDERS = {
  Line: (node) => line(node.input, node.coefficient, options(node)),
  PWLCurve: (node) => pwlCurve(input(node.input), node.points, options(node)),
  StepCurve: (node) => stepCurve(input(node.input), node.cuts, node.values, options(node)),
  EnumCurve({ input: feature, mapping, default: fallback, missing }) {
    return enumCurve(feature, levelType(mapping[0][0]), mapping, { fallback: fallback ?? NaN, missing: missing ?? NaN });
  },
  Sum: (node) => sum(...node.terms.map(build)),
  Product: (node) => product(...node.factors.map(build)),
};

// A node as a function of a row.
export function build(node) {
  return BUILDERS[node.type](node);
}

// The node that an address leads to: the keys and places on the way.
export function nodeAt(root, address) {
  return address.reduce((node, key) => node[key], root);
}

// The same tree with another node at an address.
export function withNode(root, [key, ...rest], node) {
  if (key === undefined) return node;
  const copy = Array.isArray(root) ? [...root] : { ...root };
  copy[key] = withNode(root[key], rest, node);
  return copy;
}

export const replaced = (list, place, item) => list.map((old, k) => (k === place ? item : old));
export const without = (list, place) => list.filter((_, k) => k !== place);

// What of each kind can be edited: rows of an x or a label, and a value. `put` gives the node with another x and value,
// `drop` the node without the row.
const OWN_SLOTS = {
  Line: (node) => [{ label: "coefficient", y: node.coefficient, put: (_, coefficient) => ({ ...node, coefficient }) }],
  PWLCurve: (node) => node.points.map(([x, y], k) => ({
    x,
    y,
    put: (...point) => ({ ...node, points: replaced(node.points, k, point) }),
    drop: () => ({ ...node, points: without(node.points, k) }),
  })),
  StepCurve: (node) => node.values.map((y, k) => ({
    x: k ? node.cuts[k - 1] : undefined,
    label: k ? undefined : `below ${node.cuts[0]}`,
    y,
    put: (x, value) => ({
      ...node,
      cuts: k ? replaced(node.cuts, k - 1, x) : node.cuts,
      values: replaced(node.values, k, value),
    }),
    drop: k ? () => ({ ...node, cuts: without(node.cuts, k - 1), values: without(node.values, k) }) : undefined,
  })),
  EnumCurve: (node) => node.mapping.map(([level, y], k) => ({
    level,
    label: levelText(level),
    y,
    put: (_, value) => ({ ...node, mapping: replaced(node.mapping, k, [level, value]) }),
  })),
};

export function slots(node) {
  const codes = (node.special ?? []).map(([code, y], k) => ({
    code,
    label: `code ${code}`,
    y,
    put: (_, value) => ({ ...node, special: replaced(node.special, k, [code, value]) }),
  }));
  const declared = [["default", "any other level"], ["missing", "missing"]]
    .filter(([name]) => (node[name] ?? null) !== null)
    .map(([name, label]) => ({ label, y: node[name], put: (_, value) => ({ ...node, [name]: value }) }));
  return [...OWN_SLOTS[node.type](node), ...codes, ...declared];
}

// Where a curve bends or jumps, and its values in order; a table has values only.
export const breaks = (node) => (node.type === "PWLCurve" ? node.points.map(([x]) => x) : node.cuts ?? []);

export function ordinates(node) {
  if (node.type === "PWLCurve") return node.points.map(([, y]) => y);
  return node.values ?? node.mapping?.map(([, y]) => y) ?? [node.coefficient];
}
