// The rows of the data that the page carries.

// The example in a place, as a row.
export function exampleAt(examples, place) {
  const result = Object.create(null);
  for (const [feature, column] of Object.entries(examples.columns)) {
    const input = column[place];
    result[feature] = input === null && examples.numbers.includes(feature) ? NaN : input;
  }
  return result;
}

// The example of an id, as a row; null if there is none.
export function exampleRow(examples, id) {
  const place = examples.ids.includes(id) ? examples.ids.indexOf(id) : examples.ids.findIndex((known) => known.trim() === id.trim());
  return place < 0 ? null : exampleAt(examples, place);
}
