import { invalid } from "../errors/errors.js";

/**
 * Defines an element that `create` makes a class of: one per name, as a class can be defined only once. May be
 * called again, also by another copy of the package: `brand` marks the classes of all copies.
 */
export function defineElement(tagName, brand, create) {
  // A page's modules may also run on a server or in a worker.
  if (globalThis.customElements === undefined) return;
  try {
    if (customElements.get(tagName)?.[brand]) return;
    // Not at import, as a server has no HTMLElement.
    customElements.define(tagName, Object.assign(create(), { [brand]: true }));
  } catch (cause) {
    const expected = "a name for an element that is not taken, lowercase and with a hyphen";
    throw invalid("InvalidConfiguration", "tagName", expected, { cause });
  }
}
