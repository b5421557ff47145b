// Keys, the same table for the handler and for the help. None works while something is typed, with a
// modifier, or in a dialog; only the palette opens from anywhere, and Ctrl Enter presses data-enter.
import { act } from "./choose.js";
import { toggleLive } from "./live.js";
import { openPalette } from "./palette.js";

const WAIT = 1_500;

// The second key of "g …", by the path of the page; pages that the bar does not show have none.
const PLACES = {
  "": "o", "/jobs": "j", "/queues": "q", "/destinations": "t", "/dead": "d", "/operations": "p", "/lab": "l",
  "/schedules": "s", "/nodes": "n", "/audit": "a", "/database": "b", "/settings": "e",
};

const KEYS = [
  { key: "/", name: "Search", run: () => focusOn(document.querySelector("main input[type=search]") ?? document.querySelector(".search input")) },
  { key: "j", name: "Next row", run: () => step(1) },
  { key: "k", name: "Previous row", run: () => step(-1) },
  { key: "x", name: "Select the row", run: () => row()?.querySelector("input[data-pick]")?.click() },
  { key: "Enter", name: "Open the row" },
  { key: "r", name: "Retry, or redrive: the job, the selected rows, or the row", run: () => ask("retry", "redrive") },
  { key: "c", name: "Cancel: the job, the operation, the selected rows, or the row", run: () => ask("cancel") },
  { key: "Ctrl Enter", name: "Start the operation that is planned" },
  { key: ".", name: "Live updates: on, off", run: toggleLive },
  { key: "t", name: "Theme: system, light, dark", run: () => document.getElementById("theme")?.click() },
  { key: "u", name: "Times: relative, UTC, local", run: () => document.getElementById("times")?.click() },
  { key: "?", name: "This help", run: () => help() },
];

const PALETTE = { key: "Ctrl K", name: "Go to a page, a queue, a schedule, a job or an action" };

let pending = 0;
let dialog = null;

function focusOn(field) {
  field?.focus();
  field?.select?.();
}

export function places() {
  const nav = document.querySelector("nav[data-root]");
  if (!nav) return [];
  return [...nav.querySelectorAll("a")].map((link) => ({
    key: PLACES[link.getAttribute("href").slice(nav.dataset.root.length)],
    name: link.textContent.trim(),
    link,
  }));
}

const row = () => document.activeElement?.closest("tbody tr");

// Rows are those with a link; the first link of a row opens it.
function step(by) {
  const opener = (one) => one.querySelector("td a, th a");
  const rows = [...document.querySelectorAll("main table tbody tr")].filter(
    (one) => opener(one) && one.checkVisibility?.() !== false,
  );
  const at = rows.indexOf(row());
  const next = rows[at < 0 ? (by > 0 ? 0 : rows.length - 1) : at + by];
  if (!next) return;
  opener(next).focus({ focusVisible: true });
  next.scrollIntoView({ block: "nearest" });
}

// Nothing is done yet: a dialog or the page of an operation asks first.
function ask(...verbs) {
  if (act(verbs[0], row())) return;
  verbs.map((verb) => document.querySelector(`main button[data-dialog="${verb}"]`)).find(Boolean)?.click();
}

function line(body, key, name) {
  const cells = body.insertRow();
  const head = cells.insertCell();
  for (const part of key.split(" ")) {
    const cap = document.createElement("kbd");
    cap.textContent = part;
    head.append(cap, " ");
  }
  cells.insertCell().textContent = name;
}

function help() {
  if (!dialog) {
    dialog = document.createElement("dialog");
    dialog.className = "keys";
    dialog.setAttribute("aria-labelledby", "keys-title");
    const title = document.createElement("h2");
    title.id = "keys-title";
    title.textContent = "Keys";
    const table = document.createElement("table");
    const body = table.createTBody();
    line(body, PALETTE.key, PALETTE.name);
    for (const one of KEYS) line(body, one.key, one.name);
    for (const one of places()) if (one.key) line(body, `g ${one.key}`, one.name);
    const close = document.createElement("button");
    close.type = "button";
    close.dataset.close = "";
    close.autofocus = true;
    close.textContent = "Close";
    dialog.append(title, table, close);
    document.body.append(dialog);
  }
  dialog.showModal();
}

const QUIET = ["checkbox", "radio", "button", "submit", "reset"];

// A field of a dialog that has just closed keeps the focus until the next frame; nobody types there.
function isTyping(element) {
  if (!element.checkVisibility()) return false;
  if (element.isContentEditable || element.matches("textarea, select")) return true;
  return element.matches("input") && !QUIET.includes(element.type);
}

// Only from the plan, not from a search, and only what was previewed: a filter may be half typed.
function startPlanned(event) {
  const button = document.querySelector("button[data-enter]");
  const focused = document.activeElement;
  if (!button || (focused !== document.body && !button.form.contains(focused))) return;
  event.preventDefault();
  const filter = document.querySelector("main form.filter input[type=search]");
  if (!filter || filter.value === filter.defaultValue) button.click();
}

function press(event) {
  if (event.defaultPrevented || event.isComposing) return;
  if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && event.key.toLowerCase() === "k") {
    event.preventDefault();
    if (!document.querySelector("dialog[open]")) openPalette(places());
    return;
  }
  if ((event.ctrlKey || event.metaKey) && event.key === "Enter" && !document.querySelector("dialog[open]")) {
    startPlanned(event);
    return;
  }
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat && !"jk".includes(event.key)) return;
  if (isTyping(event.target) || document.querySelector("dialog[open]")) return;
  const going = Date.now() - pending < WAIT;
  pending = 0;
  if (going) {
    const place = places().find((one) => one.key === event.key);
    if (place) {
      event.preventDefault();
      place.link.click();
      return;
    }
  }
  if (event.key === "g") {
    pending = Date.now();
    return;
  }
  const found = KEYS.find((one) => one.key === event.key && one.run);
  if (!found) return;
  event.preventDefault();
  found.run();
}

export function startKeys() {
  document.addEventListener("keydown", press);
  const button = document.getElementById("keys");
  button.hidden = false;
  button.title = "Keys: press ?";
  button.addEventListener("click", help);
}
