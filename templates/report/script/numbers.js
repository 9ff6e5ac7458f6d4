// Numbers as the page writes and reads them.

// Six significant digits, as the page's other numbers.
export function shown(value) {
  return Number.isNaN(value) ? "missing" : String(Number(value.toPrecision(6))).replace("-", "\u2212");
}

// The same with its sign, for a change.
export function shownChange(value) {
  return value > 0 ? `+${shown(value)}` : shown(value);
}

// The points of a raw score, to one decimal.
export function pointsText({ factor, offset }, raw) {
  return (offset + factor * raw).toFixed(1).replace("-", "\u2212");
}

// The number that a text says; NaN if it says none, a comma for a point for instance.
export function parsed(text) {
  const plain = text.trim().replace("\u2212", "-");
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain) ? Number(plain) : NaN;
}
