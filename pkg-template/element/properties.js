// What the package's elements share: their properties, and how they are defined.

import { invalid } from "../errors.js";

export function define(element, name, accessors) {
  Object.defineProperty(element.prototype, name, { configurable: true, enumerable: true, ...accessors });
}

/** Defines properties that reflect attributes. `undefined`, `null` and `false` remove the attribute. */
export function reflect(element, attributes, read) {
  for (const [name, attribute] of Object.entries(attributes)) {
    define(element, name, {
      get() {
        return read(this.getAttribute(attribute));
      },
      set(value) {
        if (value === undefined || value === null || value === false) {
          this.removeAttribute(attribute);
        } else {
          this.setAttribute(attribute, value === true ? "" : value);
        }
      },
    });
  }
}

/** Passes properties that the page set before the element was defined, which hide the accessors, to these. */
export function takeOwn(element, names) {
  for (const name of names.filter((name) => Object.hasOwn(element, name))) {
    const value = element[name];
    delete element[name];
    element[name] = value;
  }
}

/**
 * Defines an element that `create` makes a class of: one per name, as a class can be defined only once. May be
 * called again, also by another copy of the package: `brand` marks the classes of all copies.
 */
export function defineElement(tagName, brand, create) {
  // A page's modules may also run on a server or in a worker.
  if (globalThis.customElements === undefined) return;
  const taken = typeof tagName === "string" ? customElements.get(tagName) : undefined;
  if (taken?.[brand]) return;
  if (taken !== undefined) {
    throw invalid("InvalidConfiguration", "tagName", `a name that is free: ${tagName} is another element`);
  }
  // Not at import, as a server has no HTMLElement.
  const element = create();
  Object.defineProperty(element, brand, { value: true });
  try {
    customElements.define(tagName, element);
  } catch (cause) {
    const expected = "a name for an element, lowercase and with a hyphen";
    throw invalid("InvalidConfiguration", "tagName", expected, { cause });
  }
}

/** Members of a form control, with their values in engines without `ElementInternals`. */
const CONTROL = {
  form: null,
  labels: undefined,
  validity: undefined,
  validationMessage: "",
  willValidate: false,
};

/** Defines the members of a form control; `internalsOf` returns an element's `ElementInternals`. */
export function defineControl(element, internalsOf) {
  for (const [name, fallback] of Object.entries(CONTROL)) {
    define(element, name, {
      get() {
        return internalsOf(this)?.[name] ?? fallback;
      },
    });
  }
  for (const name of ["checkValidity", "reportValidity"]) {
    element.prototype[name] = function () {
      return internalsOf(this)?.[name]?.() ?? true;
    };
  }
}
