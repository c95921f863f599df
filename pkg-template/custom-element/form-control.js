import { asError } from "../errors/errors.js";
import { attributeOf } from "./attribute-of.js";
import { complain } from "./complaint.js";
import { dispatchError, isInPage } from "./events.js";
import { IS_AWAITED } from "./is-awaited.js";

/** Names a method of a subclass, called once for all changes of a turn: a moved element is removed and inserted. */
export const UPDATE = Symbol();
export const QUEUE_UPDATE = Symbol();
/** Names the method that sets what a surrounding form submits. */
export const SUBMIT = Symbol();
/** Names whether the page only asks, so that an `invalid` event shows and focuses nothing. */
export const IS_ASKING = Symbol();
/** Names a getter of what the page has to give besides a kit, as long as that is missing. */
export const MISSING = Symbol();
/**
 * Names the method that compares the controls and the clock with what is known of them: autofill need not fire events,
 * and timers stop while a device sleeps.
 */
export const READ = Symbol();

const READERS = {
  texts: (value) => value ?? "",
  numbers: (value) => (value === null ? undefined : Number(value)),
  flags: (value) => value !== null,
};

/** What an element shows of its internals. */
const MEMBERS = ["labels", "validity", "validationMessage", "willValidate"];
/** What may come before a submission: a button, or Enter, which browsers take for a click at one. */
const BEFORE_SUBMISSION = ["click", "submit", "formdata"];
/** How often what stands in the controls is compared with what it was taken for. */
const READ_EACH_MS = 250;
/** Within what time a page gives what an element needs, or is told. */
const GIVEN_WITHIN_MS = 3000;

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
    #root;
    #reading;
    #givenTimer;
    #isIncomplete = false;
    // What was submitted last, and what keeps it from being so.
    #value = null;
    #message;
    #onSubmission = (event) => this.#readBefore(event);

    // A static block, which Safari before 16.4 lacks, would do this by itself.
    static withMembers() {
      const visible = { configurable: true, enumerable: true };
      const define = (name, accessors) =>
        Object.defineProperty(this.prototype, name, { __proto__: null, ...visible, ...accessors });
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
      for (const name of MEMBERS) {
        define(name, {
          get() {
            this[READ]();
            return this.#internals?.[name] ?? this.#withoutInternals[name];
          },
        });
      }
      return this;
    }

    // What the page has forgotten. A component gives it once it has it.
    get #missing() {
      if (this[IS_AWAITED]) return undefined;
      return this.remit === undefined ? "`remit`, a kit or a promise of one" : this[MISSING];
    }

    #sayMissing() {
      const missing = this.#missing;
      if (missing || this.#isIncomplete) complain(this, missing && `It needs ${missing}.`);
      this.#isIncomplete = missing !== undefined;
    }

    // Safari before 16.4 has no internals.
    get #withoutInternals() {
      const isValid = this.#message === undefined;
      const validity = { valid: isValid, customError: !isValid };
      return { validity, validationMessage: this.#message ?? "", willValidate: !this.disabled };
    }

    get form() {
      const id = this.getAttribute("form");
      const named = id === null ? this.closest("form") : this.ownerDocument.getElementById(id);
      return this.#internals === undefined || !("form" in this.#internals) ? named : this.#internals.form;
    }

    // As React sets what is a property.
    set form(id) {
      if (id === null || id === undefined) this.removeAttribute("form");
      else this.setAttribute("form", String(id));
    }

    connectedCallback() {
      // Passes properties that the page set before the element was defined, and which hide the accessors, to these.
      for (const name of Object.keys(this).filter((name) => name in Object.getPrototypeOf(this))) {
        const value = this[name];
        delete this[name];
        // Some can only be read.
        Reflect.set(this, name, value);
      }
      this.#root = this.getRootNode();
      for (const type of BEFORE_SUBMISSION) this.#root.addEventListener(type, this.#onSubmission, true);
      // Autofill may say nothing at all.
      if (this[READ] !== FormControl.prototype[READ]) {
        // One that goes with its frame is not told.
        this.#reading = setInterval(() => (isInPage(this) ? this[READ]() : this.disconnectedCallback()), READ_EACH_MS);
      }
      // One that is hidden is not missed yet.
      this.#givenTimer = setTimeout(() => isInPage(this) && !this.hidden && this.#sayMissing(), GIVEN_WITHIN_MS);
      this[QUEUE_UPDATE]();
    }

    disconnectedCallback() {
      clearTimeout(this.#givenTimer);
      clearInterval(this.#reading);
      for (const type of BEFORE_SUBMISSION) this.#root?.removeEventListener(type, this.#onSubmission, true);
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
        if (this.#isIncomplete) this.#sayMissing();
        try {
          await this[UPDATE]();
        } catch (cause) {
          dispatchError(this, asError(cause));
        }
      });
    }

    [READ]() {}

    // What is submitted is what is visible: autofill may have changed that without an event, or the price may have
    // expired while the device slept.
    #readBefore(event) {
      const { type, target, submitter } = event;
      if (type !== "click" && target !== this.form) return;
      const [value, wasValid] = [this.#value, this.#message === undefined];
      this[READ]();
      if (type === "formdata" && this.name && !this.disabled && !this.matches(":disabled")) {
        this.#correct(event.formData, value);
      }
      const isChecked = type === "submit" && !target.noValidate && !submitter?.formNoValidate;
      if (!isChecked || !wasValid || this.#message === undefined) return;
      event.preventDefault();
      event.stopImmediatePropagation();
      this.reportValidity();
    }

    // Gives a form's data its value in the place of what the browser has read, if it has read one.
    #correct(formData, read) {
      const value = this.#value;
      const isRead = this.#internals?.setFormValue !== undefined;
      if (isRead && value === read) return;
      const all = formData.getAll(this.name);
      if (isRead && all.includes(read)) all.splice(all.indexOf(read), 1);
      formData.delete(this.name);
      for (const one of value === null ? all : [...all, value]) formData.append(this.name, one);
    }

    /** A `message` makes it invalid; the browser shows it at `anchor`. `:state()` selects the `states`. */
    [SUBMIT](value, message, anchor, { flags = { customError: true }, state, states = {} } = {}) {
      const internals = this.#internals;
      this.#value = value || null;
      this.#message = message === undefined ? undefined : String(message);
      internals?.setFormValue?.(this.#value, state);
      if (message === undefined) internals?.setValidity?.({});
      else if (anchor) internals?.setValidity?.(flags, this.#message, anchor);
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

    // React sets it, where a page writes it as an attribute.
    set type(_) {}

    checkValidity() {
      this[READ]();
      this[IS_ASKING] = true;
      try {
        return this.#internals?.checkValidity?.() ?? this.#isValid();
      } finally {
        this[IS_ASKING] = false;
      }
    }

    reportValidity() {
      this[READ]();
      return this.#internals?.reportValidity?.() ?? this.#isValid();
    }

    #isValid() {
      if (this.#message === undefined || this.disabled) return true;
      this.dispatchEvent(new Event("invalid", { cancelable: true }));
      return false;
    }
  }
  return FormControl.withMembers();
}
