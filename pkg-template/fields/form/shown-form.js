import { dispatch } from "../../custom-element/events.js";
import { applyStyle } from "../../custom-element/style.js";
import { invalid } from "../../errors/errors.js";
import { loadAgain } from "../../module/load-again.js";
import { isOfDigits, memberOf, prefixOf, valueOf } from "../control.js";
import { fieldControls } from "../controls/controls.js";
import { make, makeText } from "../dom.js";
import { showFields } from "./fields-view.js";
import { onPageShown } from "../page-shown.js";
import { afterPress } from "../presses.js";
import { RULES } from "../rules.js";
import { Sentence, showText } from "../sentence.js";

const loadCorrections = /* @__PURE__ */ loadAgain(() => import("./corrections.js"));
/** The class, once something was wrong. */
let Corrections;

export function styleFields(element) {
  applyStyle(element, RULES + (Corrections?.rules ?? ""), element.theme);
}

/** Returns the values of what a form starts with. */
export function recordIn(initial, form) {
  try {
    const values = typeof initial === "function" ? initial(form) : initial;
    if (values && "then" in values) throw new TypeError("This is a promise.");
    return values;
  } catch (cause) {
    throw invalid("InvalidRequest", "initial", "values, or a function that returns them", { cause });
  }
}

/**
 * Shows a form in the place of its element until `signal` is aborted. `loaded` has the `form`, its `texts` and
 * their `language`, which may change, the `record` that it starts with, the table `autofill` and the `idPrefix`; `entered` has what the page and the
 * customer entered, and gets what they enter; `onChange` is called after each change. Returns the controls.
 */
export function showForm(element, place, loaded, entered, signal, onChange) {
  const { form } = loaded;
  const country = element.country || element.query?.dstCountryIso3Code;
  const settings = {
    ...loaded,
    values: loaded.record,
    entered,
    country,
    get masked() {
      return element.masked;
    },
    get filterOptions() {
      const { options } = element;
      return typeof options === "function" ? options.bind(element) : options;
    },
    filterName: "options",
    filter: element.filter,
    get isQuiet() {
      return element.validate === "submit";
    },
    reveal,
    onChoices: (fieldId, error) => dispatch(element, error ? "optionsfailed" : "optionsloaded", { fieldId, error }),
  };
  const controls = fieldControls(form, settings);
  signal.addEventListener("abort", controls.destroy);
  let corrections;
  // The field that has the focus in place of a summary.
  let revealed;

  function reveal(fieldId) {
    // What is folded up cannot have the focus.
    for (let folded; (folded = element.closest("details:not([open])")); ) folded.open = true;
    if (corrections?.summarize()) return;
    controls.focus(fieldId);
    // After the field that loses the focus, which is a change.
    revealed = fieldId;
  }

  // Until the corrections are there, the kit's messages stand at the fields.
  async function correct() {
    Corrections ??= (await loadCorrections().catch(() => undefined))?.Corrections;
    if (!Corrections || corrections || signal.aborted) return;
    const awaited = revealed;
    const tools = { Sentence, afterPress, isOfDigits, make, makeText, memberOf, prefixOf, showText, valueOf };
    const own = { form, country, loaded, get masked() { return element.masked; } };
    corrections = new Corrections(element, place, controls, Object.assign(own, tools));
    settings.word = corrections.word;
    styleFields(element);
    // What was wrong at a submission is told where the focus goes, also in better words.
    if (awaited === undefined) controls.refresh();
    else controls.reveal([{ fieldId: awaited }]);
  }

  showFields(place, form, controls, () => loaded.texts);
  controls.onChange((fieldId) => {
    revealed = undefined;
    onChange();
    if (corrections === undefined && controls.wrong.length > 0) correct();
    if (fieldId !== undefined) dispatch(element, "fieldchange", { fieldId, value: entered[fieldId] });
  });
  onPageShown(controls.refresh, signal);
  return controls;
}
