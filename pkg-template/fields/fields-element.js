import { define, defineControl, reflect, takeOwn } from "../element/properties.js";
import { asError, failure, invalid } from "../errors.js";
import { languageOf } from "../locale.js";
import { textOf } from "./control.js";
import { FieldControls } from "./controls.js";
import { FieldsView, make, slot } from "./fields-view.js";
import { languageAt } from "./language.js";
import { METHODS, queryOf } from "./query.js";
import { textsOf } from "./texts.js";
import { RULES, sheetOf, themeSheet } from "./theme-sheet.js";

/** Properties that reflect attributes. */
const TEXTS = {
  kind: "kind",
  country: "country",
  currency: "currency",
  method: "method",
  recipientType: "recipient-type",
  senderType: "sender-type",
  autofill: "autofill",
  name: "name",
};
const FLAGS = { required: "required", disabled: "disabled" };
/** Properties without an attribute, of which another value fetches the form again. */
const GIVEN = ["remit", "query", "initial", "masked", "messages", "options"];
const VALUES = [...GIVEN, "values", "theme"];

let count = 0;

/** Creates a class for the element. A page needs one for each tag name. */
export function fieldsElement() {
  class RemitFields extends HTMLElement {
    static formAssociated = true;
    static observedAttributes = [...Object.values(TEXTS), "required", "lang"];

    // Engines, and the DOMs in which shops test, may support all of it, none, or some.
    #internals = this.attachInternals?.();
    #idPrefix = `remit-fields-${(count += 1)}`;
    #place;
    #given = {};
    #theme;
    // What the form was fetched for, the form, and how it is shown.
    #startedWith;
    #abort;
    #form;
    #texts;
    #controls;
    #view;
    // What the page and the customer entered; the values of a record are not among it.
    #entered = {};
    #isUpdateQueued = false;

    constructor() {
      super();
      this.addEventListener("invalid", (event) => this.#onInvalid(event));
    }

    connectedCallback() {
      takeOwn(this, [...VALUES, ...Object.keys({ ...TEXTS, ...FLAGS })]);
      if (this.#place === undefined) {
        this.#place = make("div", "form");
        // In the page's own tree, its style sheets and scripts reach the fields.
        const isLight = this.getAttribute("shadow") === "none";
        const root = isLight ? this : (this.shadowRoot ?? this.attachShadow({ mode: "open", delegatesFocus: true }));
        root.append(this.#place);
        this.#place.addEventListener("keydown", (event) => this.#onKey(event));
        // Leaves a shadow root by itself only as `input`.
        if (!isLight) this.#place.addEventListener("change", () => this.#dispatchChange());
      }
      this.#applyStyle();
      this.#validate();
      this.#queueUpdate();
    }

    disconnectedCallback() {
      this.#queueUpdate();
    }

    adoptedCallback() {
      // A style sheet stays with its document.
      this.#applyStyle();
    }

    attributeChangedCallback() {
      this.#validate();
      this.#queueUpdate();
    }

    formResetCallback() {
      this.reset();
    }

    formDisabledCallback(isDisabled) {
      if (this.#view) this.#view.isDisabled = isDisabled;
    }

    formStateRestoreCallback(state) {
      try {
        this.values = JSON.parse(state);
      } catch {
        // A state of another version.
      }
    }

    get query() {
      return this.#given.query ?? queryOf(this);
    }

    set query(query) {
      this.#given.query = query ?? undefined;
      this.#queueUpdate();
    }

    get values() {
      return this.#controls?.values ?? { ...this.#entered };
    }

    set values(values) {
      this.#entered = { ...values };
      this.#show();
    }

    get theme() {
      return this.#theme;
    }

    set theme(theme) {
      this.#theme = theme ?? undefined;
      this.#applyStyle();
    }

    get definition() {
      return this.#form;
    }

    get problems() {
      return this.#controls?.problems ?? [];
    }

    get isLoading() {
      return this.#abort !== undefined;
    }

    get type() {
      return this.localName;
    }

    check() {
      if (this.#controls === undefined) return false;
      const problems = this.#controls.check();
      this.#validate();
      return problems.length === 0;
    }

    show(error) {
      const problems = Array.isArray(error) ? error : (error?.problems ?? []);
      return this.#controls?.showProblems(problems) ?? false;
    }

    toFields() {
      if (this.#controls !== undefined) return this.#controls.toFields();
      throw failure("InvalidRequest", "The fields are not there yet: wait for `ready`.");
    }

    setValue(fieldId, value) {
      if (this.#controls === undefined) this.#entered = { ...this.#entered, [fieldId]: value };
      else this.#controls.setValue(fieldId, value);
    }

    valueText(fieldId) {
      return this.#controls?.valueText(fieldId) ?? textOf(this.values[fieldId]);
    }

    reset() {
      this.values = {};
    }

    reload() {
      this.#end();
      this.#queueUpdate();
    }

    focus(options) {
      if (this.#controls === undefined) super.focus(options);
      else this.#controls.focus(typeof options === "string" ? options : undefined);
    }

    // One update for all changes of a turn: a moved element is removed and inserted in one.
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
      const { kind, query, remit } = this;
      const isShown = this.isConnected && this.ownerDocument.defaultView && remit !== undefined;
      const language = languageOf(languageAt(this));
      const key = isShown && query ? JSON.stringify([kind, query, language, this.autofill, this.country]) : undefined;
      const wanted = [key, ...GIVEN.filter((name) => name !== "query").map((name) => this.#given[name])];
      if (this.#startedWith?.every((value, at) => value === wanted[at])) return;
      this.#end();
      this.#startedWith = wanted;
      if (key !== undefined) this.#load(remit, kind, query, language).catch((error) => this.#fail(error));
    }

    async #load(remit, kind, query, language) {
      const abort = new AbortController();
      const { signal } = abort;
      this.#abort = abort;
      try {
        if (METHODS[kind] === undefined) {
          throw invalid("InvalidConfiguration", "kind", `one of ${Object.keys(METHODS).join(", ")}`);
        }
        const fetching = this.#fetch(remit, METHODS[kind], query, signal);
        // Awaited below.
        fetching.catch(() => {});
        const texts = await textsOf(language, this.messages);
        if (signal.aborted) return;
        this.#texts = texts;
        this.#say("loading", texts.texts.loading);
        const form = await fetching;
        if (signal.aborted) return;
        this.#abort = undefined;
        this.#form = form;
        this.#show();
        this.#dispatch("ready", { fieldIds: this.#controls.fieldIds });
      } catch (error) {
        if (!signal.aborted) this.#fail(error);
      }
    }

    async #fetch(remit, method, query, signal) {
      const kit = await remit;
      return kit[method](query, { signal });
    }

    // Shows the form with the values so far.
    #show() {
      this.#controls?.destroy();
      this.#controls = undefined;
      if (this.#form === undefined) return;
      const { initial, masked = {}, options } = this.#given;
      const first = typeof initial === "function" ? initial(this.#form) : initial;
      const { autofill, country, kind, query } = this;
      this.#controls = new FieldControls(this.#form, {
        values: { ...first, ...this.#entered },
        masked,
        country: country || query?.dstCountryIso3Code,
        autofill: autofill === "own" || (autofill === "" && kind === "sender"),
        idPrefix: this.#idPrefix,
        messages: this.#texts,
        filterOptions: options,
        onFailure: (fieldId, error) => this.#dispatch("optionsfailed", { fieldId, error }),
      });
      this.#view = new FieldsView(this.#place, this.#form, this.#controls, this.#texts);
      this.#view.isDisabled = this.disabled || this.matches(":disabled");
      this.#place.setAttribute("aria-busy", false);
      this.#controls.onChange((fieldId) => this.#onChange(fieldId));
      this.#validate();
    }

    #onChange(fieldId) {
      this.#validate();
      if (fieldId === undefined) return;
      const { values } = this;
      for (const id of [fieldId, ...this.#form.dependents(fieldId)]) this.#entered[id] = values[id];
      this.#dispatch("fieldchange", { fieldId, value: values[fieldId] });
    }

    // Ends what is being fetched or shown, but keeps what was entered.
    #end() {
      this.#abort?.abort();
      this.#abort = undefined;
      this.#startedWith = undefined;
      this.#form = undefined;
      this.#view = undefined;
      this.#show();
      this.#place?.replaceChildren();
      this.#validate();
    }

    #say(name, text) {
      this.#place.setAttribute("aria-busy", true);
      const message = make("p", name, text);
      message.setAttribute("role", "status");
      this.#place.replaceChildren(slot(name, message));
    }

    #fail(cause) {
      const error = asError(cause);
      this.#abort = undefined;
      const retry = Object.assign(make("button", "retry", this.#texts?.texts.retry ?? "Try again"), { type: "button" });
      retry.addEventListener("click", () => this.reload());
      const message = make("p", "load-error", error.userMessage);
      message.setAttribute("role", "alert");
      this.#place.setAttribute("aria-busy", false);
      this.#place.replaceChildren(slot("load-error", message, retry));
      this.#dispatch("error", error);
    }

    // The value and validity in the surrounding form. Fields that are not required may all stay empty.
    #validate() {
      const internals = this.#internals;
      const { problems } = this;
      const fields = this.#fieldsNow();
      const isOptional = !this.required && fields.length === 0;
      const isValid = isOptional || (this.#controls !== undefined && problems.length === 0);
      const value = isValid && fields.length > 0 ? JSON.stringify(fields) : null;
      internals?.setFormValue?.(value, JSON.stringify(this.values));
      if (isValid) internals?.setValidity?.({});
      else this.#refuse(problems[0]?.message ?? this.#texts?.texts.missing ?? "Fill in these fields.");
    }

    #fieldsNow() {
      try {
        return this.#controls?.toFields() ?? [];
      } catch {
        // `toFields` of the page reports values that cannot be sent.
        return [];
      }
    }

    #refuse(message) {
      if (this.#place === undefined) return;
      // What the browser focuses if it shows the message.
      if (this.#controls === undefined) this.#place.tabIndex = -1;
      else this.#place.removeAttribute("tabindex");
      this.#internals?.setValidity?.({ customError: true }, message, this.#place);
    }

    // The problems stand at their fields, so the browser's own message is not needed.
    #onInvalid(event) {
      if (event.target !== this || this.#controls === undefined) return;
      event.preventDefault();
      const isWrong = (control) => control.willValidate && !control.validity?.valid;
      if ([...(this.form?.elements ?? [])].find(isWrong) === this) this.check();
    }

    // Enter submits a form, but does not reach it from a shadow root.
    #onKey(event) {
      const isInput = event.target.localName === "input";
      if (event.key === "Enter" && isInput && !event.isComposing && this.form && this.shadowRoot) {
        this.form.requestSubmit();
      }
    }

    #applyStyle() {
      const { defaultView } = this.ownerDocument;
      const root = this.shadowRoot;
      // A document without a window has no sheets, and accepts no other document's.
      if (root && defaultView && "adoptedStyleSheets" in root) {
        root.adoptedStyleSheets = [sheetOf(defaultView, RULES), themeSheet(defaultView, this.#theme)];
      }
    }

    #dispatchChange() {
      this.dispatchEvent(new Event("change", { bubbles: true }));
    }

    // Does not bubble: monitoring scripts take an `error` at the window for an exception.
    #dispatch(type, detail) {
      this.dispatchEvent(new CustomEvent(type, { composed: true, detail }));
    }

    // Private fields, as Safari before 16.4 has no static blocks.
    static #values = GIVEN.filter((name) => name !== "query").forEach((name) =>
      define(this, name, {
        get() {
          return this.#given[name];
        },
        set(value) {
          // Never what was typed for one record in the form of another.
          if (name === "initial" && this.#form !== undefined) this.#entered = {};
          this.#given[name] = value ?? undefined;
          this.#queueUpdate();
        },
      }),
    );

    static #control = defineControl(this, (element) => element.#internals);
  }

  reflect(RemitFields, TEXTS, (value) => value ?? "");
  reflect(RemitFields, FLAGS, (value) => value !== null);
  return RemitFields;
}
