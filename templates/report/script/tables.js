// Tables that sort, and that leave the page as CSV.
import { all, download } from "./dom.js";

export function compareKeys(a, b) {
  if (a === "" || b === "") return (a === "") - (b === "");
  const numbers = [Number(a), Number(b)];
  return numbers.some(Number.isNaN) ? a.localeCompare(b) : numbers[0] - numbers[1];
}

// One cell of a CSV file (RFC 4180); a real minus sign and a dash for nothing are the page's, not a number's.
export function csvCell(text) {
  const plain = text.trim().replace(/^\u2212(?=[\d.])/, "-").replace(/^\u2013$/, "");
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain;
}

export function csv(rows) {
  return rows.map((cells) => `${cells.map(csvCell).join(",")}\r\n`).join("");
}

// What a cell holds in full, where it shows less.
const content = (cell) => cell.dataset.exact ?? cell.textContent;

function sortBy(table, header, column) {
  const down = header.getAttribute("aria-sort") !== "descending";
  all("thead th", table).forEach((other) => other.removeAttribute("aria-sort"));
  header.setAttribute("aria-sort", down ? "descending" : "ascending");
  const key = ({ cells }) => cells[column].dataset.key ?? cells[column].textContent;
  const sorted = [...table.tBodies[0].rows].sort((a, b) => compareKeys(key(a), key(b)) * (down ? -1 : 1));
  table.tBodies[0].append(...sorted);
}

export function connectTables() {
  for (const table of all("table.sortable")) {
    all("thead th", table).forEach((header, column) => {
      header.querySelector("button").addEventListener("click", () => sortBy(table, header, column));
    });
  }
  for (const button of all("button.csv")) {
    button.addEventListener("click", () => {
      const table = document.getElementById(button.dataset.table);
      const rows = [...table.rows].map((line) => [...line.cells].map(content));
      download(`${button.dataset.table}.csv`, "text/csv", csv(rows));
    });
  }
}
