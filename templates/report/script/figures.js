// The figures: the point of the what-if on each of them, and their scales.
import { COMMON, FRAME, PANELS, TRANSFORMS } from "./model.js";
import { all } from "./dom.js";
import { slots } from "./nodes.js";
import { INVERSES } from "./sliders.js";

const SVG = "http://www.w3.org/2000/svg";

function placeX(panel, x) {
  const { left, right } = FRAME;
  if (panel.levels) {
    const place = panel.levels.indexOf(x);
    return place < 0 ? NaN : left + ((panel.end - left) * (place + 0.5)) / panel.levels.length;
  }
  if (panel.codes && x in panel.codes) return panel.codes[x];
  const u = x <= 0 && panel.fx === "log" ? -Infinity : TRANSFORMS[panel.fx](x);
  const share = (u - panel.from) / (panel.to - panel.from);
  const place = left + (right - left) * Math.min(Math.max(share, 0), 1);
  return Math.max(place, panel.split ?? left); // left of it are the special codes
}

// How a height on a figure's own scale becomes one on the scale that all figures share: factor and offset.
export function toCommon({ low, high }, common, { top, bottom }) {
  const factor = (high - low) / (common.high - common.low);
  const lowest = bottom - ((low - common.low) / (common.high - common.low)) * (bottom - top);
  return [factor, lowest - factor * bottom];
}

export const figures = all("svg.panel[data-panel]").map((svg) => ({
  svg,
  panel: PANELS[Number(svg.dataset.panel)],
  now: svg.querySelector(".now"),
  heights: all(".knot", svg).map((knot) => [knot, Number(knot.getAttribute("cy"))]),
  common: false, // whether it is drawn on the scale that all figures share
  scale: null, // the scale that it is drawn on, where that is not its own
  values: [], // the values that an edit has added, which must fit on the scale
  editing: false,
}));

// A value's height on a figure's own scale; an SVG path takes no number beyond single precision.
function ownHeight(panel, y) {
  const { top, bottom } = FRAME;
  const height = bottom - ((bottom - top) * (y - panel.low)) / (panel.high - panel.low);
  return Math.min(Math.max(height, -1e30), 1e30);
}

function heightOf({ panel, scale }, y) {
  const [factor, offset] = scale ? toCommon(panel, scale, FRAME) : [1, 0];
  return factor * ownHeight(panel, y) + offset;
}

function movePoint(figure, current) {
  const { panel, now } = figure;
  const x = panel.inner ? panel.inner(current) : current[panel.features[0]];
  const missing = x === null || Number.isNaN(x);
  const { top, bottom, right } = FRAME;
  const cx = missing ? right - 8 : placeX(panel, x);
  const cy = heightOf(figure, panel.value(current));
  const visible = Number.isFinite(cx) && Number.isFinite(cy);
  now.setAttribute("visibility", visible ? "visible" : "hidden");
  if (!visible) return;
  now.setAttribute("cx", cx.toFixed(2));
  now.setAttribute("cy", Math.min(Math.max(cy, top), bottom).toFixed(2));
}

let hidden = true;

// Move the points of the figures of some features (null: of all); without a row there are none.
export function movePoints(current, features = null) {
  for (const figure of figures) {
    if (!current) figure.now.setAttribute("visibility", "hidden");
    else if (hidden || !features || figure.panel.features.some((name) => features.has(name))) movePoint(figure, current);
  }
  hidden = !current;
}

function ticksOf(scale) {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", "ticks common");
  for (const [y, label] of scale.ticks) {
    const text = document.createElementNS(SVG, "text");
    text.setAttribute("x", FRAME.left - 5);
    text.setAttribute("y", y + 3.5);
    text.setAttribute("text-anchor", "end");
    text.textContent = label;
    group.append(text);
  }
  return group;
}

// A scale from low to high with round ticks.
export function roundScale(low, high) {
  const { top, bottom } = FRAME;
  const raw = (high - low) / 5;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = power * [1, 2, 2.5, 5, 10].find((digit) => digit * power >= raw * 0.999);
  const ticks = [];
  for (let k = Math.ceil(low / step); k * step <= high; k += 1) {
    const text = String(Number((k * step).toPrecision(6))).replace("-", "\u2212");
    ticks.push([bottom - ((k * step - low) / (high - low)) * (bottom - top), text]);
  }
  return { low, high, ticks };
}

// The scale on which a figure shows whatever an edit has put on it; null for its own.
function fitting({ panel, common, values, scale }) {
  const asked = common ? COMMON : panel;
  if (values.every((y) => asked.low <= y && y <= asked.high)) return common ? COMMON : null;
  if (scale && values.every((y) => scale.low <= y && y <= scale.high)) return scale;
  const [low, high] = [Math.min(asked.low, ...values), Math.max(asked.high, ...values)];
  return roundScale(low - 0.15 * (high - low), high + 0.15 * (high - low));
}

function setScale(figure, scale) {
  const [factor, offset] = scale ? toCommon(figure.panel, scale, FRAME) : [1, 0];
  const { svg } = figure;
  svg.classList.toggle("on-common", scale !== null);
  if (scale && scale !== figure.ticksOf) {
    svg.querySelector(".common")?.remove();
    svg.append(ticksOf(scale));
    figure.ticksOf = scale;
  }
  figure.scale = scale;
  svg.querySelector(".scaled").setAttribute("transform", `matrix(1 0 0 ${factor} 0 ${offset})`);
  for (const [knot, own] of figure.heights) knot.setAttribute("cy", (factor * own + offset).toFixed(2));
  const missing = svg.querySelector("path.missing");
  if (missing) {
    const own = Number(missing.dataset.y);
    missing.setAttribute("transform", `translate(0 ${factor * own + offset - own})`);
  }
}

// All figures of whole terms on one scale, or each on its own; parts of terms have their own always.
export function setScales(common, current) {
  for (const figure of figures) {
    if (!figure.panel.whole || !COMMON) continue;
    figure.common = common;
    setScale(figure, fitting(figure));
  }
  movePoints(current);
}

// What a place across a figure stands for.
export function valueAt(panel, place) {
  const { left, right } = FRAME;
  return INVERSES[panel.fx](panel.from + ((place - left) / (right - left)) * (panel.to - panel.from));
}

// The value at a height of a figure, as it is drawn now.
export function valueUp({ panel, scale }, height) {
  const { top, bottom } = FRAME;
  const { low, high } = scale ?? panel;
  return low + ((bottom - height) / (bottom - top)) * (high - low);
}

// How far a pixel goes on a figure: in the value, and in the input where there is one.
export function pixel(figure, x) {
  const { svg, panel } = figure;
  const units = svg.viewBox.baseVal.width / (svg.clientWidth || svg.viewBox.baseVal.width);
  const y = valueUp(figure, 0) - valueUp(figure, units);
  if (x === undefined || panel.levels) return { y };
  const place = placeX(panel, x);
  return { y, x: valueAt(panel, place + units / 2) - valueAt(panel, place - units / 2) };
}

// Where the handle of each slot stands across a figure; NaN for one without a place there.
function handlePlaces(panel, node) {
  const { left, right } = FRAME;
  const steps = node.type === "StepCurve" ? [panel.split ?? left, ...node.cuts.map((x) => placeX(panel, x)), right] : [];
  return slots(node).map(({ x, level, code }, k) => {
    if (code !== undefined) return panel.codes[code];
    if (level !== undefined) return placeX(panel, level);
    if (k + 1 < steps.length) return (steps[k] + steps[k + 1]) / 2;
    return x === undefined ? NaN : placeX(panel, x);
  });
}

function curvePath(panel, node) {
  const { left, right } = FRAME;
  const start = panel.split ?? left;
  const up = (y) => ownHeight(panel, y).toFixed(1);
  const across = (x) => placeX(panel, x).toFixed(1);
  if (node.type === "PWLCurve") {
    const points = node.points.map(([x, y]) => `L${across(x)} ${up(y)}`);
    return `M${start} ${up(node.points[0][1])}${points.join("")}L${right} ${up(node.points.at(-1)[1])}`;
  }
  if (node.type === "StepCurve") {
    return `M${start} ${up(node.values[0])}${node.cuts.map((x, k) => `H${across(x)}V${up(node.values[k + 1])}`).join("")}H${right}`;
  }
  if (node.type === "Line") {
    const ends = [left, right].map((place) => `${place} ${up(node.coefficient * valueAt(panel, place))}`);
    return `M${ends.join("L")}`;
  }
  const step = (panel.end - left) / panel.levels.length;
  const drawn = node.mapping.filter(([level]) => panel.levels.includes(level));
  return drawn.map(([level, y]) => `M${(placeX(panel, level) - 0.42 * step).toFixed(1)} ${up(y)}h${(0.84 * step).toFixed(1)}`).join("");
}

function knotsOf({ svg }, count) {
  const knots = all(".knot", svg);
  for (const knot of knots.splice(count)) knot.remove();
  while (knots.length < count) {
    const knot = document.createElementNS(SVG, "circle");
    knot.setAttribute("class", "knot");
    knot.setAttribute("r", 3.2);
    svg.querySelector(".knots").append(knot);
    knots.push(knot);
  }
  return knots;
}

// Draw a figure's curve anew, after an edit; steps and levels have handles only while they are edited.
export function redraw(figure, node) {
  const { svg, panel, editing } = figure;
  const rows = slots(node);
  figure.values = node.type === "Line" ? [FRAME.left, FRAME.right].map((place) => node.coefficient * valueAt(panel, place)) : rows.map(({ y }) => y);
  svg.querySelector(".curve").setAttribute("d", curvePath(panel, node));
  const missing = svg.querySelector("path.missing");
  if (missing && (node.missing ?? null) !== null) {
    const y = ownHeight(panel, node.missing);
    missing.dataset.y = y;
    missing.setAttribute("d", `M${FRAME.right - 8} ${y - 5}l5 5l-5 5l-5 -5z`);
  }
  const places = handlePlaces(panel, node);
  const handles = rows.map((slot, k) => k).filter((k) => {
    return Number.isFinite(places[k]) && (editing || node.type === "PWLCurve" || rows[k].code !== undefined);
  });
  const knots = knotsOf(figure, handles.length);
  handles.forEach((k, place) => {
    knots[place].dataset.slot = k;
    knots[place].setAttribute("cx", places[k].toFixed(2));
  });
  figure.heights = handles.map((k, place) => [knots[place], ownHeight(panel, rows[k].y)]);
  setScale(figure, fitting(figure));
}
