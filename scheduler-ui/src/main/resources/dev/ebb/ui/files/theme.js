// Before the first paint: the theme that this browser's user chose; none is the system's.
try {
  const theme = localStorage.getItem("ebb.theme");
  if (theme) document.documentElement.dataset.theme = theme;
} catch {
  // A browser that keeps nothing shows the system's.
}
