// In which order the terms are listed and drawn, and which of them: the table of importance and the figures alike.

// Lines in the order asked for: "model" as the model has them; by name from A to Z; else the largest first, and what has
// no such number last. Equal lines stay in the order of the model.
export function ordered(lines, by) {
  const inModel = (a, b) => a.place - b.place;
  if (by === "model") return [...lines].sort(inModel);
  if (by === "name") return [...lines].sort((a, b) => a.name.localeCompare(b.name) || inModel(a, b));
  const key = (line) => (line[by] === null || line[by] === undefined ? -Infinity : line[by]);
  return [...lines].sort((a, b) => (key(b) === key(a) ? inModel(a, b) : key(b) > key(a) ? 1 : -1));
}

// Whether a name holds every word of the filter, in whatever case.
export function matches(name, filter) {
  const text = name.toLowerCase();
  return filter.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}
