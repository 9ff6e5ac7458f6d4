// The task's metrics on arrays of rows, as Python has them: weighted, and without regard to the order of equal scores.
const total = (numbers) => numbers.reduce((sum, value) => sum + value, 0);
const mean = (values, w) => total(values.map((value, k) => value * w[k])) / total(w);

// Runs of rows of equal values, the lowest first.
function ties(values) {
  const runs = [];
  for (const k of [...values.keys()].sort((a, b) => values[a] - values[b])) {
    if (runs.length && values[runs.at(-1)[0]] === values[k]) runs.at(-1).push(k);
    else runs.push([k]);
  }
  return runs;
}

function rocAuc(y, score, w) {
  let [up, down, area] = [0, 0, 0];
  for (const run of ties(score)) {
    const [ones, zeros] = [1, 0].map((label) => total(run.filter((k) => y[k] === label).map((k) => w[k])));
    area += ones * (down + zeros / 2);
    up += ones;
    down += zeros;
  }
  return area / (up * down);
}

function logLoss(y, p, w) {
  const within = (value) => Math.min(Math.max(value, Number.EPSILON), 1 - Number.EPSILON);
  return mean(p.map((value, k) => -(y[k] === 1 ? Math.log(within(value)) : Math.log1p(-within(value)))), w);
}

const rmse = (y, predicted, w) => Math.sqrt(mean(predicted.map((value, k) => (value - y[k]) ** 2), w));

function poissonDeviance(y, predicted, w) {
  return 2 * mean(predicted.map((m, k) => (y[k] === 0 ? 0 : y[k] * Math.log(y[k] / m)) - y[k] + m), w);
}

const gammaDeviance = (y, predicted, w) => 2 * mean(predicted.map((m, k) => Math.log(m / y[k]) + y[k] / m - 1), w);

// Of one query; equal scores share the gain of the places that they take.
function ndcgOfQuery(gains, score, places) {
  const discount = (rank) => (rank < places ? 1 / Math.log2(rank + 2) : 0);
  const ideal = total([...gains].sort((a, b) => b - a).map((gain, rank) => gain * discount(rank)));
  let [rank, found] = [0, 0];
  for (const run of ties(score).reverse()) {
    const shared = total(run.map((_, k) => discount(rank + k))) / run.length;
    found += shared * total(run.map((k) => gains[k]));
    rank += run.length;
  }
  return found / ideal;
}

function ndcg(places) {
  return (y, score, w, query) => {
    const queries = new Map();
    query.forEach((id, k) => queries.set(id, [...(queries.get(id) ?? []), k]));
    const judged = [...queries.values()].filter((rows) => rows.some((k) => y[k] > 0));
    const values = judged.map((rows) => ndcgOfQuery(rows.map((k) => 2 ** y[k] - 1), rows.map((k) => score[k]), places));
    return total(values) / values.length;
  };
}

// A metric by its name: (labels, scores, predictions, weights, query ids) -> number, NaN where it is undefined.
export function metricOf(name) {
  const ofScore = (metric) => (y, score, predicted, w, query) => metric(y, score, w, query);
  const ofPrediction = (metric) => (y, score, predicted, w) => metric(y, predicted, w);
  const known = {
    roc_auc: ofScore(rocAuc),
    log_loss: ofPrediction(logLoss),
    rmse: ofPrediction(rmse),
    poisson_deviance: ofPrediction(poissonDeviance),
    gamma_deviance: ofPrediction(gammaDeviance),
  };
  return known[name] ?? ofScore(ndcg(Number(name.split("@")[1])));
}

// Scores that only rounding tells apart made equal.
export function withoutRounding(scores, share) {
  const unit = share * scores.reduce((most, score) => Math.max(most, Math.abs(score)), 0);
  return unit ? scores.map((score) => Math.round(score / unit) * unit) : scores;
}
