// Figures as files of their own.
import { all, download, fileName } from "./dom.js";

// The figure as an SVG file: its colours are attributes already; what only the page's style hides or says goes along.
function standalone(svg) {
  const copy = svg.cloneNode(true);
  copy.querySelector(svg.classList.contains("on-common") ? ".own" : ".common")?.remove();
  for (const path of all(".scaled path", copy)) path.setAttribute("vector-effect", "non-scaling-stroke");
  for (const ticks of all(".common", copy)) ticks.setAttribute("fill", "#444");
  const { width, height } = svg.viewBox.baseVal;
  copy.setAttribute("width", width);
  copy.setAttribute("height", height);
  return new XMLSerializer().serializeToString(copy);
}

export function connectExport() {
  document.addEventListener("click", ({ target }) => {
    if (!target.matches("button.as-svg")) return;
    const figure = target.closest("figure");
    const name = fileName(figure.querySelector("h3").textContent);
    download(`${name}.svg`, "image/svg+xml", standalone(figure.querySelector("svg")));
  });
}
