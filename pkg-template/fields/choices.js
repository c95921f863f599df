import { fieldsOf, isBlank } from "./control.js";

const NONE = Object.freeze([]);

/** The choices of a form's dropdowns, fetched again when what they depend on changes. */
export class FieldChoices {
  #form;
  #onSettled;
  #requests = new Map();
  #values;

  /** `onSettled` is called with the id of a field whose choices have arrived, or with an error as well. */
  constructor(form, onSettled) {
    this.#form = form;
    this.#onSettled = onSettled;
    const needsOf = needsIn(form);
    const dropdowns = fieldsOf(form).filter(({ fieldType }) => fieldType === "DROPDOWN");
    const requests = dropdowns.map(({ fieldId }) => [fieldId, { isLoading: false, needs: needsOf(fieldId) }]);
    // After what they depend on.
    this.#requests = new Map(requests.sort(([, one], [, other]) => one.needs.length - other.needs.length));
  }

  /** The `options` of a field, whether they are being fetched, and the `error` if that failed. */
  of(fieldId) {
    const { options = NONE, error, isLoading = false } = this.#requests.get(fieldId) ?? {};
    return { options, error, isLoading };
  }

  /** Fetches what belongs to other values than before. */
  update(values) {
    this.#values = values;
    for (const [fieldId, request] of this.#requests) {
      const { needs, abort } = request;
      const key = JSON.stringify(needs.map((name) => values[name] ?? null));
      if (request.key === key) continue;
      // A choice from before, such as another country's state, may turn out not to be offered.
      const isOpen = (id) => !isBlank(values[id]) && this.of(id).isLoading;
      if (!needs.some(isOpen)) this.#fetch(fieldId, { ...request, key }, values);
      else {
        abort?.abort();
        this.#requests.set(fieldId, { isLoading: true, needs });
      }
    }
  }

  retry(fieldId, values) {
    const request = this.#requests.get(fieldId);
    if (request !== undefined) this.#fetch(fieldId, request, values);
  }

  abort() {
    this.#requests.forEach(({ abort }) => abort?.abort());
    this.#onSettled = () => {};
  }

  async #fetch(fieldId, { abort: earlier, needs, key }, values) {
    earlier?.abort();
    const abort = new AbortController();
    const { signal } = abort;
    // Never the choices for other values.
    this.#requests.set(fieldId, { isLoading: true, needs, key, abort });
    const settle = (result) => {
      if (signal.aborted) return;
      this.#requests.set(fieldId, { isLoading: false, needs, key, abort, ...result });
      this.#onSettled(fieldId, result.error);
      this.update(this.#values);
    };
    try {
      settle({ options: await this.#form.options(fieldId, values, { signal }) });
    } catch (error) {
      settle({ error });
    }
  }
}

/** Returns a function that returns on which fields' values the choices of a field depend. */
export function needsIn(form) {
  const dependents = fieldsOf(form).map(({ fieldId }) => [fieldId, form.dependents(fieldId)]);
  return (fieldId) => dependents.filter(([, ids]) => ids.includes(fieldId)).map(([id]) => id);
}
