import { contentOf } from "../../input/content.js";
import { functionOf } from "../../input/page-function.js";
import { lettersOf } from "../../input/letters-of.js";
import { invalid } from "../../errors/errors.js";
import { fieldChoices } from "./choices.js";
import { attempt, fieldControl, fieldsOf, isBlank, memberOf, sentValue, textOf, valueOf } from "../control.js";
import { byField, findingsOf, saidOf } from "./findings.js";
import { isNeeded } from "./is-needed.js";
import { localizedField } from "./localized-field.js";
import { offeredChoices } from "./offered-choices.js";
import { isSameList } from "./same-list.js";
import { isEmptied } from "../page-shown.js";
import { afterPress, isPressing, watchPresses } from "../presses.js";
import { isShownValue, rememberShown, showControl, showValue } from "./show-control.js";
import { isEntry, TYPED } from "../typed-events.js";

/**
 * Creates the controls of a form on a page without a framework: values, problems and choices, kept up to date.
 *
 * Besides the public options, an element sets `texts`; `entered`, which overrides `values` and gets what is set;
 * `isQuiet`: who leaves a field is not told of its problem; `reveal`, which focuses one of several fields;
 * `onChoices`, called with the id of a field whose choices have arrived, or with an error as well; and `filterName`,
 * its name for `filterOptions`. The element's corrections set `word`, which says a problem better than its code does.
 */
export function fieldControls(form, settings) {
  const { country, filterName = "filterOptions", entered = { __proto__: null } } = settings;
  // Without what objects inherit: a service may call a field `constructor`.
  const values = { __proto__: null };
  const touched = new Set();
  // What the service found, until the value changes.
  const refused = new Map();
  // Dates that the browser has not understood: their control shows something, but has no value.
  const unread = new Set();
  // Fields that are shown, and what those that are no longer so had.
  const seen = new Set();
  const takenAlong = new Map();
  const bound = new Map();
  const listeners = new Set();
  const choices = fieldChoices(form, values, onChoices);
  const choicesOf = offeredChoices(choices, settings, filterName);
  let isDestroyed = false;
  // What is wrong is told where the focus goes, and not twice.
  let isRevealing = false;
  let { texts } = settings;
  let filter = functionOf("filter", settings.filter);
  let fields = localizedFields();
  let shown = new Map();
  let problems;

  function localizedFields() {
    return new Map(fieldsOf(form, filter).map((field) => [field.fieldId, localizedField(field, texts)]));
  }

  // Text for a phone number becomes a number of the form's country.
  function enter(fieldId, value) {
    const field = fields.get(fieldId);
    const isText = field !== undefined && typeof value === "string";
    const taken = isText ? valueOf(field, value, country, values[fieldId]) : value;
    // Nothing chosen is no choice that the form refuses.
    if (taken === undefined || taken === "") delete values[fieldId];
    else values[fieldId] = taken;
  }

  function put(fieldId, value) {
    const dependents = form.dependents(fieldId);
    for (const id of dependents) {
      delete values[id];
      touched.delete(id);
    }
    enter(fieldId, value);
    for (const id of [fieldId, ...dependents]) {
      refused.delete(id);
      unread.delete(id);
      entered[id] = values[id];
    }
    choices.update();
  }

  // It wins over what is half typed, or may have come into the control without an event.
  function replace(fieldId, value) {
    put(fieldId, value);
    showEntered(fieldId);
  }

  // Drops what was found of a value, or half typed in its place.
  function forget(fieldId) {
    refused.delete(fieldId);
    unread.delete(fieldId);
    showEntered(fieldId);
  }

  function showEntered(fieldId) {
    const { control } = bound.get(fieldId) ?? {};
    if (!control) return;
    // What is half typed has no value.
    if (control.validity?.badInput) control.value = "";
    showValue(control, textOf(values[fieldId]));
  }

  function setValue(fieldId, value) {
    if (isDestroyed) return;
    replace(fieldId, value);
    refresh([fieldId]);
  }

  // A field that goes away takes along what was entered, which nobody would see, and brings it back. Returns the ids
  // of those whose values have changed.
  function takeAlong() {
    const changed = [];
    for (const id of fields.keys()) {
      const { isShown } = get(id);
      if (isShown === seen.has(id)) continue;
      seen[isShown ? "add" : "delete"](id);
      const hasValue = !isBlank(values[id]);
      const value = isShown ? takenAlong.get(id) : undefined;
      const isChanged = isShown ? value !== undefined && !hasValue : hasValue || unread.has(id) || refused.has(id);
      if (!isShown && hasValue) takenAlong.set(id, values[id]);
      else takenAlong.delete(id);
      if (!isShown) touched.delete(id);
      if (!isChanged) continue;
      replace(id, value);
      changed.push(id);
    }
    return changed;
  }

  // Takes what stands in the controls, whatever events said so. Returns the ids of the fields that have changed.
  function readControls(typedId) {
    const changed = [];
    for (const [fieldId, { control }] of bound) {
      if (!control) continue;
      const isUnread = control.type === "date" && control.validity?.badInput === true;
      if (fieldId !== typedId && !isUnread && isEmptied(control)) continue;
      const isTyped = !isShownValue(control) && control.value !== textOf(values[fieldId]);
      if (isTyped) {
        put(fieldId, control.value);
        // Until it is shown, which waits for a press, what stood there before is typed, too.
        rememberShown(control);
      }
      if (isTyped || unread.has(fieldId) !== isUnread) changed.push(fieldId);
      unread[isUnread ? "add" : "delete"](fieldId);
    }
    return changed;
  }

  function read(typedId) {
    const changed = readControls(typedId);
    if (changed.length > 0) refresh(changed);
  }

  // The control shows what is sent.
  function leave(fieldId) {
    const value = values[fieldId];
    if (!isBlank(value)) values[fieldId] = sentValue(form, fieldId, value);
  }

  function onChoices(settled) {
    if (isDestroyed) return;
    refresh();
    for (const [fieldId, failed] of settled) settings.onChoices?.(fieldId, choicesOf(fieldId, texts).error ?? failed);
  }

  // A choice that is no longer offered would be sent unseen. Returns the ids of those whose values have changed.
  function dropChoices() {
    const isDropped = (fieldId) => {
      const { element, options, error, isLoading } = get(fieldId);
      const value = values[fieldId];
      // What is no id is an error of the page, which `toFields` names.
      const isId = typeof value === "string" || typeof value === "number";
      // A control of the page's own may be one that people type into.
      const isTyped = bound.get(fieldId)?.control?.localName === "input";
      if (element !== "select" || !isId || isTyped || error || isLoading) return false;
      return !options.some(({ id, disabled }) => `${id}` === `${value}` && !disabled);
    };
    const dropped = [...fields.keys()].filter(isDropped);
    dropped.forEach((id) => replace(id, undefined));
    return dropped;
  }

  // Returns the same again as long as it says the same: a form may have hundreds of fields.
  function describe(fieldId, problem, warning) {
    const field = fields.get(fieldId);
    const { options, ...state } = choicesOf(fieldId, texts);
    const needed = isNeeded(form, field, values);
    const said = problem && saidOf(problem);
    const list = options.length > 0 ? options : undefined;
    const masked = memberOf(settings.masked, fieldId);
    const key = [field, values[fieldId], masked, needed, said, warning?.message, list, ...Object.values(state)];
    const before = shown.get(fieldId);
    if (before && isSameList(before.key, key)) return before;
    const own = { masked, isNeeded: needed };
    const found = { values, problem: problem && { message: said }, warning, ...own, ...state, options };
    const retry = () => {
      choices.retry(fieldId);
      refresh();
    };
    return { key, control: { ...fieldControl(form, field, found, settings), retry } };
  }

  function get(fieldId) {
    if (!fields.has(fieldId)) throw invalid("InvalidRequest", "fieldId", "the id of a field of this form");
    return shown.get(fieldId).control;
  }

  function judge() {
    const known = { values, unread, refused, fields, all: filter === undefined };
    const findings = attempt(() => findingsOf(form, known, settings, texts), [[...refused.values()], []]);
    [problems] = findings;
    const [wrong, odd] = findings.map(byField);
    const told = (found, fieldId) => (touched.has(fieldId) ? found.get(fieldId) : undefined);
    shown = new Map([...fields.keys()].map((id) => [id, describe(id, told(wrong, id), told(odd, id))]));
  }

  // Shows everything again, and tells which fields have changed.
  function refresh(changed = []) {
    const ids = new Set([...changed, ...readControls()]);
    judge();
    const settle = () => [...dropChoices(), ...takeAlong()];
    for (let gone; !isPressing() && (gone = settle()).length > 0; judge()) gone.forEach((id) => ids.add(id));
    // What is pressed must not be moved by words.
    if (isPressing() && !isRevealing) afterPress(bound, refreshAfterPress);
    else bound.forEach((elements, fieldId) => showControl(get(fieldId), elements, texts, isRevealing));
    for (const id of ids.size > 0 ? ids : [undefined]) listeners.forEach((listener) => listener(id));
  }

  const refreshAfterPress = () => isDestroyed || refresh();

  const firstShown = (isWanted) => [...bound.keys()].find((fieldId) => isWanted(fieldId) && get(fieldId).isShown);

  function focus(fieldId = firstShown(() => true)) {
    bound.get(fieldId)?.control?.focus();
  }

  // Shows what is wrong, and focuses it. Returns whether any of it is shown.
  function reveal(found) {
    isRevealing = true;
    refresh();
    const ids = new Set((found ?? problems).map(({ fieldId }) => fieldId));
    const wrong = firstShown((id) => ids.has(id));
    if (wrong !== undefined) (settings.reveal ?? focus)(wrong);
    isRevealing = false;
    return wrong !== undefined;
  }

  function touch(fieldId) {
    if (!settings.isQuiet) touched.add(fieldId);
    leave(fieldId);
    refresh();
  }

  function enterAll() {
    for (const [fieldId, value] of Object.entries({ ...settings.values, ...entered })) enter(fieldId, value);
    choices.update();
  }

  // Takes what is entered instead. Where that is the same, what is half typed stays.
  function setValues(given) {
    readControls();
    takenAlong.clear();
    const before = { ...values };
    for (const object of [values, entered]) Object.keys(object).forEach((id) => delete object[id]);
    Object.assign(entered, given);
    enterAll();
    const ids = [...new Set([...Object.keys(before), ...Object.keys(values)])];
    const changed = ids.filter((id) => contentOf([before[id]]) !== contentOf([values[id]]));
    changed.forEach(forget);
    refresh(changed);
  }

  // Leaves out other fields. Those that stay go on.
  function setFilter(given) {
    filter = functionOf("filter", given);
    fields = localizedFields();
    for (const id of [...bound.keys()].filter((id) => !fields.has(id))) {
      bound.delete(id);
      seen.delete(id);
      touched.delete(id);
      forget(id);
    }
    // What was set while they were left out.
    for (const id of fields.keys()) if (typeof values[id] === "string") enter(id, values[id]);
    refresh();
  }

  function reset() {
    touched.clear();
    fields.forEach((_, id) => forget(id));
    setValues({});
  }

  enterAll();
  refresh();

  return {
    get fieldIds() {
      return [...fields.keys()];
    },
    get values() {
      return { ...values };
    },
    get problems() {
      return problems;
    },
    /** Whether a control shows what the browser has not understood. */
    get isUnread() {
      return unread.size > 0;
    },
    /** Returns the controls whose problem is shown. */
    get wrong() {
      const controls = [...shown.values()].map(({ control }) => control);
      return controls.filter(({ isShown, problem }) => isShown && problem !== undefined);
    },
    get,
    setValue,
    setValues,
    setFilter,
    reset,
    touch,
    read,
    check() {
      read();
      for (const fieldId of fields.keys()) {
        touched.add(fieldId);
        leave(fieldId);
      }
      reveal();
      return problems;
    },
    showProblems(given = []) {
      const sameIdOf = (other) => [...fields.keys()].find((id) => lettersOf(id) === lettersOf(other));
      const found = given.map((problem) => ({ ...problem, fieldId: sameIdOf(problem.fieldId) }));
      const own = found.filter(({ fieldId }) => fieldId !== undefined && get(fieldId).isShown);
      for (const problem of own) {
        refused.set(problem.fieldId, problem);
        touched.add(problem.fieldId);
      }
      return reveal(own);
    },
    toFields() {
      read();
      return form.toFields(Object.fromEntries([...fields.keys()].map((fieldId) => [fieldId, values[fieldId]])));
    },
    valueText(fieldId) {
      const { controlProps, options, prefix } = get(fieldId);
      const { value } = controlProps;
      const chosen = options.find(({ id }) => id === value);
      return chosen?.name ?? (prefix && value ? `${prefix} ${value}` : value);
    },
    focus,
    bind(fieldId, elements) {
      const { control, retry } = elements;
      watchPresses();
      showControl(get(fieldId), elements, texts);
      bound.set(fieldId, elements);
      const listen = (type, listener) => control?.addEventListener(type, listener);
      const isBound = () => bound.get(fieldId) === elements;
      for (const type of TYPED) listen(type, (event) => isBound() && read(isEntry(event) ? fieldId : undefined));
      listen("blur", () => isBound() && touch(fieldId));
      retry?.addEventListener("click", () => get(fieldId).retry());
    },
    reveal,
    /** Shows everything again, such as problems in other words. */
    refresh: () => refresh(),
    /** Says everything in other texts, in place. */
    translate(given) {
      texts = given;
      fields = localizedFields();
      refresh();
    },
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
