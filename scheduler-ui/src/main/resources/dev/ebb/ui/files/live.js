// News: one stream per tab, which has the page drawn anew when something that it shows has changed.
// <main data-live="?queue=payments"> says what it shows; without it nothing is asked for.
import { refresh } from "./actions.js";

const AT_MOST_EVERY = 2_000;
const POLL = 5_000;
const prefix = () => document.querySelector('meta[name="ebb-prefix"]')?.content ?? "";

const OFF = "ebb.live";

let shown;
let stream = null;
let due = null;
let last = 0;
let failures = 0;
let poll = null;

function show(text, kind = "") {
  const sign = document.getElementById("live");
  sign.hidden = false;
  sign.className = `live ${kind}`;
  sign.textContent = text;
}

async function draw() {
  due = null;
  last = Date.now();
  if (document.hidden) return;
  if (document.querySelector("dialog[open]")) {
    news();
    return;
  }
  try {
    await refresh();
  } catch {
    // The next news draws it.
  }
}

function news() {
  due ??= setTimeout(draw, Math.max(100, last + AT_MOST_EVERY - Date.now()));
}

function stop() {
  stream?.close();
  stream = null;
  clearInterval(poll);
  poll = null;
}

// Off for as long as the tab is there, and on every page of it.
function isOff() {
  try {
    return sessionStorage.getItem(OFF) === "off";
  } catch {
    return false;
  }
}

function listen(filter) {
  if (stream || document.hidden || isOff()) return;
  stream = new EventSource(prefix() + "/v1/events" + filter);
  stream.addEventListener("ready", () => {
    if (failures > 0) news();
    failures = 0;
    clearInterval(poll);
    poll = null;
    show("live");
  });
  for (const kind of ["job", "jobs", "change", "reset"]) stream.addEventListener(kind, news);
  stream.addEventListener("lag", (event) => show(`live, ${JSON.parse(event.data).age} behind`, "late"));
  stream.onerror = () => {
    failures++;
    show("connection lost, trying again", "lost");
    if (failures >= 2) poll ??= setInterval(news, POLL);
    if (stream?.readyState === EventSource.CLOSED) {
      stop();
      setTimeout(() => listen(filter), POLL);
    }
  };
}

export function toggleLive() {
  if (shown === undefined) return;
  try {
    sessionStorage.setItem(OFF, isOff() ? "on" : "off");
  } catch {
    return;
  }
  begin();
  if (!isOff()) news();
}

function begin() {
  if (isOff()) {
    stop();
    show("live is off: press .", "off");
  } else {
    listen(shown);
  }
}

export function startLive() {
  const filter = document.querySelector("[data-live]")?.dataset.live;
  if (filter === undefined) return;
  shown = filter;
  begin();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      stop();
    } else {
      begin();
      if (!isOff()) news();
    }
  });
}
