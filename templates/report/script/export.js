// Figures as files of their own: SVG, and pictures of three pixels a unit.
import { all, download, fileName, make } from "./dom.js";

const PIXELS = 3;

// The figure as the text of a file: its colours are attributes already; what only the page's style hides or says goes
// along. Lines keep their width whatever stretches their shape, so a larger file says a larger one.
function svgText(svg, scale = 1) {
  const copy = svg.cloneNode(true);
  copy.querySelector(svg.classList.contains("on-common") ? ".own" : ".common")?.remove();
  for (const path of all(".scaled path", copy)) {
    path.setAttribute("vector-effect", "non-scaling-stroke");
    for (const name of ["stroke-width", "stroke-dasharray"]) {
      const scaled = path.getAttribute(name)?.replace(/[\d.]+/g, (number) => scale * number);
      if (scaled) path.setAttribute(name, scaled);
    }
  }
  for (const ticks of all(".common", copy)) ticks.setAttribute("fill", "#444");
  for (const name of ["width", "height"]) copy.setAttribute(name, scale * svg.viewBox.baseVal[name]);
  return new XMLSerializer().serializeToString(copy);
}

// The figure on a canvas: the browser draws the SVG file.
async function painted(svg) {
  const image = make("img", { src: `data:image/svg+xml,${encodeURIComponent(svgText(svg, PIXELS))}` });
  await image.decode();
  const canvas = make("canvas", { width: image.width, height: image.height });
  const pen = canvas.getContext("2d");
  pen.fillStyle = "#fff";
  pen.fillRect(0, 0, canvas.width, canvas.height);
  pen.drawImage(image, 0, 0);
  return canvas;
}

export function connectExport() {
  document.addEventListener("click", async ({ target }) => {
    if (!target.matches("button.as-svg, button.as-png")) return;
    const figure = target.closest("figure");
    const svg = figure.querySelector("svg");
    const name = fileName(figure.querySelector("h3").textContent);
    if (target.matches(".as-png")) (await painted(svg)).toBlob((picture) => download(`${name}.png`, "image/png", picture));
    else download(`${name}.svg`, "image/svg+xml", svgText(svg));
  });
}
