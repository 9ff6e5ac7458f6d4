// The values of the what-if in the page's address, so that a link leads to them.
const START = "#values?";

// The part of an address behind the page's: a feature's name and value each, nothing for a missing one.
export function toHash(row, inputs) {
  const texts = new URLSearchParams();
  for (const { feature } of inputs) {
    const value = row[feature];
    texts.append(feature, value === null || Number.isNaN(value) ? "" : JSON.stringify(value));
  }
  return START + texts;
}

function valueOf(text, { type }) {
  if (text === "") return type === "number" ? NaN : null;
  const value = JSON.parse(text);
  const expected = { number: "number", int: "number", str: "string", bool: "boolean" }[type];
  if (typeof value !== expected) throw new TypeError(`${text} is no ${expected}`);
  return value;
}

// The row of such an address; features that it does not name stay as they are in `row`. null if it is no such address.
export function fromHash(hash, inputs, row) {
  if (!hash.startsWith(START)) return null;
  const texts = new URLSearchParams(hash.slice(START.length));
  const result = Object.assign(Object.create(null), row);
  try {
    for (const input of inputs) {
      if (texts.has(input.feature)) result[input.feature] = valueOf(texts.get(input.feature), input);
    }
  } catch {
    return null; // somebody's own address
  }
  return result;
}
