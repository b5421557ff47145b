// Searches that this browser's user gave a name, with their columns, in
// <nav id="views" data-page data-search data-columns>.
const KEY = "ebb.views";
const MOST = 30;

export function saved() {
  try {
    const views = JSON.parse(localStorage.getItem(KEY)) ?? [];
    return views.filter((one) => typeof one?.name === "string" && typeof one?.q === "string");
  } catch {
    return [];
  }
}

function keep(views) {
  try {
    localStorage.setItem(KEY, JSON.stringify(views.slice(0, MOST)));
  } catch {
    // It lasts as long as the page.
  }
}

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

export function address(page, q, columns) {
  const pairs = Object.entries({ q, columns }).filter(([, value]) => value);
  return `${page}?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&")}`;
}

// The view that is looked at, and whether one is the same.
const current = (nav) => ({ q: nav.dataset.search?.trim() ?? "", columns: nav.dataset.columns ?? "" });
const isSame = (one, other) => one.q === other.q && (one.columns ?? "") === other.columns;

function chip(nav, view) {
  const whole = element("span", "", { class: "choice saved" });
  const link = element("a", view.name, { href: address(nav.dataset.page, view.q, view.columns), title: view.q || view.columns });
  if (isSame(view, current(nav))) whole.setAttribute("aria-current", "true");
  const remove = element("button", "×", { type: "button", "aria-label": `Delete the view ${view.name}`, title: "Delete" });
  remove.addEventListener("click", () => {
    keep(saved().filter((one) => one.name !== view.name));
    draw(nav);
    (nav.querySelector("button") ?? document.querySelector("main input[type=search]"))?.focus();
  });
  whole.append(link, remove);
  return whole;
}

// Naming needs no dialog: a field takes the button's place.
function asker(nav) {
  const form = element("form", "", { class: "naming" });
  const name = element("input", "", { "aria-label": "Name of the view", placeholder: "Name of this view", maxlength: "40", required: "", autocomplete: "off" });
  const cancel = element("button", "Cancel", { type: "button" });
  const back = () => {
    draw(nav);
    nav.querySelector(".save")?.focus();
  };
  form.append(name, element("button", "Save"), cancel);
  cancel.addEventListener("click", back);
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape") back();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const view = { name: name.value.trim(), ...current(nav) };
    if (!view.name) return;
    keep([view, ...saved().filter((one) => one.name !== view.name)]);
    draw(nav);
    nav.querySelector("a")?.focus();
  });
  nav.querySelector(".save").replaceWith(form);
  name.focus();
}

function draw(nav) {
  const views = saved();
  const now = current(nav);
  nav.replaceChildren(...views.map((view) => chip(nav, view)));
  if ((now.q || now.columns) && !views.some((one) => isSame(one, now))) {
    const save = element("button", "Save this view…", { type: "button", class: "choice save" });
    save.addEventListener("click", () => asker(nav));
    nav.append(save);
  }
  nav.hidden = nav.children.length === 0;
}

export function startViews() {
  const nav = document.getElementById("views");
  if (nav) draw(nav);
}
