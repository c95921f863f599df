import { fieldsOf, isBlank } from "./control.js";

const NONE = Object.freeze([]);

/**
 * The choices of a form's dropdowns, fetched again when what they depend on changes. `onSettled` is called with
 * the id of a field whose choices have arrived, or with an error as well.
 */
export function fieldChoices(form, onSettled) {
  const dropdowns = fieldsOf(form, ({ fieldType }) => fieldType === "DROPDOWN");
  const requests = new Map(dropdowns.map((field) => [field.fieldId, { needs: needsOf(field) }]));
  let values;

  /** Returns the `options` of a field, whether they are being fetched, and the `error` if that failed. */
  function of(fieldId) {
    const { options = NONE, error, isLoading = false } = requests.get(fieldId) ?? {};
    return { options, error, isLoading };
  }

  /** Fetches what belongs to other values than before. */
  function update(changed) {
    values = changed;
    for (const [fieldId, request] of requests) {
      const key = JSON.stringify(request.needs.map((id) => values[id] ?? null));
      // A choice from before, such as another country's state, may turn out not to be offered.
      const isOpen = request.needs.some((id) => !isBlank(values[id]) && of(id).isLoading);
      if (request.key !== key) begin(fieldId, isOpen ? undefined : key);
    }
  }

  function retry(fieldId) {
    const { key } = requests.get(fieldId) ?? {};
    if (key !== undefined) begin(fieldId, key);
  }

  // Never keeps the choices for other values. Without a `key` it only waits.
  async function begin(fieldId, key) {
    const request = requests.get(fieldId);
    request.abort?.abort();
    const abort = new AbortController();
    const { signal } = abort;
    Object.assign(request, { key, abort, options: NONE, error: undefined, isLoading: true });
    if (key === undefined) return;
    const found = { isLoading: false };
    try {
      found.options = await form.options(fieldId, values, { signal });
    } catch (error) {
      found.error = error;
    }
    if (signal.aborted) return;
    Object.assign(request, found);
    onSettled(fieldId, found.error);
    update(values);
  }

  const abort = () => requests.forEach((request) => request.abort?.abort());
  return { of, update, retry, abort };
}

/** Returns the ids of the fields whose values the choices of a field depend on. */
export const needsOf = ({ optionsSource }) =>
  [...(optionsSource ?? "").matchAll(/\{([^}]*)\}/g)].map(([, fieldId]) => fieldId);
