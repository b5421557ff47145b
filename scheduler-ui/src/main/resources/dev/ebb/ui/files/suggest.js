// Suggestions in a search box, <input data-suggest>: how tokens begin, and the values that are known.
// The server says which there are; a box without them is a box.
import { Options } from "./options.js";

const MOST = 20;
const FRESH = 30_000;
const OPERATOR = /^(-?)([A-Za-z][\w.-]*)(:|>=|<=|>|<|=)(.*)$/s;
const prefix = () => document.querySelector('meta[name="ebb-prefix"]')?.content ?? "";

let asked;
let askedAt = 0;

// What the server suggests: asked for now and then, and again if it did not answer.
export function known() {
  if (Date.now() - askedAt > FRESH) asked = undefined;
  if (!asked) askedAt = Date.now();
  asked ??= fetch(`${prefix()}/ui/suggestions`)
    .then((answer) => (answer.ok && !answer.redirected ? answer.json() : Promise.reject(answer)))
    .catch(() => {
      asked = undefined;
      return { tokens: [], values: {} };
    });
  return asked;
}

// Where the token begins in which the caret stands: blanks in quotes belong to it.
export function start(text, caret) {
  let from = 0;
  let quoted = false;
  for (let at = 0; at < caret; at++) {
    if (text[at] === "\\" && quoted) at++;
    else if (text[at] === '"') quoted = !quoted;
    else if (!quoted && /\s/.test(text[at])) from = at + 1;
  }
  return from;
}

const quoted = (value) => (/^[\w.=/@+-]+$/.test(value) ? value : `"${value.replace(/["\\]/g, "\\$&")}"`);

const begins = (begun) => (one) => one.toLowerCase().startsWith(begun);
const pairs = (values) =>
  (values.label ?? []).map((one) => [one.slice(0, one.indexOf("=")), one.slice(one.indexOf("=") + 1)]);

// Values of a label whose name is typed: merchant=ac.
function valuesOf(name, begun, values) {
  return pairs(values).filter(([one, value]) => one === name && value && begins(begun)(value)).map(([, value]) => value);
}

// What a word without a field may be the beginning of: a label's name, a key, a destination, a label's value.
function named(word, { tokens, values }) {
  const names = [...new Set(pairs(values).map(([name]) => name))].filter(begins(word));
  const found = names.map((name) => ({ text: `${name}=`, hint: "jobs with this label", rest: "" }));
  if (word.length < 2) return found;
  for (const field of ["key", "subject", "destination"]) {
    if (!tokens.some((one) => one.text === `${field}:`)) continue;
    for (const one of (values[field] ?? []).filter(begins(word))) found.push({ text: `${field}:${quoted(one)}`, rest: " " });
  }
  for (const [name, value] of pairs(values)) {
    if (value && begins(word)(value)) found.push({ text: `${name}=${quoted(value)}`, rest: " " });
  }
  return found;
}

// What may stand in place of the token; an option's text goes there, and its rest follows it.
export function options(token, suggestions) {
  const { tokens, values } = suggestions;
  const parts = OPERATOR.exec(token);
  if (!parts) {
    const minus = token.startsWith("-") ? "-" : "";
    const begun = token.slice(minus.length).toLowerCase();
    const fields = tokens
      .filter((one) => one.text.startsWith(begun) && (!minus || one.text.endsWith(":")))
      .map((one) => ({ text: minus + one.text, hint: `${one.says}, as in ${one.example}`, rest: "" }));
    return minus || !begun ? fields : [...fields, ...named(begun, suggestions)];
  }
  const [, minus, field, sign, value] = parts;
  if (sign === "=") {
    const begun = value.replace(/^"/, "").toLowerCase();
    return valuesOf(field, begun, values).map((one) => ({ text: `${minus}${field}=${quoted(one)}`, rest: " " }));
  }
  if (sign !== ":" || !values[field]) return [];
  const before = value.split(",");
  const begun = before.pop().replace(/^"/, "").toLowerCase();
  const start = minus + field + sign + before.map((one) => `${one},`).join("");
  return values[field]
    .filter((one) => begins(begun)(one) && !before.includes(one))
    .map((one) => ({ text: start + (one.endsWith("=") ? one : quoted(one)), rest: one.endsWith("=") ? "" : " " }));
}

function place(list, field) {
  const box = field.getBoundingClientRect();
  list.style.left = `${box.left + window.scrollX}px`;
  list.style.top = `${box.bottom + window.scrollY + 2}px`;
  list.style.minWidth = `${Math.min(box.width, 320)}px`;
  list.style.maxWidth = `${Math.max(box.width, Math.min(480, window.innerWidth - box.left - 12))}px`;
}

function put(item, field) {
  const caret = field.selectionStart;
  const from = start(field.value, caret);
  const after = field.value.slice(caret).replace(/^[^\s"]+/, "").replace(/^\s+/, "");
  field.value = field.value.slice(0, from) + item.text + item.rest + after;
  const now = from + item.text.length + item.rest.length;
  field.setSelectionRange(now, now);
}

export function startSuggestions() {
  if (!document.querySelector("[data-suggest]")) return;
  const list = new Options(document.body, (item, field) => {
    put(item, field);
    open(field);
  });
  list.list.classList.add("floating");

  async function open(field) {
    const words = await known();
    if (document.activeElement !== field) return;
    const token = field.value.slice(start(field.value, field.selectionStart), field.selectionStart);
    const found = options(token, words).filter((one) => one.text !== token).slice(0, MOST);
    place(list.list, field);
    list.show(field, found);
  }

  const isBox = (element) => element.matches?.("[data-suggest]");
  document.addEventListener("focusin", ({ target }) => {
    if (isBox(target)) list.mark(target);
  });
  document.addEventListener("focusout", ({ target }) => {
    if (isBox(target)) list.hide();
  });
  document.addEventListener("input", ({ target }) => {
    if (isBox(target)) open(target);
  });
  document.addEventListener("click", ({ target }) => {
    if (isBox(target) && target.value === "") open(target);
  });
  document.addEventListener("keydown", (event) => {
    if (!isBox(event.target) || event.isComposing || list.key(event)) return;
    if (event.key === "ArrowDown" && !event.altKey) {
      event.preventDefault();
      open(event.target);
    }
  });
  window.addEventListener("resize", () => list.hide());
  document.body.addEventListener("htmx:afterSettle", () => {
    if (isBox(document.activeElement)) list.mark(document.activeElement);
  });
}
