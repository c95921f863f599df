import { readText, toJson } from "./plain.js";

/** The fields that a screen collects, as the service asked for them just now. */
export class FieldForm {
  #handle;
  #form;
  #fieldSets;
  #requiresCard;

  constructor(handle, form) {
    this.#handle = handle;
    this.#form = form;
    [this.#fieldSets, this.#requiresCard] = handle.run(() => [form.fieldSets, form.requiresCard]);
  }

  get fieldSets() {
    return this.#fieldSets;
  }

  get requiresCard() {
    return this.#requiresCard;
  }

  check(values) {
    const json = toJson(values, "values");
    const problems = JSON.parse(this.#handle.run(() => this.#form.check(json)));
    return this.#handle.translateProblems(problems);
  }

  async options(fieldId, values = {}, options) {
    const id = readText(fieldId, "fieldId");
    const json = toJson(values, "values");
    return this.#handle.call((_, signal) => this.#form.options(id, json, signal), options);
  }

  toFields(values) {
    const json = toJson(values, "values");
    return JSON.parse(this.#handle.run(() => this.#form.toFields(json)));
  }
}
