// A slider goes from 0 to input.steps: even steps of the value, or of its transform on a curved axis.
import { TRANSFORMS } from "./model.js";

export const INVERSES = {
  identity: (u) => u,
  log: Math.exp,
  log1p: Math.expm1,
  symlog1p: (u) => Math.sign(u) * Math.expm1(Math.abs(u)),
};

function between(input, position) {
  const [low, high] = [TRANSFORMS[input.fx](input.low), TRANSFORMS[input.fx](input.high)];
  return INVERSES[input.fx](low + (position / input.steps) * (high - low));
}

// The round number at a position: to the last digit in which it differs from the next position.
export function sliderValue(input, position) {
  if (position <= 0) return input.low;
  if (position >= input.steps) return input.high;
  const value = between(input, position);
  if (input.whole) return Math.round(value);
  const step = Math.abs(between(input, position + 1) - value);
  const places = -Math.floor(Math.log10(step));
  if (!(places <= 100)) return value;
  return places > 0 ? Number(value.toFixed(places)) : Math.round(value / 10 ** -places) * 10 ** -places;
}

export function sliderPosition(input, value) {
  const [low, high] = [TRANSFORMS[input.fx](input.low), TRANSFORMS[input.fx](input.high)];
  const inside = Math.min(Math.max(value, input.low), input.high);
  return Math.round((input.steps * (TRANSFORMS[input.fx](inside) - low)) / (high - low));
}
