import { fieldsOf } from "./control.js";

const NONE = Object.freeze([]);

/** The choices of a form's dropdowns, fetched again when what they depend on changes. */
export class FieldChoices {
  #form;
  #onChange;
  #requests = new Map();

  constructor(form, onChange) {
    this.#form = form;
    this.#onChange = onChange;
    for (const field of fieldsOf(form)) {
      if (field.fieldType === "DROPDOWN") {
        this.#requests.set(field.fieldId, { options: NONE, isLoading: false, needs: needsOf(form, field.fieldId) });
      }
    }
  }

  /** The `options` of a field, whether they are being fetched, and the `error` if that failed. */
  of(fieldId) {
    const { options = NONE, error, isLoading = false } = this.#requests.get(fieldId) ?? {};
    return { options, error, isLoading };
  }

  /** Fetches what belongs to other values than before. */
  update(values) {
    for (const [fieldId, request] of this.#requests) {
      const key = JSON.stringify(request.needs.map((name) => values[name] ?? null));
      if (request.key !== key) this.#fetch(fieldId, { ...request, key }, values);
    }
  }

  retry(fieldId, values) {
    const request = this.#requests.get(fieldId);
    if (request !== undefined) this.#fetch(fieldId, request, values);
  }

  abort() {
    this.#requests.forEach(({ abort }) => abort?.abort());
    this.#onChange = () => {};
  }

  async #fetch(fieldId, { abort: earlier, needs, key }, values) {
    earlier?.abort();
    const abort = new AbortController();
    const { signal } = abort;
    // Never the choices for other values.
    this.#requests.set(fieldId, { options: NONE, isLoading: true, needs, key, abort });
    const settle = (result) => {
      if (signal.aborted) return;
      this.#requests.set(fieldId, { options: NONE, isLoading: false, needs, key, abort, ...result });
      this.#onChange();
    };
    try {
      settle({ options: await this.#form.options(fieldId, values, { signal }) });
    } catch (error) {
      settle({ error });
    }
  }
}

/** Returns the fields on whose values the choices of one depend. */
export const needsOf = (form, fieldId) =>
  fieldsOf(form).map((field) => field.fieldId).filter((id) => form.dependents(id).includes(fieldId));
