// News: one stream per tab, which has the page drawn anew when something that it shows has changed;
// a list whose rows stay is only compared with what is new.
// <main data-live="?queue=payments"> says what it shows; without it nothing is asked for.
import { refresh } from "./actions.js";
import { isStill, look } from "./still.js";

const AT_MOST_EVERY = 2_000;
const POLL = 5_000;
// Who only passes through a page opens no stream: the server keeps one that was left for a while.
const STAYED = 700;
const LOST = "connection lost, trying again";
const prefix = () => document.querySelector('meta[name="ebb-prefix"]')?.content ?? "";

const OFF = "ebb.live";

let shown;
let stream = null;
let due = null;
let last = 0;
let failures = 0;
let poll = null;
let soon = null;
let pause = AT_MOST_EVERY;

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
    await (isStill() ? look() : refresh());
  } catch {
    // The next news draws it.
  }
  if (document.querySelector("dialog[open]")) news();
}

function news() {
  due ??= setTimeout(draw, Math.max(100, last + pause - Date.now()));
}

// Tabs that lost the server together come back together: each waits for a while of its own.
function newsSoon() {
  due ??= setTimeout(draw, Math.max(100, last + pause - Date.now(), Math.random() * pause));
}

// And does so while the server is away, not at the same ticks.
function startPoll() {
  poll ??= setInterval(news, POLL * (0.8 + 0.4 * Math.random()));
}

function stop() {
  clearTimeout(soon);
  soon = null;
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

function listenIn(length) {
  soon ??= setTimeout(listen, length);
}

function listen() {
  soon = null;
  if (stream || document.hidden || isOff()) return;
  stream = new EventSource(prefix() + "/v1/events" + shown);
  stream.addEventListener("ready", () => {
    // What happened since the page was drawn was told to nobody.
    if (failures > 0) newsSoon();
    else news();
    failures = 0;
    clearInterval(poll);
    poll = null;
    show("live");
  });
  for (const kind of ["job", "jobs", "change", "reset"]) stream.addEventListener(kind, news);
  stream.addEventListener("lag", (event) => show(`live, ${JSON.parse(event.data).age} behind`, "late"));
  stream.onerror = () => {
    failures++;
    if (stream?.readyState === EventSource.CLOSED) {
      refused();
    } else {
      show(LOST, "lost");
    }
    if (failures >= 2) startPoll();
  };
}

// The server has no place for a stream now: the page is asked for instead, until there is one.
function refused() {
  stream.close();
  stream = null;
  showPolling(true);
  startPoll();
  listenIn(POLL * (0.5 + Math.random()));
}

// The server says how long to wait, the longer the more pages are open.
function drawn({ detail }) {
  if (detail.target?.id !== "page") return;
  pause = Number(detail.xhr?.getResponseHeader("Ebb-Pause")) || pause;
  if (poll && !stream) showPolling(detail.successful === true);
}

function showPolling(works) {
  if (works) show(`refreshed every ${Math.round(Math.max(POLL, pause) / 1000)} s`, "late");
  else show(LOST, "lost");
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
    listenIn(STAYED);
  }
}

export function startLive() {
  const filter = document.querySelector("[data-live]")?.dataset.live;
  if (filter === undefined) return;
  shown = filter;
  begin();
  document.body.addEventListener("htmx:afterRequest", drawn);
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => {
    if (event.persisted) begin();
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) {
      stop();
    } else {
      begin();
      if (!isOff()) news();
    }
  });
}
