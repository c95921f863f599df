import { make, makeButton, makeMessage, makeText, slot, tell } from "../dom.js";
import { showText } from "../sentence.js";

/**
 * Shows the fields of a form in a place, in their sets, and keeps them up to date. `texts` returns the texts of the
 * page's language at that time.
 */
export function showFields(place, form, controls, texts) {
  const status = makeMessage("status", "status");
  status.className = "quiet";
  const sets = form.fieldSets.map(({ fieldSetId, fieldSetName, fields }) => {
    const order = [...fields]
      .sort((one, other) => (one.sortOrder ?? 0) - (other.sortOrder ?? 0))
      .map(({ fieldId }) => fieldId);
    const heading = make("h2", "heading");
    const legend = make("legend", "legend", heading);
    const element = make("fieldset", "set", legend);
    const name = () => texts()("sets", fieldSetId, fieldSetName ?? "");
    return { element, legend, heading, order, rows: new Map(), name };
  });
  let arranged;
  let before = new Set();
  let said;

  // Those that stay are not moved: who is typing goes on.
  function arrange(fieldIds) {
    const own = new Set(fieldIds);
    for (const { element, legend, order, rows } of sets) {
      const ids = order.filter((fieldId) => own.has(fieldId));
      for (const [fieldId, { row }] of rows) {
        if (own.has(fieldId)) continue;
        row.remove();
        rows.delete(fieldId);
      }
      let last = legend;
      for (const fieldId of ids) {
        if (!rows.has(fieldId)) rows.set(fieldId, rowOf(fieldId, controls));
        const { row } = rows.get(fieldId);
        if (row.parentNode === null) last.after(row);
        last = row;
      }
    }
  }

  function translate() {
    said = texts();
    for (const { heading, legend, rows, name } of sets) {
      showText(heading, name());
      // A field of the same name would be read twice.
      legend.hidden = [...rows.keys()].some((fieldId) => controls.get(fieldId).label === name());
      rows.forEach(({ words }) => translateRow(words, said.say));
    }
  }

  function update(changed) {
    const { fieldIds } = controls;
    const isArranged = `${fieldIds}` === arranged;
    arranged = `${fieldIds}`;
    if (!isArranged) arrange(fieldIds);
    if (!isArranged || said !== texts()) translate();
    for (const { element, rows } of sets) element.hidden = [...rows.values()].every(({ row }) => row.hidden);
    // A single set needs no heading besides the page's own.
    const isSingle = sets.filter(({ element }) => !element.hidden).length < 2;
    sets.forEach(({ legend }) => legend.classList.toggle("quiet", isSingle));
    const shown = fieldIds.filter((fieldId) => controls.get(fieldId).isShown);
    const added = shown.find((fieldId) => !before.has(fieldId));
    if (changed) tell(status, added && texts().say("appeared", { label: controls.get(added).label }));
    before = new Set(shown);
  }

  place.replaceChildren(...sets.map(({ element }) => element), status);
  controls.onChange(update);
  update();
}

function rowOf(fieldId, controls) {
  const { element } = controls.get(fieldId);
  const control = make(element, `control ${element}`);
  const choose = new Option("", "");
  if (element === "select") control.append(choose);
  const label = make("label", "label");
  const optionalWord = makeText("span", "optional-word");
  const optional = make("span", "optional", " (", optionalWord, ")");
  const prefix = makeText("span", "prefix");
  const hint = makeText("p", "hint");
  const problem = makeText("p", "problem");
  const retry = makeButton("retry");
  problem.setAttribute("aria-live", "polite");
  const slotOf = (name, ...content) => slot(`${name}-${fieldId}`, ...content);
  const head = make("div", "head", label, optional);
  const own = slotOf("field", make("div", "box", prefix, control));
  const row = make("div", "field", slotOf("before"), head, own, slotOf("hint", hint), problem, retry, slotOf("after"));
  row.dataset.field = fieldId;
  const elements = { row, label, optional, prefix, control, hint, problem, retry, isOwn: true };
  controls.bind(fieldId, elements);
  // A child in the slot of a field is its control.
  own.addEventListener("slotchange", () => {
    // It has gone with its field.
    if (row.parentNode === null) return;
    const [control] = own.assignedElements();
    controls.bind(fieldId, control === undefined ? { ...elements } : { ...elements, control, isForeign: true });
  });
  return { row, words: { optional: optionalWord, choose, retry } };
}

function translateRow(words, say) {
  for (const [name, element] of Object.entries(words)) {
    // The field says whether its button is to be seen.
    const { hidden } = element;
    showText(element, say(name));
    if (name === "retry") element.hidden = hidden;
  }
}
