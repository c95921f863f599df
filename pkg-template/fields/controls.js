import { invalid } from "../errors.js";
import { makePublic } from "../public-object.js";
import { fieldChoices } from "./choices.js";
import { attempt, fieldControl, fieldsOf, isBlank, lettersOf, sentValue, textOf, valueOf } from "./control.js";
import { showControl } from "./show-control.js";

/** The controls of a form on a page without a framework: values, problems and choices, kept up to date. */
export class FieldControls {
  #form;
  #settings;
  #fields;
  // Without what objects inherit: a service may call a field `constructor`.
  #values = { __proto__: null };
  #choices;
  #touched = new Set();
  // What the service found, until the value changes.
  #refused = new Map();
  #bound = new Map();
  // What was found out about the values as they are.
  #found;
  #shown = new Map();
  #listeners = new Set();
  #isDestroyed = false;

  /**
   * Besides the public options, an element sets `texts`; `word`, which says a problem better than its code does;
   * `isQuiet`: who leaves a field is not told of its problem; `reveal`, which focuses one of several fields; and
   * `onChoices`, called with the id of a field whose choices have arrived, or with an error as well.
   */
  constructor(form, { values, masked, ...settings }) {
    this.#form = form;
    this.#settings = { ...settings, masked: { __proto__: null, ...masked } };
    const fields = fieldsOf(form, settings.filter).map((field) => [field.fieldId, localized(field, settings.texts)]);
    this.#fields = new Map(fields);
    for (const [fieldId, value] of Object.entries(values)) this.#enter(fieldId, value);
    this.#choices = fieldChoices(form, (...settled) => this.#onChoices(...settled));
    this.#choices.update(this.#values);
    makePublic(this);
  }

  get values() {
    return { ...this.#values };
  }

  get fieldIds() {
    return [...this.#fields.keys()];
  }

  get problems() {
    return this.#findings[0];
  }

  get(fieldId) {
    if (!this.#fields.has(fieldId)) throw invalid("InvalidRequest", "fieldId", "the id of a field of this form");
    if (!this.#shown.has(fieldId)) this.#shown.set(fieldId, this.#describe(fieldId));
    return this.#shown.get(fieldId);
  }

  setValue(fieldId, value) {
    if (this.#isDestroyed) return;
    const dependents = this.#form.dependents(fieldId);
    for (const id of dependents) {
      delete this.#values[id];
      this.#touched.delete(id);
    }
    for (const id of [fieldId, ...dependents]) this.#refused.delete(id);
    this.#enter(fieldId, value);
    this.#choices.update(this.#values);
    this.#show(fieldId);
  }

  touch(fieldId) {
    this.#leave(fieldId, this.#settings.isQuiet);
    this.#show();
  }

  check() {
    this.#fields.forEach((_, fieldId) => this.#leave(fieldId));
    this.#show();
    this.#reveal(this.problems);
    return this.problems;
  }

  showProblems(problems) {
    const sameIdOf = (other) => this.fieldIds.find((id) => lettersOf(id) === lettersOf(other));
    const found = problems.map((problem) => ({ ...problem, fieldId: sameIdOf(problem.fieldId) }));
    const own = found.filter(({ fieldId }) => fieldId !== undefined);
    own.forEach((problem) => this.#refused.set(problem.fieldId, problem));
    this.#show();
    return this.#reveal(own);
  }

  toFields() {
    const own = this.fieldIds.map((fieldId) => [fieldId, this.#values[fieldId]]);
    return this.#form.toFields(Object.fromEntries(own));
  }

  valueText(fieldId) {
    const { controlProps, options, prefix } = this.get(fieldId);
    const { value } = controlProps;
    const chosen = options.find(({ id }) => id === value);
    return chosen?.name ?? (prefix && value ? `${prefix} ${value}` : value);
  }

  focus(fieldId = [...this.#bound.keys()].find((id) => this.get(id).isShown)) {
    this.#bound.get(fieldId)?.control?.focus();
  }

  bind(fieldId, elements) {
    const { control, retry } = elements;
    showControl(this.get(fieldId), elements);
    this.#bound.set(fieldId, elements);
    const set = () => {
      if (control.value !== textOf(this.#values[fieldId])) this.setValue(fieldId, control.value);
    };
    control?.addEventListener("input", set);
    control?.addEventListener("change", set);
    control?.addEventListener("blur", () => this.touch(fieldId));
    retry?.addEventListener("click", () => this.get(fieldId).retry());
  }

  /** Shows everything again, such as problems in other words. */
  refresh() {
    this.#show();
  }

  onChange(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  destroy() {
    this.#isDestroyed = true;
    this.#choices.abort();
    this.#bound.clear();
    this.#listeners.clear();
  }

  // Text for a phone number becomes a number of the form's country.
  #enter(fieldId, value) {
    const field = this.#fields.get(fieldId);
    const isText = field !== undefined && typeof value === "string";
    const given = isText ? valueOf(field, value, this.#settings.country, this.#values[fieldId]) : value;
    // Nothing chosen is no choice that the form refuses.
    if (given === undefined || given === "") delete this.#values[fieldId];
    else this.#values[fieldId] = given;
  }

  // The control shows what is sent, and from now on its problem, unless that is `quiet`.
  #leave(fieldId, isQuiet) {
    if (!isQuiet) this.#touched.add(fieldId);
    const value = this.#values[fieldId];
    if (!isBlank(value)) this.#values[fieldId] = sentValue(this.#form, fieldId, value);
  }

  // A choice that is no longer offered would be sent unseen.
  #onChoices(fieldId, error) {
    const value = this.#values[fieldId];
    const isOffered = () => this.#choicesOf(fieldId).options.some(({ id, disabled }) => id === value && !disabled);
    if (error !== undefined || isBlank(value) || isOffered()) this.#show();
    else this.setValue(fieldId, undefined);
    this.#settings.onChoices?.(fieldId, error);
  }

  #choicesOf(fieldId) {
    const { filterOptions, texts } = this.#settings;
    const { options, ...others } = this.#choices.of(fieldId);
    const accepted = filterOptions?.(fieldId, options) ?? options;
    const nameOf = ({ id, name }) => texts("options", `${fieldId}.${id}`, texts("options", id, name));
    return { ...others, options: accepted.map((option) => ({ ...option, name: nameOf(option) })) };
  }

  // What is wrong, and what may be.
  get #findings() {
    return (this.#found ??= attempt(() => this.#find(), [[...this.#refused.values()], []]));
  }

  // Throws for values that cannot be sent, which `toFields` reports.
  #find() {
    const { masked, word = ({ message }) => message } = this.#settings;
    // A field that is left out is another screen's, and a masked value is the service's already.
    const isOpen = ({ fieldId }) =>
      (this.#settings.filter === undefined || this.#fields.has(fieldId)) &&
      !this.#refused.has(fieldId) &&
      !(fieldId in masked && isBlank(this.#values[fieldId]));
    const found = [...this.#form.check(this.#values).filter(isOpen), ...this.#refused.values()];
    // A problem that cannot be said is one all the same.
    const saidBy = (one) => attempt(() => word(one, this.#fields.get(one.fieldId), this.#values), one.message);
    const said = found.map((one) => ({ ...one, message: this.#refused.get(one.fieldId)?.message ?? saidBy(one) }));
    return [said, this.#form.warnings(this.#values)];
  }

  #describe(fieldId) {
    const isShown = (found) =>
      found.fieldId === fieldId && (this.#touched.has(fieldId) || this.#refused.has(fieldId));
    const [problem, warning] = this.#findings.map((found) => found.find(isShown));
    const masked = this.#settings.masked[fieldId];
    const state = { values: this.#values, problem, warning, masked, ...this.#choicesOf(fieldId) };
    const retry = () => {
      this.#choices.retry(fieldId);
      this.#show();
    };
    return { ...fieldControl(this.#form, this.#fields.get(fieldId), state, this.#settings), retry };
  }

  #reveal(problems) {
    const ids = problems.map(({ fieldId }) => fieldId);
    const wrong = [...this.#bound.keys()].find((fieldId) => ids.includes(fieldId) && this.get(fieldId).isShown);
    if (wrong === undefined) return false;
    (this.#settings.reveal ?? ((fieldId) => this.focus(fieldId)))(wrong);
    return true;
  }

  #show(changed) {
    this.#found = undefined;
    this.#shown.clear();
    this.#bound.forEach((elements, fieldId) => showControl(this.get(fieldId), elements));
    this.#listeners.forEach((listener) => listener(changed));
  }
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
