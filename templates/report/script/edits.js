// The edits of a curve, under the rules that Python holds it to: each gives another node, or throws an error that says why.
import { build, breaks, ordinates } from "./nodes.js";
import { placesOf, shortest } from "./spelling.js";

const LOWER = { log: 0, log1p: -1 };

// To so many decimals.
export function toDecimals(value, places) {
  return Math.abs(value) < 1e21 && places <= 100 ? Number(value.toFixed(places)) : value;
}

const own = (node) => placesOf(ordinates(node));

function withOrdinates(node, values) {
  const round = values.map((y) => toDecimals(y, own(node)));
  if (node.type === "PWLCurve") return { ...node, points: node.points.map(([x], k) => [x, round[k]]) };
  if (node.type === "StepCurve") return { ...node, values: round };
  return { ...node, mapping: node.mapping.map(([level], k) => [level, round[k]]) };
}

// The node, if it keeps the rules of its kind.
export function checked(node) {
  const x = breaks(node);
  if (node.type === "PWLCurve" && x.length < 2) throw new RangeError("a curve needs two points");
  if (node.type === "StepCurve" && x.length < 1) throw new RangeError("a step curve needs a cut");
  if (![...x, ...ordinates(node)].every(Number.isFinite)) throw new RangeError("every number must be finite");
  for (let k = 1; k < x.length; k += 1) {
    if (!(x[k - 1] < x[k])) {
      throw new RangeError(`${shortest(x[k - 1])} is followed by ${shortest(x[k])}; x must be strictly increasing`);
    }
  }
  if (x.length && x[0] <= (LOWER[node.fx] ?? -Infinity)) {
    throw new RangeError(`x=${shortest(x[0])} is outside the domain of ${node.fx} (x > ${LOWER[node.fx]})`);
  }
  build(node); // refuses two points too close for a slope
  return node;
}

const inward = (node, x) => build({ ...node, input: "x", special: [], missing: null })({ x });
const byX = (a, b) => a[0] - b[0];

// A point, or a cut, at x, where the curve is now.
export function added(node, x) {
  const places = breaks(node);
  if (places.includes(x)) throw new RangeError(`there is one at ${shortest(x)} already`);
  const y = inward(node, x);
  if (node.type === "PWLCurve") {
    return checked({ ...node, points: [...node.points, [x, toDecimals(y, own(node))]].sort(byX) });
  }
  const k = places.filter((cut) => cut < x).length;
  const values = [...node.values.slice(0, k + 1), y, ...node.values.slice(k + 1)];
  return checked({ ...node, cuts: [...places, x].sort((a, b) => a - b), values });
}

// The curve in which inputs beyond two bounds count as the bounds.
export function capped(node, low, high) {
  if (!(low < high)) throw new RangeError(`from ${shortest(low)} to ${shortest(high)}: the first must be less`);
  const x = breaks(node);
  const [first, last] = [x[0], x.at(-1)];
  if (!(low > first) && !(high < last)) {
    throw new RangeError(`nothing changes: the curve goes from ${shortest(first)} to ${shortest(last)} only; give an end inside`);
  }
  return node.type === "PWLCurve" ? cappedPoints(node, low, high) : cappedSteps(node, low, high);
}

function cappedPoints(node, low, high) {
  const x = breaks(node);
  const [first, last] = [x[0], x.at(-1)];
  const within = (value) => Math.min(Math.max(value, low, first), high, last);
  const known = new Map(node.points);
  const ends = [within(first), within(last)];
  let kept = [...new Set([...ends, ...x.filter((value) => low < value && value < high)])].sort((a, b) => a - b);
  let at = kept;
  if (kept.length === 1) [kept, at] = [[first, last], [kept[0], kept[0]]]; // constant, and the missing value stays
  const height = (value) => known.get(value) ?? toDecimals(inward(node, value), own(node));
  return checked({ ...node, points: kept.map((value, k) => [value, height(at[k])]) });
}

function cappedSteps(node, low, high) {
  const inside = node.cuts.filter((cut) => low < cut && cut <= high);
  const cuts = inside.length ? inside : [node.cuts[0]];
  const values = [-Infinity, ...cuts].map((x) => inward(node, Math.min(Math.max(x, low), high)));
  return checked({ ...node, cuts, values });
}

// All points, or steps, within two bounds on one value: their mean.
export function flattened(node, low, high) {
  const x = node.type === "StepCurve" ? node.cuts : breaks(node);
  const start = node.type === "StepCurve" ? [-Infinity, ...x] : x;
  const end = node.type === "StepCurve" ? [...x, Infinity] : x;
  const y = ordinates(node);
  const inside = y.map((_, k) => low <= start[k] && end[k] <= high);
  const taken = y.filter((_, k) => inside[k]);
  if (taken.length < 2) throw new RangeError(`fewer than two of the curve's values lie from ${low} to ${high}`);
  const mean = taken.reduce((sum, value) => sum + value / taken.length, 0);
  return checked(withOrdinates(node, y.map((value, k) => (inside[k] ? mean : value))));
}

// The nearest values that go one way, in least squares: neighbours that do not are pooled into their mean.
export function monotone(node, way) {
  const sign = way === "increasing" ? 1 : -1;
  const blocks = [];
  for (const y of ordinates(node)) {
    blocks.push({ sum: sign * y, count: 1 });
    while (blocks.length > 1 && blocks.at(-2).sum / blocks.at(-2).count > blocks.at(-1).sum / blocks.at(-1).count) {
      const { sum, count } = blocks.pop();
      blocks.at(-1).sum += sum;
      blocks.at(-1).count += count;
    }
  }
  return checked(withOrdinates(node, blocks.flatMap(({ sum, count }) => Array(count).fill((sign * sum) / count))));
}

// The range in which a point may move between its neighbours, a step from each.
export function roomBetween(node, place, step) {
  const x = breaks(node);
  const lowest = LOWER[node.fx] ?? -Infinity;
  return [Math.max(x[place - 1] ?? -Infinity, lowest) + step, (x[place + 1] ?? Infinity) - step];
}
