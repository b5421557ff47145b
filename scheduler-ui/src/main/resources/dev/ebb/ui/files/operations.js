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

const number = (count, exact = true) => (exact ? "" : "~") + count.toLocaleString("en");
// Counting ends before the store does: without any found there may be some.
const isNone = ({ matched, exact }) => exact && matched === 0;
const jobs = ({ matched, exact }) =>
  matched > 0 ? `${number(matched, exact)} ${matched === 1 ? "job" : "jobs"}` : "all matching jobs";
const chosen = (form) => form.querySelector("input[name=action]:checked");

// Fields that the action does not take are neither shown nor sent.
function fit(form) {
  const action = chosen(form).value;
  for (const part of form.querySelectorAll("[data-for]")) {
    const takes = part.dataset.for.split(" ").includes(action);
    part.hidden = !takes;
    for (const field of part.querySelectorAll("input, select")) field.disabled = !takes;
  }
  form.querySelector("#chosen").textContent = `${chosen(form).dataset.name}: ${chosen(form).dataset.does}`;
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

// A job by its key, if it has one; its subject has a column where any job has one.
function sampleRow(form, job, withSubject) {
  const link = element("a", job.uniqueKey ?? `…${job.id.slice(-12)}`, job.uniqueKey ? "key-name roomy" : "id roomy");
  link.href = form.dataset.jobs + job.id;
  link.title = job.id;
  const error = job.lastError ? [job.lastError.reason, job.lastError.message].filter(Boolean).join(": ") : "";
  const text = error.length > 200 ? `${error.slice(0, 200)}…` : error;
  return withSubject ? [link, job.subject ?? "–", text || "–"] : [link, text || "–"];
}

function tell(form, place, found) {
  place.replaceChildren();
  if (found.sample.length === 0) return;
  const withSubject = found.sample.some((job) => job.subject);
  const heads = withSubject ? ["Job", "Subject", "Last error"] : ["Job", "Last error"];
  place.append(
    element("h2", found.sample.length === 1 ? "The newest of these jobs" : `The newest ${found.sample.length} of these jobs`),
    table(heads, found.sample.map((job) => sampleRow(form, job, withSubject))),
  );
}

const SECONDS = { s: 1, min: 60, h: 3600 };

// How long so many jobs take at the rate at least; empty without a rate.
function takes(rate, count) {
  const parts = /^([0-9.]+)\/(s|min|h)$/.exec(rate);
  if (!parts || Number(parts[1]) === 0) return "";
  const seconds = Math.ceil((count * SECONDS[parts[2]]) / Number(parts[1]));
  const length = seconds < 100 ? `${seconds} s` : seconds < 6000 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 3600)} h`;
  return ` It takes at least ${length}.`;
}

function queues(byQueue) {
  const all = Object.entries(byQueue).sort((one, other) => other[1] - one[1]);
  if (all.length === 1) return ` in queue ${all[0][0]}`;
  const named = all.slice(0, 3).map(([name, count]) => `${name} ${number(count)}`);
  return all.length === 0 ? "" : ` in ${all.length} queues (${named.join(", ")}${all.length > 3 ? ", …" : ""})`;
}

// The jobs of each stage; what is left is one more.
function stagesOf(form, count) {
  const field = form.elements.stages;
  const sizes = field.disabled ? [] : field.value.split(/[\s,]+/).map(Number).filter((size) => size > 0);
  const told = [];
  let left = count;
  for (const size of sizes) {
    if (size >= left) break;
    told.push(number(size));
    left -= size;
  }
  return told.length === 0 ? [] : [...told, "the rest"];
}

// What will be done, in one sentence.
function plan(form, found) {
  const { matched, exact, byQueue } = found;
  const { pauseAfterStages, stopOnFailureRatio, rate } = form.elements;
  // Queues are of the jobs that were counted, so of all jobs only where all were.
  const what = `${chosen(form).dataset.verb} ${jobs(found)}${exact ? queues(byQueue) : ""}`;
  const stages = stagesOf(form, matched || Infinity);
  const most = rate.value.trim() && `at most ${rate.value.trim()}`;
  const clauses = [[stages.length ? `${what}: ${stages.join(", then ")}` : what, most].filter(Boolean).join(", ")];
  if (stages.length && pauseAfterStages.value !== "0") {
    clauses.push(`waits for your approval ${pauseAfterStages.selectedOptions[0].textContent}`);
  }
  if (!stopOnFailureRatio.disabled && form.elements.stages.value.trim() && stopOnFailureRatio.value !== "1") {
    const share = 100 * Number(stopOnFailureRatio.value);
    clauses.push(share === 0 ? "stops at the first failure" : `stops by itself if more than ${share} % of a stage fail`);
  }
  const sentence = `${clauses.join("; ")}.`;
  return matched > 0 ? `${sentence}${takes(rate.value.trim(), matched)}` : `Found none so far. ${sentence}`;
}

function startDryRun(form) {
  const place = document.querySelector(form.dataset.dryRun);
  const button = form.querySelector("#go");
  const all = form.querySelector("#all");
  const told = form.querySelector("#plan");
  let asked = 0;
  let found;

  const askForAll = () => {
    all.hidden = false;
    all.querySelector("input").disabled = false;
  };
  const say = () => {
    if (found && !isNone(found)) told.textContent = plan(form, found);
  };
  const wait = (text) => {
    found = undefined;
    form.elements.expectedCount.value = "";
    button.disabled = true;
    button.textContent = text;
  };
  const show = (answer) => {
    found = answer;
    tell(form, place, answer);
    // None expected would refuse any; of few jobs in a large store two estimates differ widely.
    form.elements.expectedCount.value = (answer.exact && answer.matched) || "";
    button.disabled = isNone(answer);
    button.textContent = isNone(answer) ? "No job matches" : `${chosen(form).dataset.name} ${jobs(answer)}`;
    told.textContent = "No matching job is in a state that allows this action.";
    say();
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
    told.classList.toggle("refused", !answer.ok);
    if (answer.ok) {
      show(answer.json);
    } else {
      place.replaceChildren();
      told.textContent = sentence(answer.json);
      button.textContent = "Cannot start";
    }
    // Who has only the keyboard goes on from here.
    if (document.activeElement === document.body) told.focus({ preventScroll: true });
  }

  form.addEventListener("change", (event) => {
    if (event.target.name === "action" || ((!found || isNone(found)) && event.target.name !== "allowAll")) look();
    else say();
  });
  form.addEventListener("input", say);
  form.addEventListener("refused", (event) => {
    if (event.detail.errors?.some((one) => one.pointer === "/allowAll")) askForAll();
  });
  // A field that breaks a rule cannot be shown while it is folded.
  form.addEventListener("invalid", (event) => event.target.closest("details")?.setAttribute("open", ""), true);
  if (all.dataset.all === "true") askForAll();
  form.querySelector("#again").addEventListener("click", look);
  for (const field of form.querySelectorAll("[data-soon]")) {
    const soon = new Date(Date.now() + SOON - new Date().getTimezoneOffset() * 60_000);
    field.value = soon.toISOString().slice(0, 16);
  }
  look();
}

// What a recovery would redrive, in words: how many, of which failures, since when, for how long.
function recovery(found) {
  if (isNone(found)) return "Nothing died in this time.";
  const failures = found.failures.slice(0, 5).map((one) => `${number(one.jobs)} ${one.reason}`);
  if (found.failures.length > failures.length) failures.push("others");
  const first = found.failures.map((one) => one.firstAt).sort()[0];
  const since = first ? `, the first ${new Date(first).toLocaleString("en")}` : "";
  const seconds = found.takesAtLeast ? lengthOf(found.takesAtLeast) : undefined;
  const takes = seconds === undefined ? "" : ` Their starts take ${words(seconds)} or longer, without the waits between stages.`;
  return `${jobs(found)}: ${failures.join(", ")}${since}.${takes}`;
}

// Seconds of an ISO-8601 duration as answers give it: PT1H2M3.5S.
function lengthOf(text) {
  const [, hours, minutes, seconds] = text.match(/^PT(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?$/) ?? [];
  return 3600 * (hours ?? 0) + 60 * (minutes ?? 0) + Number(seconds ?? 0);
}

function words(seconds) {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}

// A form with data-preview asks that path what it would do, whenever it is opened or changed.
function startPreview(form) {
  const told = form.querySelector("[data-told]");
  let asked = 0;
  async function look() {
    const mine = ++asked;
    const whole = form.checkValidity();
    told.classList.remove("refused");
    told.textContent = whole ? "Counting the jobs…" : "Fill in the form to count the jobs.";
    form.elements.expectedCount.value = "";
    if (!whole) return;
    let answer;
    try {
      const { expectedCount, reason, ...body } = bodyOf(form);
      answer = await ask("POST", form.dataset.preview, body);
    } catch {
      answer = { ok: false, json: { title: "The server did not answer." } };
    }
    if (mine !== asked) return;
    told.classList.toggle("refused", !answer.ok);
    told.textContent = answer.ok ? recovery(answer.json) : sentence(answer.json);
    if (answer.ok) form.elements.expectedCount.value = (answer.json.exact && answer.json.matched) || "";
  }
  form.addEventListener("change", look);
  new MutationObserver(() => form.closest("dialog").open && look()).observe(form.closest("dialog"), {
    attributes: true,
    attributeFilter: ["open"],
  });
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
  for (const form of document.querySelectorAll("form[data-preview]")) startPreview(form);
  const seconds = document.querySelector("[data-poll]")?.dataset.poll;
  if (seconds) setTimeout(poll, 1000 * seconds);
}
