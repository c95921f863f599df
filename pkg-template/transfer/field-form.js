import { invalid, lettersOf, makePublic, readMembers, readText, toJson } from "./transfer-imports.js";

// The names that a record has outside its `fields`.
const NAMES = ["firstName", "lastName", "companyName"];

/** The fields to collect on one screen. */
export class FieldForm {
  #handle;
  #form;
  // Copies, which stay readable after the module is gone.
  #fieldSets;
  #requiresCard;
  #fields;

  constructor(handle, form) {
    this.#handle = handle;
    this.#form = form;
    this.#fieldSets = form.fieldSets;
    this.#requiresCard = form.requiresCard;
    this.#fields = this.#fieldSets.flatMap(({ fields }) => fields);
    handle.rememberFields(this.#fields);
    makePublic(this, (error) => handle.explain(error));
  }

  get fieldSets() {
    return this.#fieldSets;
  }

  get requiresCard() {
    return this.#requiresCard;
  }

  check(values) {
    return this.#find(values, false);
  }

  warnings(values) {
    return this.#find(values, true);
  }

  // As in Rust, by the same test vectors: it must also answer without a module, for a fake form or one whose
  // kit was destroyed.
  dependents(fieldId) {
    const changed = readText(fieldId, "fieldId");
    const found = new Set([changed]);
    for (const id of found) {
      const isNamed = ({ optionsSource }) => optionsSource?.includes(`{${id}}`);
      this.#fields.filter(isNamed).forEach((field) => found.add(field.fieldId));
    }
    found.delete(changed);
    return this.#fields.map((field) => field.fieldId).filter((id) => found.has(id));
  }

  isRequired(fieldId, values = {}) {
    const id = readText(fieldId, "fieldId");
    // Its own value does not matter, nor whether it can be sent.
    const others = { ...readMembers(values, "values"), [id]: null };
    return this.#handle.run(() => this.#form.isRequired(id, composed(others)));
  }

  async options(fieldId, values = {}, options) {
    const id = readText(fieldId, "fieldId");
    const json = toJson(values, "values");
    return this.#handle.call((core, signal) => this.#form.options(id, json, signal), options);
  }

  toFields(values) {
    return this.#handle.run(() => this.#form.toFields(composed(values)));
  }

  // Not in Rust: it must also answer without a module.
  valuesOf(record) {
    const given = JSON.parse(toJson(record, "record"));
    const { fields } = given;
    if ((fields ?? null) !== null && !Array.isArray(fields)) {
      throw invalid("InvalidRequest", "record.fields", "a list of fields");
    }
    const known = new Map(NAMES.map((name) => [normalized(name), given[name]]));
    fields?.forEach((field) => known.set(normalized(field?.id), field?.value));
    const found = this.#fields.map(({ fieldId }) => [fieldId, known.get(normalized(fieldId))]);
    return Object.fromEntries(found.filter(([, value]) => (value ?? null) !== null));
  }

  #find(values, warnings) {
    const found = this.#handle.run(() => this.#form.check(composed(values), warnings));
    return this.#handle.translateProblems(found, this.#fields);
  }
}

// Some keyboards, and texts copied from files, have an accent apart from its letter, which patterns refuse.
// Ids stay as they are, and so do escapes: `\n` before a mark is no letter.
function composed(values) {
  const json = toJson(values, "values");
  if (json.normalize("NFC") === json) return json;
  return json.replace(/"(?:[^"\\]|\\.)*"(:?)/g, (text, colon) =>
    colon ? text : JSON.stringify(JSON.parse(text).normalize("NFC")),
  );
}

const normalized = (id) => (typeof id === "string" ? lettersOf(id) : "");
