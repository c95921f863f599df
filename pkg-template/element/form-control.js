import { asError, invalid } from "../errors.js";

/** Names a method of a subclass, called once for all changes of a turn: a moved element is removed and inserted. */
export const UPDATE = Symbol();
export const QUEUE_UPDATE = Symbol();
/** Names the method that sets what a surrounding form submits. */
export const SUBMIT = Symbol();

const READERS = {
  texts: (value) => value ?? "",
  numbers: (value) => (value === null ? undefined : Number(value)),
  flags: (value) => value !== null,
};

/** Returns the attribute of a property: `session-id` of `sessionId`. */
export const attributeOf = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What an element shows of its internals, and what where the engine has none. */
const MEMBERS = { form: null, labels: undefined, validity: undefined, validationMessage: "", willValidate: false };

/**
 * Creates the class that an element of the package extends: a form control with the members of one. Its
 * `properties` are names: `texts`, `numbers` and `flags` reflect attributes, `values` do not.
 */
export function formControl({ values, ...reflected }, ...furtherAttributes) {
  const attributes = Object.entries(reflected).flatMap(([kind, names]) =>
    names.map((name) => ({ name, attribute: attributeOf(name), read: READERS[kind] })),
  );

  class FormControl extends HTMLElement {
    static formAssociated = true;
    static observedAttributes = [...attributes.map(({ attribute }) => attribute), ...furtherAttributes];

    // Engines, and the DOMs in which shops test, may support all of it, none, or some.
    #internals = this.attachInternals?.();
    #given = {};
    #isUpdateQueued = false;

    // A static block, which Safari before 16.4 lacks, would do this by itself.
    static withMembers() {
      const define = (name, accessors) =>
        Object.defineProperty(this.prototype, name, { configurable: true, enumerable: true, ...accessors });
      for (const { name, attribute, read } of attributes) {
        define(name, {
          get() {
            return read(this.getAttribute(attribute));
          },
          set(value) {
            if ((value ?? false) === false) this.removeAttribute(attribute);
            else this.setAttribute(attribute, value === true ? "" : String(value));
          },
        });
      }
      for (const name of values) {
        define(name, {
          get() {
            return this.#given[name];
          },
          set(value) {
            this.#given[name] = value ?? undefined;
            this[QUEUE_UPDATE]();
          },
        });
      }
      for (const [name, otherwise] of Object.entries(MEMBERS)) {
        define(name, {
          get() {
            return this.#internals?.[name] ?? otherwise;
          },
        });
      }
      return this;
    }

    connectedCallback() {
      // Passes properties that the page set before the element was defined, and which hide the accessors, to these.
      for (const name of Object.keys(this).filter((name) => name in FormControl.prototype)) {
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
      this[QUEUE_UPDATE]();
    }

    disconnectedCallback() {
      this[QUEUE_UPDATE]();
    }

    attributeChangedCallback() {
      this[QUEUE_UPDATE]();
    }

    [QUEUE_UPDATE]() {
      if (this.#isUpdateQueued) return;
      this.#isUpdateQueued = true;
      queueMicrotask(async () => {
        this.#isUpdateQueued = false;
        try {
          await this[UPDATE]();
        } catch (cause) {
          dispatch(this, "error", asError(cause));
        }
      });
    }

    /** A `message` makes it invalid; the browser shows it at `anchor`. `:state()` selects the `states`. */
    [SUBMIT](value, message, anchor, { flags = { customError: true }, state, states = {} } = {}) {
      const internals = this.#internals;
      internals?.setFormValue?.(value || null, state);
      if (message === undefined) internals?.setValidity?.({});
      else if (anchor) internals?.setValidity?.(flags, message, anchor);
      for (const [name, isOn] of Object.entries(states)) {
        try {
          internals?.states?.[isOn ? "add" : "delete"](name);
        } catch {
          // Chromium before version 125 has other names for states.
        }
      }
    }

    get type() {
      return this.localName;
    }

    checkValidity() {
      return this.#internals?.checkValidity?.() ?? true;
    }

    reportValidity() {
      return this.#internals?.reportValidity?.() ?? true;
    }
  }
  return FormControl.withMembers();
}

/** Returns whether an element is in a document that is shown. */
export const isInPage = ({ isConnected, ownerDocument }) => isConnected && ownerDocument.defaultView !== null;

export function dispatchChange(element) {
  element.dispatchEvent(new Event("change", { bubbles: true }));
}

/** Does not bubble: monitoring scripts take an `error` at the window for an exception. */
export function dispatch(element, type, detail) {
  element.dispatchEvent(new CustomEvent(type, { composed: true, detail }));
}

/** Applies rules, and the colors and fonts of a card form's theme, in an element's shadow root. */
export function applyStyle({ ownerDocument, shadowRoot }, rules, theme = {}) {
  const { defaultView } = ownerDocument;
  // A sheet stays with its document. One without a window has none, and accepts no other document's.
  if (!defaultView || !shadowRoot || !("adoptedStyleSheets" in shadowRoot)) return;
  const sheet = new defaultView.CSSStyleSheet();
  sheet.replaceSync(rules);
  for (const [name, value] of Object.entries(theme)) {
    if (typeof value === "string") sheet.cssRules[0].style.setProperty(`--remit-${attributeOf(name)}`, value);
  }
  shadowRoot.adoptedStyleSheets = [sheet];
}

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
