import { textFor } from "./control.js";
import { make, makeButton, slot } from "./dom.js";

/** Shows the fields of a form in a place, in their sets, and keeps them up to date. */
export class FieldsView {
  #controls;
  #texts;
  #sets;
  #elements = new Map();

  constructor(place, form, controls, { texts, sets: names, words }) {
    const ids = controls.fieldIds;
    this.#controls = controls;
    this.#texts = texts;
    this.#sets = form.fieldSets.map((set) => {
      const fields = set.fields.filter(({ fieldId }) => ids.includes(fieldId));
      fields.sort((one, other) => (one.sortOrder ?? 0) - (other.sortOrder ?? 0));
      const name = textFor(names, set.fieldSetId, set.fieldSetName ?? "", { words });
      const legend = make("legend", "legend", make("h2", "heading", name));
      // A field of the same name would be read twice.
      const shown = fields.map(({ fieldId }) => controls.get(fieldId));
      legend.hidden = shown.some(({ label }) => label === name);
      const rows = fields.map(({ fieldId }, at) => this.#row(fieldId, shown[at].element));
      const element = make("fieldset", "set", legend, ...rows);
      return { element, legend, rows };
    });
    place.replaceChildren(...this.#sets.map(({ element }) => element));
    ids.forEach((fieldId) => this.#bindOwn(place, fieldId));
    controls.onChange(() => this.#update());
    this.#update();
  }

  set isDisabled(isDisabled) {
    this.#sets.forEach(({ element }) => (element.disabled = isDisabled));
  }

  #row(fieldId, element) {
    const { choose, optional, retry } = this.#texts;
    const control = make(element, `control ${element}`);
    if (element === "select") control.append(new Option(choose, ""));
    const elements = {
      label: make("label", "label"),
      optional: make("span", "optional", ` (${optional})`),
      prefix: make("span", "prefix"),
      control,
      hint: make("p", "hint"),
      problem: make("p", "problem"),
      retry: makeButton("retry", retry),
    };
    elements.problem.setAttribute("aria-live", "polite");
    const { label, prefix, hint, problem } = elements;
    const head = make("div", "head", label, elements.optional);
    const box = slot(`field-${fieldId}`, make("div", "box", prefix, control));
    const around = [slot(`before-${fieldId}`), slot(`after-${fieldId}`)];
    elements.row = make("div", "field", around[0], head, box, hint, problem, elements.retry, around[1]);
    elements.row.dataset.field = fieldId;
    this.#elements.set(fieldId, elements);
    this.#controls.bind(fieldId, elements);
    return elements.row;
  }

  // A child in the slot of a field is its control.
  #bindOwn(place, fieldId) {
    const own = place.querySelector(`[name="${CSS.escape(`field-${fieldId}`)}"]`);
    const bind = () => {
      const [control] = own.assignedElements?.() ?? [];
      if (control !== undefined) {
        this.#controls.bind(fieldId, { ...this.#elements.get(fieldId), control, isForeign: true });
      }
    };
    own.addEventListener("slotchange", bind);
    bind();
  }

  #update() {
    for (const { element, rows } of this.#sets) element.hidden = rows.every((row) => row.hidden);
    const shown = this.#sets.filter(({ element }) => !element.hidden);
    // A single set needs no heading besides the page's own.
    this.#sets.forEach(({ legend }) => legend.classList.toggle("quiet", shown.length < 2));
  }
}
