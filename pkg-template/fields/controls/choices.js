import { contentOf } from "../../input/content.js";
import { fieldsOf, isBlank } from "../control.js";

const NONE = Object.freeze({ options: Object.freeze([]), error: undefined, isLoading: false });

/**
 * The choices of a form's dropdowns, fetched again when those of `values` change that they depend on. `onSettled` is
 * called once for all that arrive together, which may be hundreds, with the id of each field and what failed.
 */
export function fieldChoices(form, values, onSettled) {
  const dropdowns = fieldsOf(form, ({ fieldType }) => fieldType === "DROPDOWN");
  const requests = new Map(dropdowns.map((field) => [field.fieldId, { ...NONE, needs: needsOf(field) }]));
  let settled = [];

  /** Returns the `options` of a field, whether they are being fetched, and the `error` if that failed. */
  const of = (fieldId) => requests.get(fieldId) ?? NONE;

  /** Fetches what belongs to other values than before. */
  function update() {
    for (const [fieldId, request] of requests) {
      const key = contentOf(request.needs.map((id) => values[id] ?? null));
      // A choice from before, such as another country's state, may turn out not to be offered.
      const isOpen = request.needs.some((id) => !isBlank(values[id]) && of(id).isLoading);
      if (request.key !== key) begin(fieldId, request, isOpen ? undefined : key);
    }
  }

  function retry(fieldId) {
    const request = of(fieldId);
    if (request.key !== undefined) begin(fieldId, request, request.key);
  }

  // Never keeps the choices for other values. Without a `key` it only waits.
  async function begin(fieldId, request, key) {
    request.abort?.abort();
    const abort = new AbortController();
    const { signal } = abort;
    Object.assign(request, NONE, { key, abort, isLoading: true });
    if (key === undefined) return;
    const found = { isLoading: false };
    try {
      found.options = await form.options(fieldId, values, { signal });
    } catch (error) {
      found.error = error;
    }
    if (signal.aborted) return;
    Object.assign(request, found);
    if (settled.push([fieldId, found.error]) === 1) queueMicrotask(settle);
  }

  function settle() {
    const together = settled;
    settled = [];
    onSettled(together);
    update();
  }

  const abort = () => requests.forEach((request) => request.abort?.abort());
  return { of, update, retry, abort };
}

/** Returns the ids of the fields whose values the choices of a field depend on. */
export const needsOf = ({ optionsSource }) =>
  [...(optionsSource ?? "").matchAll(/\{([^}]*)\}/g)].map(([, fieldId]) => fieldId);
