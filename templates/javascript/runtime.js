// A value of a row is a number (bigint and boolean count as numbers) for a numeric feature, and a number, string or
// boolean for a category. null, undefined and NaN are missing. All arithmetic is in doubles, in the order written.
const GROUP = 25;
const EXP_BOUND = 700;
const EXACT = 2 ** 53;

// Kahan's log(1 + x): as accurate as Math.log, and 0 at 0.
function log1p(x) {
  const total = 1 + x;
  return total === 1 ? x : Math.log(total) * (x / (total - 1));
}

const TRANSFORMS = {
  identity: (x) => x,
  log: Math.log,
  log1p,
  symlog1p: (x) => (x < 0 ? -log1p(-x) : log1p(x)),
};

// The next double towards zero; x is finite and not zero.
function towardsZero(x) {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, x);
  view.setBigUint64(0, view.getBigUint64(0) - 1n);
  return view.getFloat64(0);
}

// The slope between two points, moved towards zero until it does not overshoot.
function segmentSlope(u0, y0, u1, y1) {
  const du = u1 - u0;
  const dy = y1 - y0;
  let slope = dy / du;
  if (!(du > 0 && Number.isFinite(slope))) {
    throw new RangeError(`no finite slope joins u = ${u0} and u = ${u1}; move the points further apart`);
  }
  while (dy > 0 ? y0 + slope * du > y1 : y0 + slope * du < y1) slope = towardsZero(slope);
  return slope;
}

// Groups of 25 left to right, the first one starting at `start` if given; then the groups.
function groupedSum(values, start) {
  let total = start; // what is left where there are no values
  for (let first = 0; first < values.length; first += GROUP) {
    let group = first === 0 && start !== undefined ? start + values[0] : values[first];
    const end = Math.min(first + GROUP, values.length);
    for (let k = first + 1; k < end; k += 1) group += values[k];
    total = first === 0 ? group : total + group;
  }
  return total;
}

function read(row, feature) {
  if (!Object.hasOwn(row, feature)) throw new TypeError(`the row has no feature ${JSON.stringify(feature)}`);
  return row[feature];
}

function refuse(feature, value, wanted) {
  const shown = typeof value === "string" ? JSON.stringify(value) : String(value);
  throw new TypeError(`feature ${JSON.stringify(feature)} is ${shown}, a ${typeof value}; it must be ${wanted}`);
}

function exact(feature, value) {
  if (value > EXACT || value < -EXACT) refuse(feature, value, "within 2^53, where doubles hold every integer");
  return Number(value);
}

function numeric(feature) {
  return (row) => {
    const value = read(row, feature);
    if (typeof value === "number") return value;
    if (value === null || value === undefined) return NaN;
    if (typeof value === "boolean") return Number(value);
    if (typeof value === "bigint") return exact(feature, value);
    return refuse(feature, value, "a number");
  };
}

const KEYS = {
  int(feature, value) {
    if (typeof value === "number") return value;
    if (typeof value === "bigint") return exact(feature, value);
    return refuse(feature, value, "an integer");
  },
  str(feature, value) {
    return typeof value === "string" ? value : refuse(feature, value, "a string");
  },
  bool(feature, value) {
    if (typeof value === "boolean") return value;
    return value === 0 || value === 1 ? value === 1 : refuse(feature, value, "true or false");
  },
};

const quantity = (input) => (typeof input === "string" ? numeric(input) : input);

// A coefficient times a feature.
function line(feature, coefficient, { missing = NaN } = {}) {
  const source = numeric(feature);
  return (row) => {
    const value = source(row);
    return Number.isNaN(value) ? missing : coefficient * value;
  };
}

// Linear in fx(x) between its points, constant outside them; a special code has a value of its own.
function pwlCurve(input, points, { fx = "identity", missing = NaN, special = [] } = {}) {
  const codes = new Map(special);
  const source = quantity(input);
  const forward = TRANSFORMS[fx];
  const x = points.map((point) => point[0]);
  const y = points.map((point) => point[1]);
  const u = x.map(forward);
  const last = x.length - 1;
  const slope = x.slice(1).map((_, k) => segmentSlope(u[k], y[k], u[k + 1], y[k + 1]));
  return (row) => {
    const value = source(row);
    if (Number.isNaN(value)) return missing;
    if (codes.has(value)) return codes.get(value);
    if (value <= x[0]) return y[0];
    if (value >= x[last]) return y[last];
    const k = upperBound(x, value) - 1;
    return y[k] + slope[k] * (forward(value) - u[k]);
  };
}

// Constant between its cuts; x == cut belongs to the right; a special code has a value of its own.
function stepCurve(input, cuts, values, { missing = NaN, special = [] } = {}) {
  const codes = new Map(special);
  const source = quantity(input);
  return (row) => {
    const value = source(row);
    if (Number.isNaN(value)) return missing;
    return codes.has(value) ? codes.get(value) : values[upperBound(cuts, value)];
  };
}

// How many entries of a sorted array are <= value.
function upperBound(sorted, value) {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle] <= value) low = middle + 1;
    else high = middle;
  }
  return low;
}

// A table from categories to values.
function enumCurve(feature, type, levels, { fallback = NaN, missing = NaN } = {}) {
  const table = new Map(levels);
  const key = KEYS[type];
  return (row) => {
    const value = read(row, feature);
    if (value === null || value === undefined || Number.isNaN(value)) return missing;
    const found = table.get(key(feature, value));
    return found === undefined ? fallback : found;
  };
}

function sum(...terms) {
  return (row) => groupedSum(terms.map((term) => term(row)));
}

function product(...factors) {
  return (row) => {
    let result = factors[0](row);
    for (let k = 1; k < factors.length; k += 1) result *= factors[k](row);
    return result;
  };
}

const INVERSE_LINKS = {
  identity: (score) => score,
  logit(score) {
    const e = Math.exp(-Math.min(Math.abs(score), EXP_BOUND));
    return score >= 0 ? 1 / (1 + e) : e / (1 + e);
  },
  log: (score) => Math.exp(Math.min(Math.max(score, -EXP_BOUND), EXP_BOUND)),
};
