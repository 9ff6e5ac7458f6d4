// The row that the controls stand for.
import { INPUTS } from "./model.js";

export const values = INPUTS.map(() => null);

// The inputs whose text is no number: without them there is no score.
export const unread = new Set();

export function row() {
  const result = Object.create(null);
  INPUTS.forEach((input, k) => { result[input.feature] = values[k]; });
  return result;
}
