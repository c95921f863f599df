import { failure } from "../errors/errors.js";
import { Deferred } from "../module/deferred.js";
import { CARD_FORM_HEIGHT, CardFormController } from "../card/card-form-controller.js";
import { dispatch, dispatchChange, isInPage } from "../custom-element/events.js";
import { SUBMIT, UPDATE, formControl } from "../custom-element/form-control.js";
import { applyStyle } from "../custom-element/style.js";
import { THEME_ATTRIBUTES, themeOf } from "./theme-attributes.js";

const PROPERTIES = {
  texts: ["sessionId", "frameTitle", "name"],
  numbers: ["height", "loadTimeoutMs"],
  flags: ["required", "disabled"],
  values: ["remit", "theme", "loadError"],
};
const LOAD_ERROR = "load-error";

// Engines without adoptedStyleSheets show the element inline, around a block of the same width.
const STYLE = ":host { display: block } :host([hidden]) { display: none }";

/** Creates a class for the element. A page needs one for each tag name. */
export function cardFormElement() {
  class RemitCardForm extends formControl(PROPERTIES, ...THEME_ATTRIBUTES) {
    #place = document.createElement("div");
    // The shown form, and the kit and session that it was started with.
    #shown;
    #startedWith;
    #outcome = new Deferred();
    #cardId = "";

    constructor() {
      super();
      const root = this.shadowRoot ?? this.attachShadow({ mode: "open", delegatesFocus: true });
      root.replaceChildren(this.#place);
      this.#takeFocus();
      applyStyle(this, STYLE);
    }

    connectedCallback() {
      super.connectedCallback();
      this.#validate();
    }

    adoptedCallback() {
      // The frame's messages go to another window.
      applyStyle(this, STYLE);
      this.#end();
    }

    attributeChangedCallback(name) {
      if (name === "required") this.#validate();
      super.attributeChangedCallback();
    }

    formResetCallback() {
      this.#setCard("");
      if (this.#shown !== undefined) this.renew().catch((error) => this.#fail(error));
    }

    formDisabledCallback(isDisabled) {
      this.#place.inert = isDisabled;
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
        // The old session settled it in the meantime.
        this.#setCard("");
        this.#openOutcome();
      }
    }

    // The browser shows its message about a missing card at what can have the focus: until there is a frame,
    // its place. Later that would get the focus which is meant for the frame.
    #takeFocus() {
      if (this.cardForm === undefined) {
        this.#place.tabIndex = -1;
      } else {
        this.#place.removeAttribute("tabindex");
      }
    }

    [UPDATE]() {
      const remit = isInPage(this) ? this.remit : undefined;
      const { sessionId, frameTitle, loadTimeoutMs } = this;
      const started = this.#startedWith;
      if (this.#shown !== undefined && (started.remit !== remit || started.sessionId !== sessionId)) {
        this.#end();
      }
      const height = this.hasAttribute("height") ? this.height : CARD_FORM_HEIGHT;
      this.#place.style.setProperty("height", `${height}px`);
      const look = { theme: { ...this.theme, ...themeOf(this) }, title: frameTitle || undefined, height };
      if (this.#shown !== undefined) {
        this.#shown.change(look);
      } else if (remit !== undefined) {
        this.#openOutcome();
        this.#startedWith = { remit, sessionId };
        const options = { ...look, sessionId: sessionId || undefined, container: this.#place };
        options.autoFocus = this.hasAttribute("autofocus") || undefined;
        options.loadError = this.loadError ?? this.getAttribute(LOAD_ERROR) ?? (() => this.#slotOrDefault());
        if (this.hasAttribute("load-timeout-ms")) options.loadTimeoutMs = loadTimeoutMs;
        this.#shown = new CardFormController(remit, options, {
          event: ({ type, ...detail }) => {
            this.#takeFocus();
            dispatch(this, type.toLowerCase().replaceAll("_", ""), detail);
          },
          completed: (card) => this.#complete(card),
          error: (error) => this.#fail(error),
        });
      }
    }

    // A child in the slot `load-error` replaces the message.
    #slotOrDefault() {
      if (this.querySelector(`:scope > [slot="${LOAD_ERROR}"]`) === null) return "auto";
      const slot = this.ownerDocument.createElement("slot");
      slot.name = LOAD_ERROR;
      return slot;
    }

    #end() {
      const shown = this.#shown;
      if (shown !== undefined) {
        this.#shown = undefined;
        shown.destroy();
        this.#takeFocus();
        this.#setCard("");
        this.#outcome.fail(failure("CardFormDestroyed", "The card form was closed."));
      }
    }

    #openOutcome() {
      if (this.#outcome.isSettled) this.#outcome = new Deferred();
    }

    #complete(card) {
      this.#openOutcome();
      this.#setCard(card.cardId);
      this.#outcome.succeed(card);
      dispatchChange(this);
      dispatch(this, "completed", card);
    }

    #fail(error) {
      this.#outcome.fail(error);
      dispatch(this, "error", error);
    }

    #setCard(cardId) {
      this.#cardId = cardId;
      this.#validate();
    }

    #validate() {
      const isMissing = this.required && this.#cardId === "";
      const message = isMissing ? missingMessage() : undefined;
      this[SUBMIT](this.#cardId, message, this.#place, { flags: { valueMissing: true } });
    }
  }

  return RemitCardForm;
}

/** Returns the browser's message for a missing field, in the customer's language. */
function missingMessage() {
  const field = document.createElement("input");
  field.required = true;
  return field.validationMessage || "A card is missing.";
}
