// Rows that were chosen for an action: they stay chosen when the page is drawn anew, and so do those
// that have left it meanwhile. Shift takes all rows between two.
import { toast } from "./actions.js";

const chosen = new Set();
let last = null;

const boxes = () => [...document.querySelectorAll("input[data-pick]")];

function tell() {
  const form = document.getElementById("picked");
  if (!form) return;
  const all = boxes();
  for (const box of all) box.checked = chosen.has(box.value);
  const here = all.filter((box) => box.checked).length;
  const whole = document.getElementById("pick-all");
  if (whole) {
    whole.hidden = all.length === 0;
    whole.checked = here > 0 && here === all.length;
    whole.indeterminate = here > 0 && here < all.length;
  }
  const gone = chosen.size - here;
  const button = form.querySelector("button");
  button.disabled = chosen.size === 0;
  button.textContent =
    chosen.size === 0 ? "Act on selected jobs…" : `Act on ${chosen.size} selected${gone ? `, ${gone} of them not shown` : ""}…`;
}

function set(box, on) {
  if (on) chosen.add(box.value);
  else chosen.delete(box.value);
}

function click(event) {
  const box = event.target;
  if (box.id === "pick-all") {
    for (const one of boxes()) set(one, box.checked);
  } else if (box.matches("input[data-pick]")) {
    const all = boxes();
    const [from, to] = [all.findIndex((one) => one.value === last), all.indexOf(box)].sort((a, b) => a - b);
    const range = event.shiftKey && from >= 0 ? all.slice(from, to + 1) : [box];
    for (const one of range) set(one, box.checked);
    last = box.value;
  } else {
    return;
  }
  tell();
}

// Those that have left the page go along.
function send(event) {
  const shown = new Set(boxes().map((box) => box.value));
  for (const old of event.target.querySelectorAll("[data-gone]")) old.remove();
  for (const id of chosen) {
    if (shown.has(id)) continue;
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name: "ids", value: id });
    field.dataset.gone = "";
    event.target.append(field);
  }
}

// What retry is for a dead letter.
const verbFor = (verb, states) =>
  verb === "retry" && states.length > 0 && states.every((state) => state === "dead_letter") ? "redrive" : verb;

// Leads to the page of an operation on the chosen rows, or on this one; false where nobody may act.
export function act(verb, row) {
  const form = document.getElementById("picked");
  if (!form) return false;
  const box = row?.querySelector("input[data-pick]");
  if (chosen.size === 0 && !box) {
    toast("Go to a row with j, or select rows with x, and press the key again.");
    return true;
  }
  const rows = chosen.size === 0 ? [row] : boxes().filter((one) => one.checked).map((one) => one.closest("tr"));
  const fields = [["action", verbFor(verb, rows.map((one) => one.dataset.state))]];
  if (chosen.size === 0) fields.push(["ids", box.value]);
  const made = fields.map(([name, value]) => Object.assign(document.createElement("input"), { type: "hidden", name, value }));
  form.append(...made);
  form.requestSubmit();
  for (const field of made) field.remove();
  return true;
}

export function startChoosing() {
  if (!document.getElementById("page")) return;
  document.addEventListener("click", click);
  document.addEventListener("submit", (event) => {
    if (event.target.id === "picked") send(event);
  });
  document.body.addEventListener("htmx:afterSettle", tell);
  // A browser that goes back shows boxes as they were left.
  window.addEventListener("pageshow", () => {
    for (const box of boxes()) if (box.checked) set(box, true);
    tell();
  });
  tell();
}
