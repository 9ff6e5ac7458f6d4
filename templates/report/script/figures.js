// The figures: the point of the what-if on each of them, and their scales.
import { COMMON, FRAME, PANELS, TRANSFORMS } from "./model.js";
import { all } from "./dom.js";

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

const figures = all("svg.panel[data-panel]").map((svg) => ({
  svg,
  panel: PANELS[Number(svg.dataset.panel)],
  now: svg.querySelector(".now"),
  heights: all(".knot", svg).map((knot) => [knot, Number(knot.getAttribute("cy"))]),
  common: false,
}));

function heightOf({ panel, common }, y) {
  const { top, bottom } = FRAME;
  const own = bottom - ((bottom - top) * (y - panel.low)) / (panel.high - panel.low);
  const [factor, offset] = common ? toCommon(panel, COMMON, FRAME) : [1, 0];
  return factor * own + offset;
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

function commonTicks() {
  const group = document.createElementNS(SVG, "g");
  group.setAttribute("class", "ticks common");
  for (const [y, label] of COMMON.ticks) {
    const text = document.createElementNS(SVG, "text");
    text.setAttribute("x", FRAME.left - 5);
    text.setAttribute("y", y + 3.5);
    text.setAttribute("text-anchor", "end");
    text.textContent = label;
    group.append(text);
  }
  return group;
}

function setScale(figure, common) {
  const [factor, offset] = common ? toCommon(figure.panel, COMMON, FRAME) : [1, 0];
  const { svg } = figure;
  figure.common = common;
  svg.classList.toggle("on-common", common);
  if (common && !svg.querySelector(".common")) svg.append(commonTicks());
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
    if (figure.panel.whole && COMMON) setScale(figure, common);
  }
  movePoints(current);
}
