import { invalid } from "../errors.js";
import { readMembers, readText } from "../plain.js";
import { makePublic } from "../public-object.js";
import { FieldChoices } from "./choices.js";
import { fieldControl, fieldsOf, valueOf } from "./control.js";

export function createFieldControls(form, options = {}) {
  const { values = {}, country, autofill, idPrefix = "remit" } = readMembers(options, "options");
  return new FieldControls(form, {
    values: readMembers(values, "options.values"),
    country: country === undefined ? undefined : readText(country, "options.country"),
    autofill: autofill === true,
    idPrefix: readText(idPrefix, "options.idPrefix"),
  });
}

/** The controls of a form on a page without a framework: values, problems and choices, kept up to date. */
class FieldControls {
  #form;
  #settings;
  #fields;
  #values;
  #choices;
  #touched = new Set();
  #bound = new Map();
  #listeners = new Set();
  #isDestroyed = false;

  constructor(form, { values, ...settings }) {
    this.#form = form;
    this.#values = { ...values };
    this.#settings = settings;
    this.#fields = new Map(fieldsOf(form).map((field) => [field.fieldId, field]));
    this.#choices = new FieldChoices(form, () => this.#show());
    this.#choices.update(this.#values);
    makePublic(this);
  }

  get values() {
    return { ...this.#values };
  }

  get fieldIds() {
    return [...this.#fields.keys()];
  }

  get(fieldId) {
    this.#fieldOf(fieldId);
    const [problems, warnings] = this.#findings();
    return this.#controlOf(fieldId, problems, warnings);
  }

  setValue(fieldId, value) {
    if (this.#isDestroyed) return;
    // A field that is not there has no dependents.
    const field = this.#fields.get(fieldId);
    const before = this.#values[fieldId];
    const isText = field !== undefined && typeof value === "string";
    const given = isText ? valueOf(field, value, this.#settings.country, before) : value;
    this.#values = { ...this.#values, [fieldId]: given };
    for (const dependent of this.#form.dependents(fieldId)) {
      delete this.#values[dependent];
      this.#touched.delete(dependent);
    }
    this.#choices.update(this.#values);
    this.#show();
  }

  touch(fieldId) {
    this.#touched.add(fieldId);
    this.#show();
  }

  check() {
    this.#fields.forEach((_, fieldId) => this.#touched.add(fieldId));
    this.#show();
    const problems = this.#form.check(this.#values);
    const wrong = problems.find(({ fieldId }) => this.#bound.has(fieldId));
    if (wrong !== undefined) this.#bound.get(wrong.fieldId).control?.focus();
    return problems;
  }

  toFields() {
    return this.#form.toFields(this.#values);
  }

  bind(fieldId, elements) {
    this.#fieldOf(fieldId);
    const { control } = elements;
    this.#bound.set(fieldId, elements);
    if (control !== undefined) {
      const set = () => this.setValue(fieldId, control.value);
      control.addEventListener("input", set);
      control.addEventListener("change", set);
      control.addEventListener("blur", () => this.touch(fieldId));
    }
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

  #fieldOf(fieldId) {
    const field = this.#fields.get(fieldId);
    if (field === undefined) throw invalid("InvalidRequest", "fieldId", "the id of a field of this form");
    return field;
  }

  #findings() {
    try {
      return [this.#form.check(this.#values), this.#form.warnings(this.#values)];
    } catch {
      // `check` of the page reports values that cannot be sent.
      return [[], []];
    }
  }

  #controlOf(fieldId, problems, warnings) {
    const isOwn = (found) => found.fieldId === fieldId && this.#touched.has(fieldId);
    const state = {
      values: this.#values,
      problem: problems.find(isOwn),
      warning: warnings.find(isOwn),
      ...this.#choices.of(fieldId),
    };
    const control = fieldControl(this.#form, this.#fields.get(fieldId), state, this.#settings);
    return { ...control, retry: () => this.#choices.retry(fieldId, this.#values) };
  }

  #show() {
    if (this.#bound.size > 0) {
      const [problems, warnings] = this.#findings();
      for (const [fieldId, elements] of this.#bound) {
        showControl(this.#controlOf(fieldId, problems, warnings), elements);
      }
    }
    this.#listeners.forEach((listener) => listener());
  }
}

function showControl(state, { row, label, control, prefix, hint, problem }) {
  if (row) row.hidden = !state.isShown;
  if (label) showText(label, state.labelProps, state.label);
  if (prefix) showText(prefix, state.prefixProps, state.prefix ?? "");
  if (hint) showText(hint, state.hintProps, state.hint ?? "");
  const told = state.problem ?? state.warning ?? state.error?.userMessage;
  if (problem) showText(problem, state.problemProps, told ?? "");
  if (!control) return;
  const { value, ...props } = state.controlProps;
  setProps(control, props);
  if (state.element === "select") showOptions(control, state.options);
  if (control.value !== value) control.value = value;
}

function showText(element, props, text) {
  setProps(element, props);
  if (element.textContent !== text) element.textContent = text;
  element.hidden = text === "";
}

function setProps(element, props) {
  for (const [name, value] of Object.entries(props)) {
    const attribute = name === "htmlFor" ? "for" : name.toLowerCase();
    if (value === undefined) element.removeAttribute(attribute);
    else if (element.getAttribute(attribute) !== `${value}`) element.setAttribute(attribute, value);
  }
}

// The first option is the page's own, such as "Choose".
function showOptions(select, options) {
  const [first = new Option("–", ""), ...shown] = select.options;
  const isSame =
    shown.length === options.length &&
    shown.every(({ value, text }, at) => {
      const { id, name } = options[at];
      return value === id && text === (name ?? id);
    });
  if (!isSame || select.options.length === 0) {
    select.replaceChildren(first, ...options.map(({ id, name }) => new Option(name ?? id, id)));
  }
}
