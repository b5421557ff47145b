// Light, dark, or as the system has it: one button goes round, and those with data-theme-is choose.
const ROUND = ["system", "light", "dark"];

function kept() {
  try {
    return localStorage.getItem("ebb.theme") ?? "system";
  } catch {
    return "system";
  }
}

function use(theme) {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem("ebb.theme");
    else localStorage.setItem("ebb.theme", theme);
  } catch {
    // It lasts as long as the page.
  }
}

export function startTheme() {
  const button = document.getElementById("theme");
  const name = () => {
    button.textContent = { system: "◐ System", light: "☀ Light", dark: "☾ Dark" }[kept()];
    button.title = "Theme: press for the next";
    for (const choice of document.querySelectorAll("[data-theme-is]")) {
      choice.setAttribute("aria-pressed", choice.dataset.themeIs === kept());
    }
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    use(ROUND[(ROUND.indexOf(kept()) + 1) % ROUND.length]);
    name();
  });
  document.addEventListener("click", (event) => {
    const choice = event.target.closest("[data-theme-is]");
    if (!choice) return;
    use(choice.dataset.themeIs);
    name();
  });
  document.addEventListener("htmx:afterSettle", name);
  name();
}
