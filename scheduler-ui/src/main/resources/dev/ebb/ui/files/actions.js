// Sends a page's changes to the API. A form says what it asks for: data-api="POST /v1/jobs/ID/retry".
// Its fields become the body: a dot in a name is a level, data-type tells numbers, booleans and lists.
// data-next is where to go then; {id} and other names in braces are fields of the answer. A broken rule also
// stands at the data-rule that its pointer leads to. data-show is the dialog that tells what only this answer has.
// A form with data-clear is empty again when what it sent is done. A field with data-empty="null" is removed when
// it is empty.
const PATCH = "application/merge-patch+json";
const meta = (name) => document.querySelector(`meta[name="${name}"]`)?.content ?? "";

export async function ask(method, path, body, headers = {}) {
  const response = await fetch(meta("ebb-prefix") + path, {
    method,
    headers: {
      "Ebb-Page": meta("ebb-page"),
      ...(body === undefined ? {} : { "Content-Type": method === "PATCH" ? PATCH : "application/json" }),
      ...headers,
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  let json = {};
  try {
    json = text ? JSON.parse(text) : {};
  } catch {
    json = { title: text.slice(0, 200) };
  }
  return { ok: response.ok, status: response.status, json };
}

export function toast(text, bad = false) {
  const note = document.createElement("div");
  note.className = bad ? "toast bad" : "toast";
  note.textContent = text;
  document.getElementById("toasts").append(note);
  setTimeout(() => note.remove(), bad ? 15_000 : 5_000);
}

export function sentence(problem) {
  const rules = (problem.errors ?? []).map((one) => `${one.pointer || one.parameter || ""} ${one.rule}`.trim());
  return [problem.title, rules.length ? rules.join("; ") : problem.detail].filter(Boolean).join(": ");
}

// What a reader is told of a refusal. Conditions name tags, which no reader sees: a form with data-match was drawn
// from what has changed since, and one without it creates what exists.
function told(form, { status, json }) {
  if (status === 412 && form.dataset.match) {
    return "Someone changed or removed this after you opened the page. Reload the page, then make your change again.";
  }
  if (status === 428 && !form.dataset.match) {
    return "This name is already in use. Nothing was changed. Edit the existing entry instead.";
  }
  return sentence(json);
}

// Sends a number as it was typed, where the browser can: a double would round its digits.
function exactly(name, given, context) {
  return typeof given === "number" && context && JSON.rawJSON ? JSON.rawJSON(context.source) : given;
}

// A length as people type it, 30s or 2h, as ISO 8601 writes it; what is none goes on as it is.
function length(text) {
  const parts = /^(\d{1,9}(?:\.\d{1,9})?) ?(ms|s|m|min|h|d)$/i.exec(text);
  if (!parts) return text;
  const [number, unit] = [parts[1], parts[2].toLowerCase()];
  if (unit === "ms") return `PT${Number(number) / 1000}S`;
  if (unit === "s") return `PT${number}S`;
  if (number.includes(".")) return `PT${Math.round(Number(number) * { m: 60, min: 60, h: 3600, d: 86400 }[unit])}S`;
  return unit === "d" ? `P${number}D` : `PT${number}${unit === "h" ? "H" : "M"}`;
}

// One NAME=VALUE a line.
function pairs(text) {
  const lines = text.split("\n").map((line) => line.trim()).filter(Boolean);
  return Object.fromEntries(lines.map((line) => {
    const at = line.indexOf("=");
    return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  }));
}

// The same of a merge patch: a name without a value is removed.
function changes(text) {
  return Object.fromEntries(Object.entries(pairs(text)).map(([name, value]) => [name, value || null]));
}

function value(field) {
  if (field.type === "checkbox") return field.checked;
  const text = field.value.trim();
  if (text === "") return field.dataset.empty === "null" ? null : undefined;
  switch (field.dataset.type) {
    case "number": return Number(text);
    case "list": return text.split(/[\s,]+/);
    case "numbers": return text.split(/[\s,]+/).map(Number);
    case "json": return JSON.parse(text, exactly);
    case "boolean": return text === "true";
    case "instant": return new Date(text).toISOString();
    case "length": return length(text);
    case "lengths": return text.split(/[\s,]+/).map(length);
    case "pairs": return pairs(text);
    case "changes": return changes(text);
    case "seconds": return `PT${text}S`;
    default: return text;
  }
}

// A field with data-with means nothing without a value in the one that it names, one with data-without
// means nothing with it, and data-when="other=this|that" tells with which values it means something.
function isVoid(field) {
  const of = (name) => field.form.elements[name].value.trim();
  const { with: other, without, when } = field.dataset;
  if ((other && of(other) === "") || (without && of(without) !== "")) return true;
  const [name, values] = when?.split("=") ?? [];
  return name && !values.split("|").includes(of(name));
}

// A field with data-path fills its place, {name}, in the path.
function filled(path, form) {
  return path.replace(/\{(\w+)\}/g, (_, name) => {
    const field = form.querySelector(`[data-path="${name}"]`);
    return encodeURIComponent(field.value.trim());
  });
}

export function bodyOf(form) {
  const body = {};
  for (const field of form.elements) {
    if (!field.name || field.dataset.path || field.disabled || isVoid(field)) continue;
    const isItem = field.dataset.type === "item";
    if ((field.type === "radio" || isItem) && !field.checked) continue;
    const given = isItem ? field.value : value(field);
    if (given === undefined) continue;
    const path = field.name.split(".");
    const last = path.pop();
    const place = path.reduce((at, name) => (at[name] ??= {}), body);
    if (isItem) (place[last] ??= []).push(given);
    else place[last] = given;
  }
  return body;
}

function refuse(form, text) {
  const place = form.querySelector(".refused") ?? form.insertBefore(document.createElement("p"), form.firstChild);
  place.className = "refused";
  place.setAttribute("role", "alert");
  place.textContent = text;
}

// Each rule that is broken, beside its field; the names of a payload are those of its writer.
function mark(form, errors = []) {
  const places = [...form.querySelectorAll("[data-rule]")];
  for (const place of places) place.textContent = "";
  for (const error of errors) {
    const pointer = error.pointer ?? `/${error.parameter}`;
    const found = places
      .filter((one) => pointer === one.dataset.rule || pointer.startsWith(`${one.dataset.rule}/`))
      .sort((one, other) => other.dataset.rule.length - one.dataset.rule.length)[0];
    if (found && !found.textContent) found.textContent = error.rule;
  }
}

async function send(form, event) {
  event.preventDefault();
  const button = event.submitter ?? form.querySelector("button");
  const [method, path] = form.dataset.api.split(" ");
  const headers = form.dataset.match ? { "If-Match": form.dataset.match } : {};
  button.disabled = true;
  form.querySelector(".refused")?.remove();
  try {
    const answer = await ask(method, filled(path, form), bodyOf(form), headers);
    if (!answer.ok) {
      refuse(form, told(form, answer));
      mark(form, answer.json.errors);
      form.dispatchEvent(new CustomEvent("refused", { detail: answer.json }));
      return;
    }
    form.closest("dialog")?.close();
    if (form.dataset.clear !== undefined) form.reset();
    if (form.dataset.show) {
      show(document.getElementById(form.dataset.show), answer.json);
      return;
    }
    toast((form.dataset.done ?? "Done.").replace(/\{(\w+)\}/g, (_, name) => answer.json[name] ?? ""));
    if (form.dataset.next) location.assign(form.dataset.next.replace(/\{(\w+)\}/g, (_, name) => answer.json[name] ?? ""));
    else refresh();
  } catch (failure) {
    refuse(form, failure instanceof SyntaxError ? "This is not valid JSON." : "The server did not answer. Try again.");
  } finally {
    button.disabled = false;
  }
}

// What is typed into a field that holds something else than the page said.
const isTyped = (element) =>
  element.matches?.("input:not([type=hidden]), textarea") && element.value !== element.defaultValue;

// Drawing a page anew neither closes what is open, nor empties what loads by itself, nor takes away
// what is typed.
function keepOpened() {
  Idiomorph.defaults.callbacks.beforeNodeMorphed = (old, fresh) =>
    !(old.dataset?.keep !== undefined && old.getAttribute("hx-get") === fresh.getAttribute("hx-get"));
  Idiomorph.defaults.callbacks.beforeAttributeUpdated = (name, element) =>
    !(name === "open" && element.localName === "details") && !(name === "value" && isTyped(element));
}

// A dialog that was opened while the page was asked for stays open: that drawing is let go.
function keepDialog(event) {
  if (event.detail.target?.id === "page" && document.querySelector("main dialog[open]")) {
    event.detail.shouldSwap = false;
  }
}

// Draws the page anew, in place: what a reader has opened or typed stays.
export function refresh() {
  return htmx.ajax("GET", location.pathname + location.search, {
    target: "#page",
    select: "#page",
    swap: "morph:outerHTML",
  });
}

// Each data-field of the dialog names a field of the answer, which is gone with the dialog.
function show(dialog, answer) {
  const places = [...dialog.querySelectorAll("[data-field]")];
  for (const place of places) place.textContent = answer[place.dataset.field] ?? "";
  const empty = () => {
    for (const place of places) place.textContent = "";
    refresh();
  };
  dialog.addEventListener("close", empty, { once: true });
  dialog.showModal();
}

// A field with data-equals takes this text alone: a name that is typed to confirm.
function confirmed(field) {
  const same = field.value.trim() === field.dataset.equals.trim();
  field.setCustomValidity(same ? "" : "Type the name exactly as shown above.");
}

// A field with data-hours-ago begins with the time so long ago, as this browser's clock reads.
function open(dialog) {
  for (const field of dialog?.querySelectorAll("[data-hours-ago]") ?? []) {
    const at = new Date(Date.now() - Number(field.dataset.hoursAgo) * 3600_000);
    field.value ||= new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  }
  dialog?.showModal();
}

// A file that is chosen fills the field that its data-into names.
async function fill(chooser) {
  const field = document.getElementById(chooser.dataset.into);
  field.value = chooser.files.length ? await chooser.files[0].text() : "";
}

async function copy(id) {
  try {
    await navigator.clipboard.writeText(document.getElementById(id).textContent.trim());
    toast("Copied.");
  } catch {
    toast("The browser does not allow copying. Select the text and copy it.", true);
  }
}

export function startActions() {
  keepOpened();
  document.body.addEventListener("htmx:beforeSwap", keepDialog);
  document.addEventListener("submit", (event) => {
    if (event.target.dataset.api) send(event.target, event);
  });
  document.addEventListener("input", (event) => {
    if (event.target.dataset.equals !== undefined) confirmed(event.target);
  });
  document.addEventListener("change", (event) => {
    if (event.target.dataset.into) fill(event.target);
  });
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-dialog]");
    if (opener) open(document.getElementById(opener.dataset.dialog));
    const copier = event.target.closest("[data-copy]");
    if (copier) copy(copier.dataset.copy);
    if (event.target.closest("[data-close]")) event.target.closest("dialog")?.close();
  });
}
