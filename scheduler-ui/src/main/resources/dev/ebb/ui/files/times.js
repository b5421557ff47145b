// Times as this browser's user reads them: how long ago, or the exact ones in UTC or the browser's
// zone. Pointing at one shows both exact ones. An element with data-ago may be told by its distance.
const UNITS = [["d", 86400], ["h", 3600], ["min", 60], ["s", 1]];
const EVERY = 10_000;
const KEY = "ebb.times";
const ROUND = ["ago", "utc", "local"];
const NAMES = { ago: "◷ Ago", utc: "◷ UTC", local: "◷ Local" };

let mode = kept();
let onPaper = false;

function kept() {
  try {
    const word = localStorage.getItem(KEY);
    return ROUND.includes(word) ? word : "ago";
  } catch {
    return "ago";
  }
}

function keep() {
  try {
    localStorage.setItem(KEY, mode);
  } catch {
    // It lasts as long as the page.
  }
}

function coarse(seconds) {
  if (seconds < 100) return `${seconds} s`;
  if (seconds < 6000) return `${Math.floor(seconds / 60)} min`;
  const [unit, length] = seconds < 2 * 86400 ? UNITS[1] : UNITS[0];
  return `${Math.floor(seconds / length).toLocaleString("en")} ${unit}`;
}

function relative(at) {
  const seconds = Math.floor(Math.abs(at - Date.now()) / 1000);
  if (seconds === 0) return "now";
  return at < Date.now() ? `${coarse(seconds)} ago` : `in ${coarse(seconds)}`;
}

const two = (number) => String(number).padStart(2, "0");
const utc = (at) => `${at.toISOString().replace("T", " ").slice(0, 19)} UTC`;

// The same form as UTC's, with what the browser's clocks differ by.
function local(at) {
  const ahead = -at.getTimezoneOffset();
  const shifted = new Date(at.getTime() + ahead * 60_000).toISOString().replace("T", " ").slice(0, 19);
  const size = Math.abs(ahead);
  return `${shifted} ${ahead < 0 ? "−" : "+"}${two(Math.floor(size / 60))}:${two(size % 60)}`;
}

function text(time, at) {
  if (mode === "local") return local(at);
  return mode === "ago" && !onPaper && time.dataset.ago !== undefined ? relative(at) : utc(at);
}

function show(root) {
  for (const time of root.querySelectorAll("time[datetime]")) {
    const at = new Date(time.dateTime);
    if (Number.isNaN(at.getTime())) continue;
    time.textContent = text(time, at);
    time.title = `${utc(at)}\n${local(at)}`;
  }
}

function startSwitch() {
  const button = document.getElementById("times");
  const name = () => {
    button.textContent = NAMES[mode];
    button.title = `Times: relative, in UTC, or in ${Intl.DateTimeFormat().resolvedOptions().timeZone}; press for the next`;
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    mode = ROUND[(ROUND.indexOf(mode) + 1) % ROUND.length];
    keep();
    name();
    show(document);
  });
  name();
}

// How long ago it was says nothing on paper.
function print(begins) {
  onPaper = begins;
  show(document);
}

export function startTimes() {
  addEventListener("beforeprint", () => print(true));
  addEventListener("afterprint", () => print(false));
  show(document);
  startSwitch();
  setInterval(() => show(document), EVERY);
  document.body.addEventListener("htmx:afterSettle", () => show(document));
}
