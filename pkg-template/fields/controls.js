import { invalid } from "../errors.js";
import { readMembers, readText } from "../plain.js";
import { makePublic } from "../public-object.js";
import { FieldChoices } from "./choices.js";
import {
  fieldControl, fieldsOf, isBlank, lettersOf, localized, prefixOf, sentValue, textFor, textOf, valueOf,
} from "./control.js";
import { showControl } from "./show-control.js";

const NO_MESSAGES = {};

export function createFieldControls(form, options = {}) {
  const given = readMembers(options, "options");
  const { values = {}, masked = {}, country, autofill, idPrefix = "remit", messages, filterOptions, filter } = given;
  return new FieldControls(form, {
    values: readMembers(values, "options.values"),
    masked: readMembers(masked, "options.masked"),
    country: country === undefined ? undefined : readText(country, "options.country"),
    autofill: autofill === true,
    idPrefix: readText(idPrefix, "options.idPrefix"),
    messages: messages ?? NO_MESSAGES,
    filterOptions,
    filter,
  });
}

/** The controls of a form on a page without a framework: values, problems and choices, kept up to date. */
export class FieldControls {
  #form;
  #settings;
  #fields;
  #values;
  #choices;
  #touched = new Set();
  // What the service found, until the value changes.
  #refused = new Map();
  #bound = new Map();
  // The problems and warnings of the values as they are.
  #found;
  #listeners = new Set();
  #isDestroyed = false;

  constructor(form, { values, ...settings }) {
    this.#form = form;
    // Without what objects inherit: a service may call a field `constructor`.
    this.#values = { __proto__: null, ...values };
    this.#settings = { ...settings, masked: { __proto__: null, ...settings.masked } };
    const known = fieldsOf(form, settings.filter).map((field) => [field.fieldId, localized(field, settings.messages)]);
    this.#fields = new Map(known);
    this.#choices = new FieldChoices(form, (...settled) => this.#onChoices(...settled));
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
    this.#fieldOf(fieldId);
    return this.#controlOf(fieldId, ...this.#findings);
  }

  setValue(fieldId, value) {
    if (this.#isDestroyed) return;
    // A field that is not there has no dependents.
    const field = this.#fields.get(fieldId);
    const before = this.#values[fieldId];
    const isText = field !== undefined && typeof value === "string";
    const given = isText ? valueOf(field, value, this.#settings.country, before) : value;
    this.#values = { __proto__: null, ...this.#values, [fieldId]: given };
    // Nothing chosen is no choice that the form refuses.
    if (given === undefined || given === "") delete this.#values[fieldId];
    this.#refused.delete(fieldId);
    for (const dependent of this.#form.dependents(fieldId)) {
      delete this.#values[dependent];
      this.#touched.delete(dependent);
      this.#refused.delete(dependent);
    }
    this.#choices.update(this.#values);
    this.#show(fieldId);
  }

  touch(fieldId) {
    this.#leave(fieldId);
    this.#show();
  }

  check() {
    for (const fieldId of this.#fields.keys()) this.#leave(fieldId);
    this.#show();
    const { problems } = this;
    this.#focusOneOf(problems);
    return problems;
  }

  showProblems(problems) {
    for (const problem of problems) {
      const fieldId = this.fieldIds.find((id) => isSameField(id, problem.fieldId));
      if (fieldId !== undefined) this.#refused.set(fieldId, { ...problem, fieldId });
    }
    this.#show();
    return this.#focusOneOf([...this.#refused.values()]);
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

  focus(fieldId) {
    const isShown = ([id]) => this.get(id).isShown;
    const [, elements] = [...this.#bound].find(([id]) => id === fieldId) ?? [...this.#bound].find(isShown) ?? [];
    elements?.control?.focus();
  }

  bind(fieldId, elements) {
    this.#fieldOf(fieldId);
    const { control, retry } = elements;
    this.#bound.set(fieldId, elements);
    if (control !== undefined) {
      const set = () => {
        if (control.value !== textOf(this.#values[fieldId])) this.setValue(fieldId, control.value);
      };
      control.addEventListener("input", set);
      control.addEventListener("change", set);
      control.addEventListener("blur", () => this.touch(fieldId));
    }
    retry?.addEventListener("click", () => this.#choices.retry(fieldId, this.#values));
    showControl(this.get(fieldId), elements);
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

  #fieldOf(fieldId) {
    const field = this.#fields.get(fieldId);
    if (field === undefined) throw invalid("InvalidRequest", "fieldId", "the id of a field of this form");
    return field;
  }

  // From now on its problem is shown, and the control shows what is sent.
  #leave(fieldId) {
    this.#touched.add(fieldId);
    const value = this.#values[fieldId];
    if (!isBlank(value)) this.#values[fieldId] = sentValue(this.#form, fieldId, value);
  }

  // A choice that is no longer offered would be sent unseen.
  #onChoices(fieldId, error) {
    const value = this.#values[fieldId];
    const isOffered = () => this.#choicesOf(fieldId).options.some(({ id, disabled }) => id === value && !disabled);
    if (error !== undefined) this.#settings.onFailure?.(fieldId, error);
    if (error !== undefined || isBlank(value) || isOffered()) this.#show();
    else this.setValue(fieldId, undefined);
  }

  #choicesOf(fieldId) {
    const { filterOptions, messages } = this.#settings;
    const { options, ...others } = this.#choices.of(fieldId);
    const accepted = filterOptions?.(fieldId, options) ?? options;
    const nameOf = ({ id, name }) =>
      messages.options?.[`${fieldId}.${id}`] ?? textFor(messages.options, id, name, messages);
    return { ...others, options: accepted.map((option) => ({ ...option, name: nameOf(option) })) };
  }

  get #findings() {
    return (this.#found ??= this.#find());
  }

  // Returns what is wrong, and what may be.
  #find() {
    const { masked, filter } = this.#settings;
    // A field that is left out is another screen's, and a masked value is the service's already.
    const isOpen = ({ fieldId }) =>
      (filter === undefined || this.#fields.has(fieldId)) && !(fieldId in masked && isBlank(this.#values[fieldId]));
    try {
      const found = this.#form.check(this.#values).filter(isOpen);
      const own = found.filter(({ fieldId }) => !this.#refused.has(fieldId)).map((one) => this.#worded(one));
      return [[...own, ...this.#refused.values()], this.#form.warnings(this.#values)];
    } catch {
      // `toFields` reports values that cannot be sent.
      return [[...this.#refused.values()], []];
    }
  }

  // The messages may know better than the code what is wrong.
  #worded(problem) {
    const { fieldId } = problem;
    const { messages, country } = this.#settings;
    const [field, value] = [this.#fields.get(fieldId), this.#values[fieldId]];
    if (messages.problem === undefined || field === undefined) return problem;
    const accepts = (text) => {
      const values = { ...this.#values, [fieldId]: valueOf(field, text, country, value) };
      return !this.#form.check(values).some((one) => one.fieldId === fieldId);
    };
    const code = prefixOf(this.#form, country, field, value);
    return { ...problem, message: messages.problem(problem, field, value, accepts, code) };
  }

  #controlOf(fieldId, problems, warnings) {
    const isShown = (found) =>
      found.fieldId === fieldId && (this.#touched.has(fieldId) || this.#refused.has(fieldId));
    const state = {
      values: this.#values,
      problem: problems.find(isShown),
      warning: warnings.find(isShown),
      masked: this.#settings.masked[fieldId],
      ...this.#choicesOf(fieldId),
    };
    const control = fieldControl(this.#form, this.#fields.get(fieldId), state, this.#settings);
    return { ...control, retry: () => this.#choices.retry(fieldId, this.#values) };
  }

  #focusOneOf(problems) {
    const ids = problems.map(({ fieldId }) => fieldId);
    const wrong = [...this.#bound].find(([fieldId]) => ids.includes(fieldId) && this.get(fieldId).isShown);
    wrong?.[1].control?.focus();
    return wrong !== undefined;
  }

  #show(changed) {
    this.#found = undefined;
    this.#bound.forEach((elements, fieldId) => showControl(this.get(fieldId), elements));
    this.#listeners.forEach((listener) => listener(changed));
  }
}

const isSameField = (one, other) => lettersOf(one) === lettersOf(other);
