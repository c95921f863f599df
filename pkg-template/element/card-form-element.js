import { failure } from "../errors.js";
import { Outcome } from "../outcome.js";
import { CARD_FORM_HEIGHT, CardFormController } from "../card-form-controller.js";
import { define, defineControl, reflect, takeOwn } from "./properties.js";
import { THEME_ATTRIBUTES, themeOf } from "./theme-attributes.js";

/** Properties that reflect attributes. */
const TEXTS = { sessionId: "session-id", frameTitle: "frame-title", name: "name" };
const NUMBERS = { height: "height", loadTimeoutMs: "load-timeout-ms" };
const FLAGS = { required: "required", disabled: "disabled" };
/** Properties without an attribute. */
const VALUES = ["remit", "theme", "loadError"];
const LOAD_ERROR = "load-error";

const STYLE = ":host { display: block } :host([hidden]) { display: none }";

/** Creates a class for the element. A page needs one for each tag name. */
export function cardFormElement() {
  class RemitCardForm extends HTMLElement {
    static formAssociated = true;
    static observedAttributes = ["required", ...Object.entries({ ...TEXTS, ...NUMBERS }).map(([, name]) => name), ...THEME_ATTRIBUTES];

    // Engines, and the DOMs in which shops test, may support all of it, none, or some.
    #internals = this.attachInternals?.();
    #place = document.createElement("div");
    #given = {};
    // The shown form, and the kit and session that it was started with.
    #shown;
    #startedWith;
    #outcome = new Outcome();
    #cardId = "";
    #isUpdateQueued = false;

    constructor() {
      super();
      const root = this.shadowRoot ?? this.attachShadow({ mode: "open", delegatesFocus: true });
      root.replaceChildren(this.#place);
      this.#takeFocus();
      this.#applyStyle();
    }

    connectedCallback() {
      takeOwn(this, [...VALUES, ...Object.keys({ ...TEXTS, ...NUMBERS, ...FLAGS })]);
      this.#validate();
      this.#queueUpdate();
    }

    disconnectedCallback() {
      this.#queueUpdate();
    }

    adoptedCallback() {
      // The frame's messages go to another window, and a style sheet stays with its document.
      this.#applyStyle();
      this.#end();
      this.#queueUpdate();
    }

    attributeChangedCallback(name) {
      if (name === "required") this.#validate();
      this.#queueUpdate();
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

    get type() {
      return this.localName;
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

    // Engines without adoptedStyleSheets show the element inline, around a block of the same width.
    #applyStyle() {
      const { defaultView } = this.ownerDocument;
      // A document without a window has no sheets, and accepts no other document's.
      if (defaultView && "adoptedStyleSheets" in this.shadowRoot) {
        const sheet = new defaultView.CSSStyleSheet();
        sheet.replaceSync(STYLE);
        this.shadowRoot.adoptedStyleSheets = [sheet];
      }
    }

    // One update for all changes of a turn. A moved element is removed and inserted in one turn, and with
    // moveBefore() nothing has changed then.
    #queueUpdate() {
      if (!this.#isUpdateQueued) {
        this.#isUpdateQueued = true;
        queueMicrotask(() => {
          this.#isUpdateQueued = false;
          this.#update();
        });
      }
    }

    #update() {
      const remit = this.isConnected && this.ownerDocument.defaultView ? this.remit : undefined;
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
            this.#dispatch(type.toLowerCase().replaceAll("_", ""), detail);
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
      if (this.#outcome.isSettled) this.#outcome = new Outcome();
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

    // Does not bubble: monitoring scripts take an `error` at the window for an exception.
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
        this.#internals?.setValidity?.({ valueMissing: true }, missingMessage(), this.#place);
      } else {
        this.#internals?.setValidity?.({});
      }
    }

    // Private fields, as Safari before 16.4 has no static blocks.
    static #values = VALUES.forEach((name) =>
      define(this, name, {
        get() {
          return this.#given[name];
        },
        set(value) {
          this.#given[name] = value ?? undefined;
          this.#queueUpdate();
        },
      }),
    );

    static #control = defineControl(this, (element) => element.#internals);
  }

  reflect(RemitCardForm, TEXTS, (value) => value ?? "");
  reflect(RemitCardForm, NUMBERS, (value) => (value === null ? undefined : Number(value)));
  reflect(RemitCardForm, FLAGS, (value) => value !== null);
  return RemitCardForm;
}

/** Returns the browser's message for a missing field, in the customer's language. */
function missingMessage() {
  const field = document.createElement("input");
  field.required = true;
  return field.validationMessage || "A card is missing.";
}
