// The page: its controls, figures, tables and forms, connected.
import { all, byId } from "./dom.js";
import { connectCategories } from "./categories.js";
import { connectControls, startRow } from "./controls.js";
import { connectEditing, showEdits } from "./editor.js";
import { connectExport } from "./export.js";
import { movePoints, setScales } from "./figures.js";
import { colourListing } from "./listing.js";
import { connectOrder } from "./order.js";
import { INPUTS } from "./model.js";
import { fromHash, toHash } from "./permalink.js";
import { setReference, showScore, sortAgain, spoken } from "./score.js";
import { connectSignOff } from "./sign_off.js";
import { row, unread } from "./state.js";
import { connectTables } from "./tables.js";
import { connectVersus, showBase } from "./versus.js";

const current = () => (unread.size === 0 ? row() : null);

let pending = 0;
function update(features = null) {
  const now = current();
  showScore(now);
  showBase(now);
  showEdits(now);
  movePoints(now, features);
  // The largest steps come first, and a screen reader hears the result, once the controls rest.
  clearTimeout(pending);
  pending = setTimeout(() => {
    sortAgain(now);
    byId("spoken").textContent = spoken(now);
  }, 600);
}

const setControls = connectControls((input) => update(unread.size ? null : new Set([input.feature])));

function load(row) {
  setControls(row);
  update();
}

const restart = () => load(startRow());

function compare(row) {
  setReference(row);
  update();
}

byId("inputs").addEventListener("reset", (event) => { event.preventDefault(); restart(); });
byId("inputs").addEventListener("submit", (event) => event.preventDefault());
byId("permalink").addEventListener("click", () => {
  if (current()) location.hash = toHash(current(), INPUTS);
});
byId("all-terms").addEventListener("change", () => sortAgain(current()));
restart();
const linked = fromHash(location.hash, INPUTS, startRow());
if (linked) load(linked);

const common = byId("common-scale");
common.addEventListener("change", () => setScales(common.checked, current()));
setScales(common.checked, current());

colourListing();
connectCategories(byId("category-order"), () => movePoints(current()));
connectVersus({ load, compare, start: startRow, now: current });
connectOrder();
connectTables();
connectSignOff();
connectExport();
connectEditing(update);

// What is folded on the screen is on paper too.
addEventListener("beforeprint", () => all("details:not(.edit)").forEach((details) => { details.open = true; }));
