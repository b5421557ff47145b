// Sends a page's changes to the API. A form says what it asks for: data-api="POST /v1/jobs/ID/retry".
// Its fields become the body: a dot in a name is a level, data-type tells numbers, booleans and lists.
// data-next is where to go then, {id} is the answer's. data-show is the dialog that tells what only this answer has.
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

// Sends a number as it was typed, where the browser can: a double would round its digits.
function exactly(name, given, context) {
  return typeof given === "number" && context && JSON.rawJSON ? JSON.rawJSON(context.source) : given;
}

function value(field) {
  if (field.type === "checkbox") return field.checked;
  const text = field.value.trim();
  if (text === "") return undefined;
  switch (field.dataset.type) {
    case "number": return Number(text);
    case "list": return text.split(/[\s,]+/);
    case "numbers": return text.split(/[\s,]+/).map(Number);
    case "json": return JSON.parse(text, exactly);
    case "boolean": return text === "true";
    case "instant": return new Date(text).toISOString();
    case "seconds": return `PT${text}S`;
    case "policy": return text.startsWith("{") ? JSON.parse(text) : text;
    default: return text;
  }
}

// A field with data-with means nothing without a value in the one that it names.
function isAlone(field) {
  const other = field.dataset.with;
  return other && field.form.elements[other].value.trim() === "";
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
    if (!field.name || field.disabled || isAlone(field) || (field.type === "radio" && !field.checked)) continue;
    const given = value(field);
    if (given === undefined) continue;
    const path = field.name.split(".");
    const last = path.pop();
    const place = path.reduce((at, name) => (at[name] ??= {}), body);
    place[last] = given;
  }
  return body;
}

function refuse(form, text) {
  const place = form.querySelector(".refused") ?? form.insertBefore(document.createElement("p"), form.firstChild);
  place.className = "refused";
  place.setAttribute("role", "alert");
  place.textContent = text;
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
      refuse(form, sentence(answer.json));
      form.dispatchEvent(new CustomEvent("refused", { detail: answer.json }));
      return;
    }
    form.closest("dialog")?.close();
    if (form.dataset.show) {
      show(document.getElementById(form.dataset.show), answer.json);
      return;
    }
    toast((form.dataset.done ?? "Done.").replace(/\{(\w+)\}/g, (_, name) => answer.json[name] ?? ""));
    if (form.dataset.next) location.assign(form.dataset.next.replace("{id}", answer.json.id ?? ""));
    else refresh();
  } catch (failure) {
    refuse(form, failure instanceof SyntaxError ? "This is no JSON." : "The server did not answer. Try again.");
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
  field.setCustomValidity(same ? "" : "Type the name as it stands above.");
}

async function copy(id) {
  try {
    await navigator.clipboard.writeText(document.getElementById(id).textContent.trim());
    toast("Copied.");
  } catch {
    toast("The browser does not allow it. Select the text and copy it.", true);
  }
}

export function startActions() {
  keepOpened();
  document.addEventListener("submit", (event) => {
    if (event.target.dataset.api) send(event.target, event);
  });
  document.addEventListener("input", (event) => {
    if (event.target.dataset.equals !== undefined) confirmed(event.target);
  });
  document.addEventListener("click", (event) => {
    const opener = event.target.closest("[data-dialog]");
    if (opener) document.getElementById(opener.dataset.dialog)?.showModal();
    const copier = event.target.closest("[data-copy]");
    if (copier) copy(copier.dataset.copy);
    if (event.target.closest("[data-close]")) event.target.closest("dialog")?.close();
  });
}
