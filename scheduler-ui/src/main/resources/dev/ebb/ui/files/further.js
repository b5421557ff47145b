// Stops a search that goes on by itself: its next request says so, and brings what the one before found.
// A link with data-stop names the field that the requests take along. What the search found replaces the estimate
// and who asks for it: an estimate that is on its way then is not shown.
export function startFurther() {
  document.addEventListener("click", (event) => {
    const stop = event.target.closest("[data-stop]");
    const field = stop && document.getElementById(stop.dataset.stop);
    if (!field) return;
    event.preventDefault();
    field.disabled = false;
    stop.textContent = "Stopping…";
  });
  document.body.addEventListener("htmx:beforeSwap", ({ detail }) => {
    if (!detail.requestConfig.elt.isConnected) detail.shouldSwap = false;
  });
}
