import { failure } from "../errors.js";
import { Outcome } from "../outcome.js";
import { CARD_FORM_HEIGHT, CardFormController } from "../card-form-controller.js";
import { THEME_ATTRIBUTES, themeOf } from "./theme-attributes.js";

/**
 * Its attributes, and what each is as a property. A form begins anew with another session, and takes on the
 * rest.
 */
const TEXTS = { sessionId: "session-id", frameTitle: "frame-title", name: "name" };
// Read where a form begins.
const LOAD_ERROR = "load-error";
const NUMBERS = { height: "height", loadTimeoutMs: "load-timeout-ms" };
const FLAGS = { required: "required", disabled: "disabled" };
const PROPERTIES = ["remit", "theme", "loadError", ...Object.keys({ ...TEXTS, ...NUMBERS, ...FLAGS })];

const STYLE = ":host { display: block } :host([hidden]) { display: none }";

/** The class of the element, of which a page can give each tag name one. */
export function cardFormElement() {
  class RemitCardForm extends HTMLElement {
    static formAssociated = true;
    static observedAttributes = ["required", ...Object.values({ ...TEXTS, ...NUMBERS }), ...THEME_ATTRIBUTES];

    // An engine may have all of it, none, or some, as a DOM in which a shop tests.
    #internals = this.attachInternals?.();
    #place = document.createElement("div");
    #remit;
    #theme;
    #loadError;
    // What is shown, and what it was begun with: it ends when that is no longer so.
    #shown;
    #of;
    #outcome = new Outcome();
    #cardId = "";
    #isDue = false;

    constructor() {
      super();
      const root = this.shadowRoot ?? this.attachShadow({ mode: "open", delegatesFocus: true });
      root.replaceChildren(this.#place);
      this.#dress();
    }

    connectedCallback() {
      // What a page has set before the element was defined hides the accessors.
      for (const name of PROPERTIES.filter((name) => Object.hasOwn(this, name))) {
        const value = this[name];
        delete this[name];
        this[name] = value;
      }
      this.#validate();
      this.#soon();
    }

    disconnectedCallback() {
      this.#soon();
    }

    // Moved by moveBefore(), a frame stays as it is.
    connectedMoveCallback() {}

    adoptedCallback() {
      // The frame's messages come to another window, and a style sheet does not go along.
      this.#dress();
      this.#end();
      this.#soon();
    }

    attributeChangedCallback(name) {
      if (name === "required") {
        this.#validate();
      }
      this.#soon();
    }

    formResetCallback() {
      this.#setCard("");
      if (this.#shown !== undefined) {
        this.renew().catch((error) => this.#fail(error));
      }
    }

    formDisabledCallback(isDisabled) {
      this.#place.inert = isDisabled;
    }

    get remit() {
      return this.#remit;
    }

    set remit(remit) {
      this.#remit = remit ?? undefined;
      this.#soon();
    }

    get theme() {
      return this.#theme;
    }

    set theme(theme) {
      this.#theme = theme ?? undefined;
      this.#soon();
    }

    get loadError() {
      return this.#loadError;
    }

    set loadError(loadError) {
      this.#loadError = loadError ?? undefined;
    }

    get cardForm() {
      return this.#shown?.form;
    }

    get completed() {
      return this.#outcome.promise;
    }

    get value() {
      return this.#cardId;
    }

    get type() {
      return this.localName;
    }

    get form() {
      return this.#internals?.form ?? null;
    }

    get labels() {
      return this.#internals?.labels;
    }

    get validity() {
      return this.#internals?.validity;
    }

    get validationMessage() {
      return this.#internals?.validationMessage ?? "";
    }

    get willValidate() {
      return this.#internals?.willValidate ?? false;
    }

    checkValidity() {
      return this.#internals?.checkValidity?.() ?? true;
    }

    reportValidity() {
      return this.#internals?.reportValidity?.() ?? true;
    }

    focus(options) {
      if (this.cardForm === undefined) {
        super.focus(options);
      } else {
        this.cardForm.focus();
      }
    }

    async renew(options) {
      if (this.#shown === undefined) {
        throw failure(
          "CardFormDestroyed",
          "There is no card form on the page: it needs `remit` and a place in the document.",
        );
      }
      this.#setCard("");
      this.#openOutcome();
      const outcome = this.#outcome;
      try {
        await this.#shown.renew(options);
      } catch (error) {
        outcome.fail(error);
        throw error;
      }
      const { isSettled, value } = this.#outcome;
      if (isSettled && value?.sessionId !== this.cardForm?.sessionId) {
        // By what the old session came to meanwhile.
        this.#setCard("");
        this.#openOutcome();
      }
    }

    // Before it had style sheets of this kind an engine shows it as inline, around a block as wide.
    #dress() {
      const { defaultView } = this.ownerDocument;
      // A document that is shown nowhere takes no other's sheet, and has none of its own.
      if (defaultView && "adoptedStyleSheets" in this.shadowRoot) {
        const sheet = new defaultView.CSSStyleSheet();
        sheet.replaceSync(STYLE);
        this.shadowRoot.adoptedStyleSheets = [sheet];
      }
    }

    // Once for all that a turn changes. An element that is moved is taken out and put in again in one turn,
    // and the frame with it: that loads anew by itself.
    #soon() {
      if (!this.#isDue) {
        this.#isDue = true;
        queueMicrotask(() => {
          this.#isDue = false;
          this.#update();
        });
      }
    }

    #update() {
      const remit = this.isConnected && this.ownerDocument.defaultView ? this.#remit : undefined;
      const { sessionId, frameTitle, loadTimeoutMs } = this;
      if (this.#shown !== undefined && (this.#of.remit !== remit || this.#of.sessionId !== sessionId)) {
        this.#end();
      }
      const height = this.hasAttribute("height") ? this.height : CARD_FORM_HEIGHT;
      this.#place.style.setProperty("height", `${height}px`);
      const changing = {
        theme: { ...this.#theme, ...themeOf(this) },
        title: frameTitle || undefined,
        height,
      };
      if (this.#shown !== undefined) {
        this.#shown.change(changing);
      } else if (remit !== undefined) {
        this.#openOutcome();
        this.#of = { remit, sessionId };
        const options = { ...changing, sessionId: sessionId || undefined, container: this.#place };
        options.autoFocus = this.hasAttribute("autofocus") || undefined;
        options.loadError = this.#loadError ?? this.getAttribute(LOAD_ERROR) ?? (() => this.#slotted());
        if (this.hasAttribute("load-timeout-ms")) {
          options.loadTimeoutMs = loadTimeoutMs;
        }
        this.#shown = new CardFormController(remit, options, {
          event: ({ type, ...detail }) => this.#dispatch(type.toLowerCase().replaceAll("_", ""), detail),
          completed: (card) => this.#complete(card),
          error: (error) => this.#fail(error),
        });
      }
    }

    // A child of the page's own in the slot `load-error` stands in the message's place.
    #slotted() {
      if (this.querySelector(`:scope > [slot="${LOAD_ERROR}"]`) === null) {
        return "auto";
      }
      const slot = this.ownerDocument.createElement("slot");
      slot.name = LOAD_ERROR;
      return slot;
    }

    #end() {
      const shown = this.#shown;
      if (shown !== undefined) {
        this.#shown = undefined;
        shown.destroy();
        this.#setCard("");
        this.#outcome.fail(failure("CardFormDestroyed", "The card form was closed."));
      }
    }

    #openOutcome() {
      if (this.#outcome.isSettled) {
        this.#outcome = new Outcome();
      }
    }

    #complete(card) {
      this.#openOutcome();
      this.#setCard(card.cardId);
      this.#outcome.succeed(card);
      this.dispatchEvent(new Event("change", { bubbles: true }));
      this.#dispatch("completed", card);
    }

    #fail(error) {
      this.#outcome.fail(error);
      this.#dispatch("error", error);
    }

    // They do not bubble: an `error` at the window is what monitors of the page take for an exception.
    #dispatch(type, detail) {
      this.dispatchEvent(new CustomEvent(type, { composed: true, detail }));
    }

    #setCard(cardId) {
      this.#cardId = cardId;
      this.#internals?.setFormValue?.(cardId || null);
      this.#validate();
    }

    #validate() {
      if (this.required && this.#cardId === "") {
        this.#internals?.setValidity?.({ valueMissing: true }, missing(), this.#place);
      } else {
        this.#internals?.setValidity?.({});
      }
    }
  }

  for (const [property, attribute] of Object.entries(TEXTS)) {
    reflect(RemitCardForm, property, attribute, (value) => value ?? "");
  }
  for (const [property, attribute] of Object.entries(NUMBERS)) {
    reflect(RemitCardForm, property, attribute, (value) => (value === null ? undefined : Number(value)));
  }
  for (const [property, attribute] of Object.entries(FLAGS)) {
    reflect(RemitCardForm, property, attribute, (value) => value !== null);
  }
  return RemitCardForm;
}

/** A property that is an attribute. Set to nothing, to `false` too, it takes the attribute away. */
function reflect(element, property, attribute, read) {
  Object.defineProperty(element.prototype, property, {
    configurable: true,
    enumerable: true,
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

/** What the browser says of a field that is missing, in the customer's language. */
function missing() {
  const field = document.createElement("input");
  field.required = true;
  return field.validationMessage || "A card is missing.";
}
