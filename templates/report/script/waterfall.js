// One score as a sum: from a start, term by term, the largest step first.

// The steps from `start` by the differences of `parts` from `reference` (all 0 without one), in the order given, or by
// size where there is none: each with its term's index, its size and the running sum behind it. Equal sizes, and
// missing ones at the end, stay in the order of the model.
export function waterfall(start, parts, reference = null, order = null) {
  const steps = parts.map((part, term) => ({ term, change: reference ? part - reference[term] : part }));
  const size = ({ change }) => (Number.isNaN(change) ? -1 : Math.abs(change));
  const sorted = order ? order.map((term) => steps[term]) : [...steps].sort((a, b) => size(b) - size(a));
  let running = start;
  for (const step of sorted) {
    step.from = running;
    running += step.change;
    step.to = running;
  }
  return sorted;
}

// The least and the greatest sum on the way.
export function reach(start, steps) {
  const sums = [start, ...steps.map((step) => step.to)].filter(Number.isFinite);
  return [Math.min(...sums), Math.max(...sums)];
}

// The terms that move the score most, at most `count`, in words: "age +0.31, priors -0.2".
export function reasons(steps, names, write, count = 3) {
  return steps
    .filter((step) => step.change !== 0 && Number.isFinite(step.change))
    .slice(0, count)
    .map((step) => `${names[step.term]} ${write(step.change)}`)
    .join(", ");
}
