import { invalid } from "../errors.js";
import { fieldChoices } from "./choices.js";
import {
  attempt, fieldControl, fieldsOf, isBlank, lettersOf, memberOf, sentValue, textOf, valueOf,
} from "./control.js";
import { showControl } from "./show-control.js";

/**
 * Creates the controls of a form on a page without a framework: values, problems and choices, kept up to date.
 *
 * Besides the public options, an element sets `texts`; `entered`, which overrides `values` and gets what is set;
 * `isQuiet`: who leaves a field is not told of its problem; `reveal`, which focuses one of several fields;
 * `onChoices`, called with the id of a field whose choices have arrived, or with an error as well; and `filterName`,
 * its name for `filterOptions`. The element's corrections set `word`, which says a problem better than its code does.
 */
export function fieldControls(form, settings) {
  const { country, masked, texts, filterName = "filterOptions", entered = { __proto__: null } } = settings;
  const filter = functionOf("filter", settings.filter);
  const filterOptions = functionOf(filterName, settings.filterOptions);
  const fields = new Map(fieldsOf(form, filter).map((field) => [field.fieldId, localized(field, texts)]));
  const fieldIds = [...fields.keys()];
  // Without what objects inherit: a service may call a field `constructor`.
  const values = { __proto__: null };
  const touched = new Set();
  // What the service found, until the value changes.
  const refused = new Map();
  const bound = new Map();
  const listeners = new Set();
  const choices = fieldChoices(form, values, onChoices);
  let isDestroyed = false;
  let problems;
  let shown;

  // Text for a phone number becomes a number of the form's country.
  function enter(fieldId, value) {
    const field = fields.get(fieldId);
    const isText = field !== undefined && typeof value === "string";
    const given = isText ? valueOf(field, value, country, values[fieldId]) : value;
    // Nothing chosen is no choice that the form refuses.
    if (given === undefined || given === "") delete values[fieldId];
    else values[fieldId] = given;
  }

  function setValue(fieldId, value) {
    if (isDestroyed) return;
    const dependents = form.dependents(fieldId);
    for (const id of dependents) {
      delete values[id];
      touched.delete(id);
    }
    enter(fieldId, value);
    for (const id of [fieldId, ...dependents]) {
      refused.delete(id);
      entered[id] = values[id];
    }
    choices.update();
    refresh(fieldId);
  }

  // The control shows what is sent.
  function leave(fieldId) {
    const value = values[fieldId];
    if (!isBlank(value)) values[fieldId] = sentValue(form, fieldId, value);
  }

  // A choice that is no longer offered would be sent unseen.
  function onChoices(fieldId, failed) {
    const value = values[fieldId];
    const { options, error = failed } = choicesOf(fieldId);
    const isOffered = options.some(({ id, disabled }) => id === value && !disabled);
    if (error !== undefined || isBlank(value) || isOffered) refresh();
    else setValue(fieldId, undefined);
    settings.onChoices?.(fieldId, error);
  }

  function choicesOf(fieldId) {
    const { options, ...others } = choices.of(fieldId);
    const nameOf = ({ id, name }) => texts("options", `${fieldId}.${id}`, texts("options", id, name));
    try {
      const accepted = (options.length > 0 && filterOptions?.(fieldId, options)) || options;
      return { ...others, options: accepted.map((option) => ({ ...option, name: nameOf(option) })) };
    } catch (cause) {
      const expected = "a function that returns a list of choices";
      return { ...others, options: [], error: invalid("InvalidRequest", filterName, expected, { cause }) };
    }
  }

  // Throws for values that cannot be sent, which `toFields` reports.
  function find() {
    // A field that is left out is another screen's, and a masked value is the service's already.
    const isOpen = ({ fieldId }) =>
      (filter === undefined || fields.has(fieldId)) &&
      !refused.has(fieldId) &&
      !(memberOf(masked, fieldId) !== undefined && isBlank(values[fieldId]));
    const found = [...form.check(values).filter(isOpen), ...refused.values()];
    // A problem that cannot be said is one all the same.
    const wordFor = (one) => attempt(() => settings.word?.(one, fields.get(one.fieldId), values), undefined);
    const messageOf = (one) =>
      refused.get(one.fieldId)?.message ?? wordFor(one) ?? one.message ?? texts("texts", "missing");
    return [found.map((one) => ({ ...one, message: messageOf(one) })), form.warnings(values)];
  }

  function describe(fieldId, findings) {
    const isShown = (found) => found.fieldId === fieldId && touched.has(fieldId);
    const [problem, warning] = findings.map((found) => found.find(isShown));
    const state = { values, problem, warning, masked: memberOf(masked, fieldId), ...choicesOf(fieldId) };
    const retry = () => {
      choices.retry(fieldId);
      refresh();
    };
    return { ...fieldControl(form, fields.get(fieldId), state, settings), retry };
  }

  function get(fieldId) {
    if (!fields.has(fieldId)) throw invalid("InvalidRequest", "fieldId", "the id of a field of this form");
    return shown.get(fieldId);
  }

  /** Shows everything again, such as problems in other words. */
  function refresh(changed) {
    const findings = attempt(find, [[...refused.values()], []]);
    [problems] = findings;
    shown = new Map(fieldIds.map((fieldId) => [fieldId, describe(fieldId, findings)]));
    bound.forEach((elements, fieldId) => showControl(get(fieldId), elements));
    listeners.forEach((listener) => listener(changed));
  }

  const firstShown = (isWanted) => [...bound.keys()].find((fieldId) => isWanted(fieldId) && get(fieldId).isShown);

  function focus(fieldId = firstShown(() => true)) {
    bound.get(fieldId)?.control?.focus();
  }

  function reveal(found) {
    const wrong = firstShown((id) => found.some(({ fieldId }) => fieldId === id));
    if (wrong === undefined) return false;
    (settings.reveal ?? focus)(wrong);
    return true;
  }

  function touch(fieldId) {
    if (!settings.isQuiet) touched.add(fieldId);
    leave(fieldId);
    refresh();
  }

  for (const [fieldId, value] of Object.entries({ ...settings.values, ...entered })) enter(fieldId, value);
  choices.update();
  refresh();

  return {
    get fieldIds() {
      return [...fieldIds];
    },
    get values() {
      return { ...values };
    },
    get problems() {
      return problems;
    },
    /** Returns the controls whose problem is shown. */
    get wrong() {
      return [...shown.values()].filter(({ isShown, problem }) => isShown && problem !== undefined);
    },
    get,
    setValue,
    touch,
    check() {
      for (const fieldId of fieldIds) {
        touched.add(fieldId);
        leave(fieldId);
      }
      refresh();
      reveal(problems);
      return problems;
    },
    showProblems(given = []) {
      const sameIdOf = (other) => fieldIds.find((id) => lettersOf(id) === lettersOf(other));
      const found = given.map((problem) => ({ ...problem, fieldId: sameIdOf(problem.fieldId) }));
      const own = found.filter(({ fieldId }) => fieldId !== undefined);
      for (const problem of own) {
        refused.set(problem.fieldId, problem);
        touched.add(problem.fieldId);
      }
      refresh();
      return reveal(own);
    },
    toFields: () => form.toFields(Object.fromEntries(fieldIds.map((fieldId) => [fieldId, values[fieldId]]))),
    valueText(fieldId) {
      const { controlProps, options, prefix } = get(fieldId);
      const { value } = controlProps;
      const chosen = options.find(({ id }) => id === value);
      return chosen?.name ?? (prefix && value ? `${prefix} ${value}` : value);
    },
    focus,
    bind(fieldId, elements) {
      const { control, retry } = elements;
      showControl(get(fieldId), elements);
      bound.set(fieldId, elements);
      const set = () => {
        if (control.value !== textOf(values[fieldId])) setValue(fieldId, control.value);
      };
      control?.addEventListener("input", set);
      control?.addEventListener("change", set);
      control?.addEventListener("blur", () => touch(fieldId));
      retry?.addEventListener("click", () => get(fieldId).retry());
    },
    refresh,
    onChange(listener) {
      if (typeof listener !== "function") throw invalid("InvalidRequest", "listener", "a function");
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    destroy() {
      isDestroyed = true;
      choices.abort();
      bound.clear();
      listeners.clear();
    },
  };
}

// Returns a page's function, if there is one.
function functionOf(name, given) {
  if (given === undefined || given === null) return undefined;
  if (typeof given !== "function") throw invalid("InvalidRequest", name, "a function");
  return given;
}

function localized(field, texts) {
  const { fieldId, name, label, hintText, placeholderText } = field;
  return {
    ...field,
    label: texts("fields", fieldId, label || name),
    hintText: texts("hints", fieldId, hintText),
    placeholderText: texts("placeholders", fieldId, placeholderText),
  };
}
