import {
  QUEUE_UPDATE, SUBMIT, UPDATE, applyStyle, dispatch, dispatchChange, formControl, isInPage,
} from "../element/form-control.js";
import { asError, failure } from "../errors.js";
import { languageOf } from "../locale.js";
import { textOf } from "./control.js";
import { FieldControls } from "./controls.js";
import { make, makeButton, makeMessage, slot, submitOnEnter } from "./dom.js";
import { FieldsView } from "./fields-view.js";
import { methodOf } from "./kind.js";
import { languageAt } from "./language.js";
import { queryOf } from "./query.js";
import { RULES } from "./rules.js";
import { ENGLISH, textsOf } from "./texts.js";

/** Of these, another value fetches the form again. */
const GIVEN = ["remit", "initial", "masked", "messages", "options", "filter"];
const PROPERTIES = {
  texts: ["kind", "country", "currency", "method", "recipientType", "senderType", "autofill", "name"],
  flags: ["required", "disabled"],
  values: [...GIVEN, "query", "values", "theme"],
};

let count = 0;

/** Creates a class for the element. A page needs one for each tag name. */
export function fieldsElement() {
  class RemitFields extends formControl(PROPERTIES, "lang") {
    #idPrefix = `remit-fields-${(count += 1)}`;
    #place;
    // What the form was fetched for, the form, and how it is shown.
    #startedWith;
    #abort;
    #form;
    #texts = { texts: ENGLISH };
    #controls;
    #view;
    // What the page and the customer entered; the values of a record are not among it.
    #entered = { __proto__: null };

    constructor() {
      super();
      this.addEventListener("invalid", (event) => this.#onInvalid(event));
    }

    connectedCallback() {
      super.connectedCallback();
      if (this.#place === undefined) {
        this.#place = make("div", "form");
        // In the page's own tree, its style sheets and scripts reach the fields.
        const isLight = this.getAttribute("shadow") === "none";
        const root = isLight ? this : (this.shadowRoot ?? this.attachShadow({ mode: "open", delegatesFocus: true }));
        root.append(this.#place);
        submitOnEnter(this, this.#place);
        // Leaves a shadow root by itself only as `input`.
        if (!isLight) this.#place.addEventListener("change", () => dispatchChange(this));
      }
      this.#validate();
    }

    attributeChangedCallback() {
      this.#validate();
      super.attributeChangedCallback();
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
      return super.query ?? queryOf(this);
    }

    set query(query) {
      super.query = query;
    }

    get initial() {
      return super.initial;
    }

    set initial(initial) {
      // Never what was typed for one record in the form of another.
      if (this.#form !== undefined) this.#entered = { __proto__: null };
      super.initial = initial;
    }

    get values() {
      return this.#controls?.values ?? { ...this.#entered };
    }

    set values(values) {
      this.#entered = { __proto__: null, ...values };
      this.#show();
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
      if (this.#controls === undefined) this.#entered[fieldId] = value;
      else this.#controls.setValue(fieldId, value);
    }

    valueText(fieldId) {
      return this.#controls?.valueText(fieldId) ?? textOf(this.#entered[fieldId]);
    }

    reset() {
      this.values = {};
    }

    reload() {
      this.#end();
      this[QUEUE_UPDATE]();
    }

    focus(options) {
      if (this.#controls === undefined) super.focus(options);
      else this.#controls.focus(typeof options === "string" ? options : undefined);
    }

    [UPDATE]() {
      const { kind, query, remit, autofill, country } = this;
      applyStyle(this, RULES, this.theme);
      const isShown = isInPage(this) && remit !== undefined && query !== undefined;
      const language = languageOf(languageAt(this));
      const key = isShown ? JSON.stringify([kind, query, language, autofill, country]) : undefined;
      const wanted = [key, ...GIVEN.map((name) => this[name])];
      if (this.#startedWith?.every((value, at) => value === wanted[at])) return;
      this.#end();
      this.#startedWith = wanted;
      if (isShown) this.#load(remit, kind, query, language);
    }

    async #load(remit, kind, query, language) {
      const abort = new AbortController();
      const { signal } = abort;
      this.#abort = abort;
      try {
        const method = methodOf(kind);
        const fetching = Promise.resolve(remit).then((kit) => kit[method](query, { signal }));
        // Awaited below.
        fetching.catch(() => {});
        const texts = await textsOf(language, this.messages);
        if (signal.aborted) return;
        this.#texts = texts;
        this.#say("loading", makeMessage("loading", "status", texts.texts.loading));
        const form = await fetching;
        // Read and shown in one task, a form of many fields would block a slow page for over 50 ms.
        await new Promise((resolve) => setTimeout(resolve));
        if (signal.aborted) return;
        this.#abort = undefined;
        this.#form = form;
        this.#show();
        dispatch(this, "ready", { fieldIds: this.#controls.fieldIds });
      } catch (error) {
        if (!signal.aborted) this.#fail(error);
      }
    }

    // Shows the form with the values so far.
    #show() {
      this.#controls?.destroy();
      this.#controls = undefined;
      if (this.#form === undefined) return;
      const { initial, masked = {}, options, filter } = this;
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
        filter,
        onFailure: (fieldId, error) => dispatch(this, "optionsfailed", { fieldId, error }),
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
      const values = { __proto__: null, ...this.values };
      for (const id of [fieldId, ...this.#form.dependents(fieldId)]) this.#entered[id] = values[id];
      dispatch(this, "fieldchange", { fieldId, value: values[fieldId] });
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

    // Shows what a page may replace.
    #say(name, ...content) {
      this.#place.setAttribute("aria-busy", name === "loading");
      this.#place.replaceChildren(slot(name, ...content));
    }

    #fail(cause) {
      const error = asError(cause);
      this.#abort = undefined;
      const retry = makeButton("retry", this.#texts.texts.retry, () => this.reload());
      this.#say("load-error", makeMessage("load-error", "alert", error.userMessage), retry);
      dispatch(this, "error", error);
    }

    // Fields that are not required may all stay empty.
    #validate() {
      const { problems } = this;
      const fields = this.#fieldsNow();
      const isOptional = !this.required && fields.length === 0;
      const isValid = isOptional || (this.#controls !== undefined && problems.length === 0);
      const value = isValid && fields.length > 0 ? JSON.stringify(fields) : null;
      const missing = problems[0]?.message ?? this.#texts.texts.missing;
      // What the browser focuses if it shows the message.
      if (this.#place && this.#controls === undefined) this.#place.tabIndex = -1;
      else this.#place?.removeAttribute("tabindex");
      const state = JSON.stringify(this.values);
      this[SUBMIT](value, isValid ? undefined : missing, this.#place, { state });
    }

    #fieldsNow() {
      try {
        return this.#controls?.toFields() ?? [];
      } catch {
        // `toFields` of the page reports values that cannot be sent.
        return [];
      }
    }

    // The problems stand at their fields, so the browser's own message is not needed.
    #onInvalid(event) {
      if (event.target !== this || this.#controls === undefined) return;
      event.preventDefault();
      const isWrong = (control) => control.willValidate && !control.validity?.valid;
      if ([...(this.form?.elements ?? [])].find(isWrong) === this) this.check();
    }
  }

  return RemitFields;
}
