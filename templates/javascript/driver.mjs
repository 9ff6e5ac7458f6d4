// Scores the rows of data.json with the emitted module; what the two files hold is said in curvec/emit/target.py.
import { readFileSync, writeFileSync } from "node:fs";
import { contributions, predict, score } from "./model.mjs";

const special = { NaN: NaN, Infinity: Infinity, "-Infinity": -Infinity };
const columns = JSON.parse(readFileSync("data.json", "utf8"));
const rows = columns.length === 0 ? 0 : columns[0].values.length;
const results = [];
for (let k = 0; k < rows; k += 1) {
  const row = Object.create(null);
  for (const { feature, type, values } of columns) {
    const value = values[k];
    row[feature] = type !== "str" && typeof value === "string" ? special[value] : value;
  }
  results.push(...contributions(row), score(row), predict(row));
}
writeFileSync("scores.bin", new Uint8Array(Float64Array.from(results).buffer));
