// Figures as files of their own: SVG, and pictures of three pixels a unit.
import { all, download, fileName } from "./dom.js";

const PIXELS = 3;

// The figure as an element that stands alone: its colours are attributes already; what only the page's style hides or
// says goes along.
function standalone(svg) {
  const copy = svg.cloneNode(true);
  copy.querySelector(svg.classList.contains("on-common") ? ".own" : ".common")?.remove();
  for (const path of all(".scaled path", copy)) path.setAttribute("vector-effect", "non-scaling-stroke");
  for (const ticks of all(".common", copy)) ticks.setAttribute("fill", "#444");
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return copy;
}

// The shape of an element as a path in its own units; null for what has none.
function shapeOf(element) {
  const number = (name) => Number(element.getAttribute(name));
  const path = new Path2D(element.localName === "path" ? element.getAttribute("d") : "");
  if (element.localName === "rect") path.rect(...["x", "y", "width", "height"].map(number));
  else if (element.localName === "circle") path.arc(number("cx"), number("cy"), number("r"), 0, 2 * Math.PI);
  else if (element.localName !== "path") return null;
  return path;
}

function paintText(pen, element, style, matrix) {
  pen.setTransform(matrix);
  pen.font = `${style.fontSize} ${style.fontFamily}`;
  pen.textAlign = { start: "left", middle: "center", end: "right" }[style.textAnchor];
  pen.textBaseline = style.dominantBaseline === "middle" ? "middle" : "alphabetic";
  pen.fillStyle = style.fill;
  pen.fillText(element.textContent, ...["x", "y"].map((name) => Number(element.getAttribute(name))));
}

// Lines keep their width whatever stretches the shape.
function paintShape(pen, shape, style, matrix) {
  const placed = new Path2D();
  placed.addPath(shape, matrix);
  pen.setTransform(1, 0, 0, 1, 0, 0);
  if (style.fill !== "none") {
    pen.globalAlpha = Number(style.fillOpacity);
    pen.fillStyle = style.fill;
    pen.fill(placed);
  }
  if (style.stroke !== "none") {
    pen.globalAlpha = Number(style.strokeOpacity);
    pen.strokeStyle = style.stroke;
    pen.lineWidth = parseFloat(style.strokeWidth) * PIXELS;
    pen.lineCap = style.strokeLinecap;
    pen.setLineDash(style.strokeDasharray === "none" ? [] : style.strokeDasharray.split(",").map((part) => parseFloat(part) * PIXELS));
    pen.stroke(placed);
  }
  pen.globalAlpha = 1;
}

// The figure on a canvas, in the colours of the SVG file. The page's policy lets no image in, so it is painted here,
// from the styles that the figure has where the page's own style does not reach.
function painted(svg) {
  const host = document.createElement("div");
  const copy = standalone(svg);
  host.attachShadow({ mode: "open" }).append(copy);
  document.body.append(host);
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = ["width", "height"].map((name) => PIXELS * svg.viewBox.baseVal[name]);
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  const origin = copy.getScreenCTM().inverse();
  for (const element of all("path, rect, circle, text", copy)) {
    const style = getComputedStyle(element);
    if (style.visibility === "hidden") continue;
    const matrix = new DOMMatrix([PIXELS, 0, 0, PIXELS, 0, 0]).multiply(origin.multiply(element.getScreenCTM()));
    const shape = shapeOf(element);
    if (shape) paintShape(pen, shape, style, matrix);
    else paintText(pen, element, style, matrix);
  }
  host.remove();
  return canvas;
}

export function connectExport() {
  document.addEventListener("click", ({ target }) => {
    if (!target.matches("button.as-svg, button.as-png")) return;
    const figure = target.closest("figure");
    const svg = figure.querySelector("svg");
    const name = fileName(figure.querySelector("h3").textContent);
    if (target.matches(".as-png")) painted(svg).toBlob((picture) => download(`${name}.png`, "image/png", picture));
    else download(`${name}.svg`, "image/svg+xml", new XMLSerializer().serializeToString(standalone(svg)));
  });
}
