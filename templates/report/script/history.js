// The model as it is edited: what was done and undone, and what the page shows of it.
import { MODEL, PANELS, TERMS } from "./model.js";
import { showTerm } from "./listing.js";
import { build, nodeAt, withNode } from "./nodes.js";
import { fileText } from "./spelling.js";

let model = MODEL.model;
const done = [];
const undone = [];

// The terms as the page came with them.
export const termsBefore = [...TERMS];

export const nodeOf = (panel) => nodeAt(model, panel.address);
export const history = () => ({ done: done.map(({ words }) => words), undone: undone.map(({ words }) => words) });
export const termAt = ([, place]) => model.terms[place];
export const modelFile = () => `${fileText({ ...MODEL, model })}\n`;

// The panels of the term that an address leads into.
export const panelsAt = ([, place]) => PANELS.filter(({ address }) => address?.[1] === place);

// Put a node into the model: the score, the figures' functions and the listing follow. No edit yet, as while dragging.
export function preview(address, node) {
  model = withNode(model, address, node);
  const term = model.terms[address[1]];
  TERMS[address[1]] = build(term);
  for (const panel of panelsAt(address)) {
    const own = nodeOf(panel);
    panel.value = build(own);
    if (panel.inner) panel.inner = build(own.input);
  }
  showTerm(address[1], term);
}

// Make an edit: `before` is the node that it started from, `words` what was done. Edits that have the same `run` in a
// row count as one.
export function commit(address, before, node, words, run = null) {
  if (JSON.stringify(before) === JSON.stringify(node)) throw new RangeError("nothing changes");
  const last = done.at(-1);
  if (run !== null && last?.run === run) Object.assign(last, { after: node, words });
  else done.push({ address, before, after: node, words, run });
  undone.length = 0;
  preview(address, node);
}

// Take back the last edit, or make again the last one taken back; gives its address, null if there is none.
function step(from, to, side) {
  const edit = from.pop();
  if (!edit) return null;
  edit.run = null;
  to.push(edit);
  preview(edit.address, edit[side]);
  return edit.address;
}

export const undo = () => step(done, undone, "before");
export const redo = () => step(undone, done, "after");
