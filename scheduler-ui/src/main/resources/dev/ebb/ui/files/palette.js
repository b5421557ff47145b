// The palette (Ctrl or Cmd K): pages, queues, schedules, saved views, the actions of the page, and whatever is
// typed, which is a job if it is an id, and a search otherwise.
import { Options } from "./options.js";
import { known } from "./suggest.js";
import { address, saved } from "./views.js";

const MOST = 10;
const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const LABEL = /^[^\s=:"]+=[^"]+$/;

let palette = null;

const go = (path) => () => location.assign(path);
const quoted = (text) => `"${text.replace(/["\\]/g, "\\$&")}"`;

// The buttons of the page that can be pressed now.
function actions() {
  return [...document.querySelectorAll("main button, main a.button")]
    .filter((one) => !one.disabled && !one.closest("dialog") && one.checkVisibility?.() !== false)
    .filter((one) => !one.closest("#views"))
    .map((one) => ({ text: (one.getAttribute("aria-label") ?? one.textContent).replace(/\s+/g, " ").trim(), hint: "on this page", run: () => one.click() }))
    .filter((one) => one.text);
}

// What the text itself may be.
function asTyped(text, root) {
  if (!text) return [];
  const jobs = (q) => go(address(`${root}/jobs`, q));
  const found = [];
  if (ID.test(text)) found.push({ text, hint: "the job with this id", run: go(`${root}/jobs/${text}`) });
  // First, as it opens the only job that has this key, this label, or this value of any label.
  found.push({ text, hint: "search jobs", run: jobs(text) });
  if (LABEL.test(text)) found.push({ text, hint: "jobs with this label", run: jobs(`label:${quoted(text)}`) });
  if (!/\s/.test(text) && !text.includes(":")) {
    found.push({ text, hint: "the job with this unique key", run: jobs(`key:${quoted(text)}`) });
    found.push({ text, hint: "the queue or destination of this name", run: go(`${root}/queues/${encodeURIComponent(text)}`) });
  }
  return found;
}

function everything({ places, root, queues, schedules }) {
  return [
    ...places.map((one) => ({ text: one.name, hint: one.key ? `page, g ${one.key}` : "page", run: () => one.link.click() })),
    ...actions(),
    ...saved().map((one) => ({ text: one.name, hint: `view: ${one.q || one.columns}`, run: go(address(`${root}/jobs`, one.q, one.columns)) })),
    ...schedules.map((name) => ({ text: name, hint: "schedule", run: go(`${root}/schedules/${encodeURIComponent(name)}`) })),
    ...queues.map((name) => ({ text: name, hint: "queue", run: go(`${root}/queues/${encodeURIComponent(name)}`) })),
  ];
}

function build() {
  const dialog = document.createElement("dialog");
  dialog.className = "palette";
  dialog.setAttribute("aria-label", "Go to");
  const field = document.createElement("input");
  field.type = "text";
  field.autocomplete = "off";
  field.spellcheck = false;
  field.placeholder = "Page, queue, schedule, action, job id, key or label";
  field.setAttribute("aria-label", "Page, queue, schedule, action, job id, key or label");
  dialog.append(field);
  // The dialog closes first, and gives the focus back: an action may open one of its own.
  const list = new Options(dialog, (item) => {
    dialog.close();
    item.run();
  });
  const made = { dialog, field, all: [], root: "" };
  made.draw = () => {
    const text = field.value.trim();
    const wanted = text.toLowerCase();
    const named = made.all.filter((one) => one.text.toLowerCase().includes(wanted));
    named.sort((one, other) => other.text.toLowerCase().startsWith(wanted) - one.text.toLowerCase().startsWith(wanted));
    const typed = asTyped(text, made.root);
    const items = ID.test(text) ? typed : [...named.slice(0, MOST), ...typed];
    list.show(field, items, items.length > 0 ? 0 : -1);
  };
  field.addEventListener("input", made.draw);
  field.addEventListener("keydown", (event) => {
    if (!event.isComposing && event.key !== "Escape") list.key(event);
  });
  // A click beside it closes it.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  document.body.append(dialog);
  return made;
}

export async function openPalette(places) {
  palette ??= build();
  const root = document.querySelector("nav[data-root]")?.dataset.root ?? "/ui";
  const context = { places, root, queues: [], schedules: [] };
  Object.assign(palette, { root, all: everything(context) });
  palette.field.value = "";
  palette.dialog.showModal();
  palette.field.focus();
  palette.draw();
  const { values } = await known();
  palette.all = everything({ ...context, queues: values.queue ?? [], schedules: values.schedule ?? [] });
  if (palette.dialog.open) palette.draw();
}
