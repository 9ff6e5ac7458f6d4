// The sign-off and the comments on the figures, saved with the page.
import { all, byId, download } from "./dom.js";

// The page as it came, before anything on it moves.
const pristine = document.documentElement.outerHTML;

const FIELDS = "#sign-off [name], textarea.comment";

// The page as it came with the fields filled in: what was typed becomes what the page says.
function filledIn() {
  const page = new DOMParser().parseFromString(`<!doctype html>${pristine}`, "text/html");
  const written = new Map(all(FIELDS).map((field) => [field.name, field.value]));
  for (const field of all(FIELDS, page)) {
    const text = written.get(field.name);
    if (field.localName === "textarea") field.textContent = text;
    else if (field.localName === "input") {
      field.setAttribute("value", text);
      field.classList.toggle("empty", text === "");
    }
    else for (const option of field.options) option.toggleAttribute("selected", option.value === text);
  }
  return `<!doctype html>\n${page.documentElement.outerHTML}\n`;
}

export function connectSignOff() {
  const date = byId("sign-off").querySelector("[type=date]"); // an empty one prints as a line, not as mm/dd/yyyy
  date.addEventListener("input", () => date.classList.toggle("empty", date.value === ""));
  byId("sign-off").addEventListener("submit", (event) => {
    event.preventDefault();
    const name = decodeURIComponent(location.pathname.split("/").at(-1)) || "report.html";
    download(name, "text/html", filledIn());
    byId("saved").textContent = `saved as a new copy of ${name}`;
  });
}
