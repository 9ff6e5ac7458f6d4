// The page's elements.
export const all = (selector, root = document) => [...root.querySelectorAll(selector)];
export const byId = (id) => document.getElementById(id);

// A new element with its properties and attributes (names with a dash), and what is inside it.
export function make(name, settings = {}, ...inside) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(settings)) {
    if (key.includes("-")) element.setAttribute(key, value);
    else element[key] = value;
  }
  element.append(...inside);
  return element;
}

// A file's name made of a title.
export const fileName = (title) => title.replace(/[^\p{L}\p{N}]+/gu, "_");

// Hand a text to the reader as a file.
export function download(name, type, content) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([content], { type }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
