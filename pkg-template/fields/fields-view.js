import { make, makeButton, makeMessage, slot } from "./dom.js";
import { filledIn } from "./texts.js";

/** Shows the fields of a form in a place, in their sets, and keeps them up to date. */
export function showFields(place, form, controls, texts) {
  const { fieldIds } = controls;
  const status = makeMessage("status", "status");
  status.className = "quiet";
  const sets = form.fieldSets.map(({ fieldSetId, fieldSetName, fields }) => {
    const own = fields.filter(({ fieldId }) => fieldIds.includes(fieldId));
    own.sort((one, other) => (one.sortOrder ?? 0) - (other.sortOrder ?? 0));
    const name = texts("sets", fieldSetId, fieldSetName ?? "");
    const legend = make("legend", "legend", make("h2", "heading", name));
    // A field of the same name would be read twice.
    legend.hidden = own.some(({ fieldId }) => controls.get(fieldId).label === name);
    const rows = own.map(({ fieldId }) => rowOf(fieldId, controls, texts));
    return { element: make("fieldset", "set", legend, ...rows), legend, rows };
  });
  let before = [];

  function update(changed) {
    for (const { element, rows } of sets) element.hidden = rows.every((row) => row.hidden);
    // A single set needs no heading besides the page's own.
    const isSingle = sets.filter(({ element }) => !element.hidden).length < 2;
    sets.forEach(({ legend }) => legend.classList.toggle("quiet", isSingle));
    const shown = fieldIds.filter((fieldId) => controls.get(fieldId).isShown);
    const added = shown.find((fieldId) => !before.includes(fieldId));
    if (changed) status.textContent = added ? filledIn(texts("texts", "appeared"), controls.get(added)) : "";
    before = shown;
  }

  place.replaceChildren(...sets.map(({ element }) => element), status);
  controls.onChange(update);
  update();
}

function rowOf(fieldId, controls, texts) {
  const { element } = controls.get(fieldId);
  const control = make(element, `control ${element}`);
  if (element === "select") control.append(new Option(texts("texts", "choose"), ""));
  const label = make("label", "label");
  const optional = make("span", "optional", ` (${texts("texts", "optional")})`);
  const prefix = make("span", "prefix");
  const hint = make("p", "hint");
  const problem = make("p", "problem");
  const retry = makeButton("retry", texts("texts", "retry"));
  problem.setAttribute("aria-live", "polite");
  const slotOf = (name, ...content) => slot(`${name}-${fieldId}`, ...content);
  const head = make("div", "head", label, optional);
  const own = slotOf("field", make("div", "box", prefix, control));
  const row = make("div", "field", slotOf("before"), head, own, slotOf("hint", hint), problem, retry, slotOf("after"));
  row.dataset.field = fieldId;
  const elements = { row, label, optional, prefix, control, hint, problem, retry };
  controls.bind(fieldId, elements);
  // A child in the slot of a field is its control.
  own.addEventListener("slotchange", () => {
    const [control] = own.assignedElements();
    if (control !== undefined) controls.bind(fieldId, { ...elements, control, isForeign: true });
  });
  return row;
}
