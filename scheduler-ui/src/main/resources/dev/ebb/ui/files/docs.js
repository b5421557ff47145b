// The reference of the API. Without script all of it is there, too: links open what is folded, and
// only the filter and the copying are missing.
import { startTheme } from "./theme-button.js";

// Browsers open what a link leads into; some that are still about do not.
function open() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  const fold = target?.closest("details:not([open])");
  if (!fold) return;
  fold.open = true;
  target.scrollIntoView();
}

function filter(field) {
  const wanted = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let found = 0;
  for (const group of document.querySelectorAll(".group")) {
    let shown = 0;
    for (const one of group.querySelectorAll("[data-words]")) {
      one.hidden = !wanted.every((word) => one.dataset.words.includes(word));
      if (!one.hidden) shown++;
    }
    group.hidden = shown === 0;
    found += shown;
  }
  document.getElementById("none").hidden = found > 0;
}

// Where the page came by plain HTTP, browsers lend no clipboard: then the command is selected.
async function copy(button) {
  const command = document.getElementById(button.dataset.copy);
  getSelection().selectAllChildren(command);
  try {
    await navigator.clipboard.writeText(command.textContent);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Selected: press Ctrl C";
  }
  setTimeout(() => (button.textContent = "Copy"), 3_000);
}

const field = document.getElementById("find");
for (const one of document.querySelectorAll(".find, .buttons")) one.hidden = false;
field.addEventListener("input", () => filter(field));
// What a link leads to is in sight, whatever the filter.
window.addEventListener("hashchange", () => {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (field.value && target?.closest("[hidden]")) {
    field.value = "";
    filter(field);
    target.scrollIntoView();
  }
  open();
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copy]");
  if (button) copy(button);
});
startTheme();
filter(field);
open();
