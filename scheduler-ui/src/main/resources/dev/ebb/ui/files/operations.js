// Operations: a form with data-dry-run="#place" asks first what it would do, and tells it there; and
// a page with data-poll="seconds" is drawn anew that often, as long as it says so.
import { ask, bodyOf, refresh, sentence } from "./actions.js";

const SOON = 3600_000;

function element(name, text, className) {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
}

// A sample without any is not none.
const number = (count, exact = true) => (!exact && count === 0 ? "few" : (exact ? "" : "~") + count.toLocaleString("en"));
const jobs = (count, exact) => `${number(count, exact)} ${count === 1 ? "job" : "jobs"}`;
const chosen = (form) => form.querySelector("input[name=action]:checked");

// Fields that the action does not take are neither shown nor sent.
function fit(form) {
  const action = chosen(form).value;
  for (const part of form.querySelectorAll("[data-for]")) {
    const takes = part.dataset.for.split(" ").includes(action);
    part.hidden = !takes;
    for (const field of part.querySelectorAll("input, select")) field.disabled = !takes;
  }
  form.querySelector("#go").className = ["cancel", "discard"].includes(action) ? "danger" : "primary";
}

function table(heads, rows) {
  const made = element("table", undefined, "stacked pairs");
  const head = made.createTHead().insertRow();
  for (const text of heads) head.append(element("th", text));
  const body = made.createTBody();
  for (const cells of rows) {
    const row = body.insertRow();
    cells.forEach((content, at) => {
      const cell = row.insertCell();
      cell.dataset.name = heads[at];
      cell.append(content);
    });
  }
  const scroll = element("div", undefined, "scroll");
  scroll.tabIndex = 0;
  scroll.append(made);
  return scroll;
}

function sampleRow(form, job) {
  const link = element("a", job.uniqueKey ?? `…${job.id.slice(-12)}`, job.uniqueKey ? "key-name" : "id");
  link.href = form.dataset.jobs + job.id;
  link.title = job.id;
  const error = job.lastError ? [job.lastError.reason, job.lastError.message].filter(Boolean).join(": ") : "";
  const text = error.length > 200 ? `${error.slice(0, 200)}…` : error;
  return [
    link,
    job.subject ?? "–",
    element("span", job.phase.replace("_", " "), `state ${job.phase}`),
    job.queue,
    `${job.attempt} of ${job.maxAttempts}`,
    text,
  ];
}

function tell(form, place, found) {
  place.replaceChildren();
  const line = element("p", undefined, "matched");
  const queues = Object.entries(found.byQueue).sort((one, other) => other[1] - one[1]);
  const where = queues.length === 1 ? `, in the queue ${queues[0][0]}` : "";
  const end = ` to ${chosen(form).dataset.name.toLowerCase()}${where}.`;
  line.append(element("strong", jobs(found.matched, found.exact)), end);
  place.append(line);
  if (found.matched === 0) {
    const why = found.exact
      ? "No matching job is in a state that allows this action."
      : "None was found among the newest jobs. Narrow the filter.";
    place.append(element("p", why, "hint"));
  }
  if (queues.length > 1) {
    place.append(table(["Queue", "Jobs"], queues.map(([name, count]) => [name, number(count)])));
  }
  if (found.sample.length > 0) {
    place.append(element("h3", found.sample.length === 1 ? "The newest" : `The newest ${found.sample.length}`));
    place.append(
      table(["Job", "Subject", "State", "Queue", "Attempt", "Last error"], found.sample.map((job) => sampleRow(form, job))),
    );
  }
}

const SECONDS = { s: 1, min: 60, h: 3600 };

// How long so many jobs take at the rate at least.
function takes(form, count) {
  const parts = /^([0-9.]+)\/(s|min|h)$/.exec(form.elements.rate.value.trim());
  const place = form.querySelector("#takes");
  place.textContent = "";
  if (!parts || !count || Number(parts[1]) === 0) return;
  const seconds = Math.ceil((count * SECONDS[parts[2]]) / Number(parts[1]));
  const length = seconds < 100 ? `${seconds} s` : seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
  place.textContent = `That takes at least ${length}.`;
}

function startDryRun(form) {
  const place = document.querySelector(form.dataset.dryRun);
  const button = form.querySelector("#go");
  const all = form.querySelector("#all");
  let asked = 0;
  let matched = 0;

  const askForAll = () => {
    all.hidden = false;
    all.querySelector("input").disabled = false;
  };
  const wait = (text) => {
    matched = 0;
    form.elements.expectedCount.value = "";
    button.disabled = true;
    button.textContent = text;
    takes(form, 0);
  };

  async function look() {
    const mine = ++asked;
    fit(form);
    wait("Loading…");
    let answer;
    try {
      const { expectedCount, reason, ...body } = bodyOf(form);
      answer = await ask("POST", "/v1/operations/preview", { ...body, allowAll: true });
    } catch {
      answer = { ok: false, json: { title: "The server did not answer. Refresh the preview." } };
    }
    if (mine !== asked) return;
    if (!answer.ok) {
      const note = element("p", sentence(answer.json), "refused");
      note.setAttribute("role", "alert");
      place.replaceChildren(note);
      button.textContent = "Cannot start";
      return;
    }
    const found = answer.json;
    tell(form, place, found);
    matched = found.matched;
    form.elements.expectedCount.value = matched;
    button.disabled = matched === 0;
    button.textContent = matched === 0 ? (found.exact ? "No job matches" : "No job found") : `${chosen(form).dataset.name} ${jobs(matched, found.exact)}`;
    takes(form, matched);
  }

  form.addEventListener("change", (event) => {
    if (event.target.name === "action" || (matched === 0 && event.target.name !== "allowAll")) look();
  });
  form.addEventListener("refused", (event) => {
    if (event.detail.errors?.some((one) => one.pointer === "/allowAll")) askForAll();
  });
  if (all.dataset.all === "true") askForAll();
  form.elements.rate.addEventListener("input", () => takes(form, matched));
  form.querySelector("#again").addEventListener("click", look);
  for (const field of form.querySelectorAll("[data-soon]")) {
    const soon = new Date(Date.now() + SOON - new Date().getTimezoneOffset() * 60_000);
    field.value = soon.toISOString().slice(0, 16);
  }
  look();
}

// Draws a page anew while something on it goes on without news.
async function poll() {
  const seconds = document.querySelector("[data-poll]")?.dataset.poll;
  const idle = document.hidden || document.querySelector("dialog[open]");
  if (seconds && !idle) {
    try {
      await refresh();
    } catch {
      // The next round draws it.
    }
  }
  if (seconds) setTimeout(poll, 1000 * seconds);
}

export function startOperations() {
  for (const form of document.querySelectorAll("form[data-dry-run]")) startDryRun(form);
  const seconds = document.querySelector("[data-poll]")?.dataset.poll;
  if (seconds) setTimeout(poll, 1000 * seconds);
}
