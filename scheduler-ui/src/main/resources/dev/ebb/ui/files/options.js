// A list of options under a field (ARIA 1.2: a combobox with a listbox): the field keeps the focus,
// and says which option is active. An option has a text, and may have a hint.
let made = 0;

export class Options {
  constructor(place, choose) {
    this.choose = choose;
    this.items = [];
    this.active = -1;
    this.list = document.createElement("ul");
    this.list.id = `options-${++made}`;
    this.list.className = "options";
    this.list.setAttribute("role", "listbox");
    this.list.setAttribute("aria-label", "Suggestions");
    this.list.hidden = true;
    // The field must not lose the focus before the click has chosen.
    this.list.addEventListener("pointerdown", (event) => event.preventDefault());
    this.list.addEventListener("click", (event) => {
      const row = event.target.closest("[role=option]");
      if (row) this.take([...this.list.children].indexOf(row));
    });
    place.append(this.list);
  }

  get isOpen() {
    return !this.list.hidden;
  }

  // Says to the field whose list it is; again after the page was drawn anew.
  mark(field) {
    this.field = field;
    field.setAttribute("role", "combobox");
    field.setAttribute("aria-autocomplete", "list");
    field.setAttribute("aria-controls", this.list.id);
    field.setAttribute("aria-expanded", String(this.isOpen));
    const active = this.list.children[this.active];
    if (active) field.setAttribute("aria-activedescendant", active.id);
    else field.removeAttribute("aria-activedescendant");
  }

  show(field, items, active = -1) {
    this.items = items;
    this.list.replaceChildren(...items.map((item, index) => this.row(item, index)));
    this.list.hidden = items.length === 0;
    this.active = -1;
    this.mark(field);
    if (active >= 0) this.moveTo(active);
  }

  row(item, index) {
    const row = document.createElement("li");
    row.id = `${this.list.id}-${index}`;
    row.setAttribute("role", "option");
    row.setAttribute("aria-selected", "false");
    const text = document.createElement("span");
    text.textContent = item.text;
    row.append(text);
    if (item.hint) {
      const hint = document.createElement("span");
      hint.className = "hint";
      hint.textContent = item.hint;
      row.append(" ", hint);
    }
    return row;
  }

  hide() {
    if (!this.field) return;
    this.list.hidden = true;
    this.active = -1;
    this.mark(this.field);
  }

  moveTo(index) {
    const rows = this.list.children;
    rows[this.active]?.setAttribute("aria-selected", "false");
    this.active = rows.length === 0 ? -1 : (index + rows.length) % rows.length;
    rows[this.active]?.setAttribute("aria-selected", "true");
    rows[this.active]?.scrollIntoView({ block: "nearest" });
    this.mark(this.field);
  }

  take(index) {
    const item = this.items[index];
    if (item) this.choose(item, this.field);
  }

  // Whether the key was for the list.
  key(event) {
    if (!this.isOpen) return false;
    if (event.key === "ArrowDown") this.moveTo(this.active + 1);
    else if (event.key === "ArrowUp") this.moveTo(this.active < 0 ? this.list.children.length - 1 : this.active - 1);
    else if (event.key === "Enter" && this.active >= 0) this.take(this.active);
    else if (event.key === "Escape") this.hide();
    else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }
}
