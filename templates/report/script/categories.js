// The figures of categories with their levels in another order.
import { FRAME } from "./model.js";
import { all } from "./dom.js";
import { figures } from "./figures.js";

const compareLevels = (a, b) => (typeof a === "number" ? a - b : String(a).localeCompare(String(b)));

// The places of the levels in the order asked for; equal ones stay as the model has them.
export function orderOf(levels, by, values, shares) {
  const size = { value: values, share: shares }[by];
  const places = [...levels.keys()];
  if (size) return places.sort((a, b) => size[b] - size[a]);
  return by === "name" ? places.sort((a, b) => compareLevels(levels[a], levels[b])) : places;
}

// Move what is drawn of each level: `shift` gives how far from where it is now.
function move(svg, shift) {
  for (const path of all(".curve, .base, .dots, .band", svg)) {
    path.setAttribute("d", path.getAttribute("d").replace(/M([\d.]+)/g, (_, x) => `M${(Number(x) + shift(Number(x))).toFixed(1)}`));
  }
  for (const [selector, name] of [["rect.share", "x"], [".across text", "x"], [".knot", "cx"]]) {
    for (const element of all(selector, svg)) {
      const x = Number(element.getAttribute(name));
      const moved = (x + shift(x)).toFixed(1);
      element.setAttribute(name, moved);
      const turned = element.getAttribute("transform");
      if (turned) element.setAttribute("transform", turned.replace(/(rotate\(\S+) \S+/, `$1 ${moved}`));
    }
  }
}

function arrangeLevels({ svg, panel }, by) {
  const step = (panel.end - FRAME.left) / panel.levels.length;
  panel.inModel ??= panel.levels;
  const bars = all("rect.share", svg); // in the order of the model, wherever they stand
  const values = panel.inModel.map((level) => panel.value({ [panel.features[0]]: level }));
  const shares = bars.map((bar) => Number(bar.getAttribute("height")));
  const next = orderOf(panel.inModel, by, values.map((value) => (Number.isNaN(value) ? -Infinity : value)), shares);
  const levels = next.map((place) => panel.inModel[place]);
  const target = panel.levels.map((level) => levels.indexOf(level));
  move(svg, (x) => {
    const place = Math.min(Math.max(Math.floor((x - FRAME.left) / step), 0), target.length - 1);
    return (target[place] - place) * step;
  });
  panel.levels = levels;
}

// Connect the choice; `then` is called once the levels stand in their new places.
export function connectCategories(choice, then) {
  choice?.addEventListener("change", () => {
    for (const figure of figures) if (figure.panel.levels) arrangeLevels(figure, choice.value);
    then();
  });
}
