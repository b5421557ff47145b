// A list whose rows stay where they are, <tbody data-still>: what news brought is compared with what
// is shown. Cells with data-now change in their place; of the rest a bar tells, <div id="news">, and
// who presses it has the list drawn anew.
import { refresh } from "./actions.js";

const rows = (root) => [...root.querySelectorAll("[data-still] > tr")];
const hasMore = (root) => root.querySelector("[data-still]")?.dataset.more === "true";

export const isStill = () => document.querySelector("[data-still]") !== null;

// Asks for the page as a drawing does, so that it waits for its turn; compare() gets the answer.
export function look() {
  return htmx.ajax("GET", location.pathname + location.search, { target: "#page", swap: "none" });
}

// A cell that would fill or empty itself is left: it may move others; so is one of a column that
// another tab took away. Whether no such cell is there.
function update(row, now) {
  let whole = true;
  row.dataset.state = now.dataset.state;
  for (const cell of row.querySelectorAll("[data-now]")) {
    const fresh = now.querySelector(`[data-now="${cell.dataset.now}"]`);
    if (!fresh || (cell.textContent === "") !== (fresh.textContent === "")) {
      whole = false;
    } else {
      cell.title = fresh.title;
      cell.replaceChildren(...fresh.childNodes);
    }
  }
  return whole;
}

// Ids begin with the time of the submit, and a list with the greatest: what is below its end is unknown.
function difference(shown, now, { more, moreNow }) {
  const before = new Set(shown.map((row) => row.id));
  const after = new Map(now.map((row) => [row.id, row]));
  const end = more ? (shown.at(-1)?.id ?? "") : "";
  const endNow = moreNow && now.length > 0 ? now.at(-1).id : "";
  const came = now.filter((row) => !before.has(row.id) && row.id > end);
  const gone = shown.filter((row) => !after.has(row.id) && row.id > endNow);
  const same = shown.filter((row) => after.has(row.id));
  return { came, gone, same, after, atLeast: moreNow && same.length + gone.length === 0 };
}

function words({ came, gone, atLeast }, whole) {
  const parts = [];
  if (came.length > 0) parts.push(`${atLeast ? "at least " : ""}${came.length} new`);
  if (gone.length > 0) parts.push(`${gone.length} gone`);
  if (parts.length === 0 && !whole) parts.push("changed");
  const text = parts.join(", ");
  return text && `${text[0].toUpperCase()}${text.slice(1)}, show`;
}

function tell(text) {
  const place = document.getElementById("news");
  const button = place.querySelector("button");
  if (!text) {
    button?.remove();
  } else if (!button) {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: text });
    place.append(made);
  } else if (button.textContent !== text) {
    button.textContent = text;
  }
}

function compare({ detail }) {
  if (detail.target?.id !== "page" || detail.swapOverride !== "none") return;
  const { xhr, shouldSwap } = detail;
  detail.shouldSwap = false;
  if (!shouldSwap || !isStill()) return;
  // Another page came, such as the sign-in.
  if (new URL(xhr.responseURL, location).pathname !== location.pathname) {
    refresh();
    return;
  }
  const fresh = new DOMParser().parseFromString(xhr.responseText, "text/html");
  const found = difference(rows(document), rows(fresh), { more: hasMore(document), moreNow: hasMore(fresh) });
  // A banner that came or went would move every row.
  const hasBanner = (root) => root.querySelector(".start-paused") !== null;
  const updated = found.same.map((row) => update(row, found.after.get(row.id)));
  const whole = updated.every(Boolean) && hasBanner(document) === hasBanner(fresh);
  for (const row of rows(document)) row.classList.toggle("gone", found.gone.includes(row));
  tell(words(found, whole));
  htmx.trigger(document.querySelector("[data-still]"), "htmx:afterSettle");
}

// The focus goes to the list, as the button goes away, and so does a reader who was further down.
function show() {
  const list = document.querySelector("[data-still]").closest(".scroll");
  if (list.getBoundingClientRect().top < 0) list.scrollIntoView({ block: "start" });
  list.focus({ preventScroll: true });
  refresh();
}

export function startStill() {
  document.body.addEventListener("htmx:beforeSwap", compare);
  document.addEventListener("click", (event) => {
    if (event.target.closest("#news button")) show();
  });
}
