import { QUEUE_UPDATE, SUBMIT, UPDATE, dispatch, formControl, isInPage } from "../element/form-control.js";
import { contentOf } from "../content.js";
import { asError, failure } from "../errors.js";
import { kitError } from "../kit-error.js";
import { loadAgain } from "../load-again.js";
import { languageOf } from "../locale.js";
import { attempt, textOf } from "./control.js";
import { make, makeButton, makeMessage, mount, slot } from "./dom.js";
import { methodOf } from "./kind.js";
import { languageAt } from "./language.js";
import { queryOf } from "./query.js";
import { showForm, styleFields } from "./shown-form.js";
import { textsIn } from "./texts.js";

/** Of these, another value fetches the form again. */
const GIVEN = ["remit", "initial", "masked", "messages", "options", "filter"];
const TEXTS = ["kind", "country", "currency", "method", "recipientType", "senderType", "autofill", "name"];
const PROPERTIES = {
  texts: [...TEXTS, "summary", "validate"],
  flags: ["required", "disabled"],
  values: [...GIVEN, "query", "values", "theme"],
};

const loadAutofill = /* @__PURE__ */ loadAgain(() => import("./autofill.js"));
let count = 0;

/** Creates a class for the element. A page needs one for each tag name. */
export function fieldsElement() {
  return class RemitFields extends formControl(PROPERTIES, "lang") {
    #idPrefix = `remit-fields-${(count += 1)}`;
    #place = make("div", "form");
    // What the form was fetched for; its texts; it, with what it is shown with; its controls.
    #startedWith;
    #texts;
    #loaded;
    #controls;
    #isLoading = false;
    #abort;
    // What the page and the customer entered; the values of a record are not among it.
    #entered = { __proto__: null };

    constructor() {
      super();
      this.addEventListener("invalid", (event) => this.#onInvalid(event));
    }

    connectedCallback() {
      super.connectedCallback();
      if (this.#place.parentNode === null) mount(this, this.#place);
      this.#validate();
    }

    attributeChangedCallback() {
      this.#validate();
      super.attributeChangedCallback();
    }

    formResetCallback() {
      this.reset();
    }

    formDisabledCallback() {
      this.#validate();
    }

    formStateRestoreCallback(state) {
      // It may be of another version.
      this.values = attempt(() => JSON.parse(state), {});
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
      if (this.#loaded !== undefined) this.#entered = { __proto__: null };
      super.initial = initial;
    }

    get values() {
      return this.#controls?.values ?? { ...this.#entered };
    }

    set values(values) {
      this.#entered = { __proto__: null, ...values };
      if (this.#loaded !== undefined) this.#show();
      this.#validate();
    }

    get definition() {
      return this.#loaded?.form;
    }

    get problems() {
      return this.#controls?.problems ?? [];
    }

    get isLoading() {
      return this.#isLoading;
    }

    check() {
      return this.#controls?.check().length === 0;
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
      this.#startedWith = undefined;
      this[QUEUE_UPDATE]();
    }

    focus(options) {
      if (this.#controls === undefined) super.focus(options);
      else this.#controls.focus(typeof options === "string" ? options : undefined);
    }

    [UPDATE]() {
      const { kind, query, remit, autofill, country, validate } = this;
      styleFields(this);
      const isShown = isInPage(this) && remit !== undefined && query !== undefined;
      const language = languageOf(languageAt(this));
      const key = isShown && contentOf([kind, query, language, autofill, country, validate]);
      const wanted = [key, ...GIVEN.map((name) => this[name])];
      if (this.#startedWith?.every((value, at) => value === wanted[at])) return;
      this.#startedWith = wanted;
      const signal = this.#stop();
      this.#loaded = undefined;
      this.#controls = undefined;
      this.#isLoading = isShown;
      this.#place.replaceChildren();
      this.#validate();
      if (isShown) this.#load(remit, kind, query, language, signal);
    }

    async #load(remit, kind, query, language, signal) {
      const fetching = (async () => (await remit)[methodOf(kind)](query, { signal }))().catch((error) => {
        throw kitError(error);
      });
      // Awaited below.
      fetching.catch(() => {});
      const isOwn = this.autofill === "own" || (this.autofill === "" && kind === "sender");
      const table = isOwn ? loadAutofill().catch(() => undefined) : undefined;
      const [texts, own] = await Promise.all([textsIn(language, this.#ownHints, this.messages), table]);
      if (signal.aborted) return;
      this.#texts = texts;
      this.#say("loading", makeMessage("loading", "status", texts("texts", "loading")));
      try {
        const form = await fetching;
        // Read and shown in one task, a form of many fields would block a slow page for over 50 ms.
        await new Promise((resolve) => setTimeout(resolve));
        if (signal.aborted) return;
        this.#isLoading = false;
        this.#loaded = { form, texts, language, autofill: own?.AUTOFILL, idPrefix: this.#idPrefix };
        this.#show(signal);
        dispatch(this, "ready", { fieldIds: this.#controls.fieldIds });
      } catch (cause) {
        if (signal.aborted) return;
        const error = asError(cause);
        this.#isLoading = false;
        this.#loaded = undefined;
        const retry = makeButton("retry", texts("texts", "retry"), () => this.reload());
        this.#say("load-error", makeMessage("load-error", "alert", error.userMessage), retry);
        this.#validate();
        dispatch(this, "error", error);
      }
    }

    // Shows the form with the values so far.
    #show(signal = this.#stop()) {
      this.#controls = showForm(this, this.#place, this.#loaded, this.#entered, signal, () => this.#validate());
      this.#validate();
    }

    // Those of the page are also said with their controls.
    get #ownHints() {
      const own = [...this.querySelectorAll(":scope > [slot^=hint-]")];
      return { hints: Object.fromEntries(own.map((hint) => [hint.slot.slice("hint-".length), hint.textContent])) };
    }

    // Stops what is being fetched or shown. Returns the signal that stops what follows.
    #stop() {
      this.#abort?.abort();
      this.#abort = new AbortController();
      return this.#abort.signal;
    }

    // Shows what a page may replace.
    #say(name, ...content) {
      this.#place.replaceChildren(slot(name, ...content));
    }

    // Fields that are not required may all stay empty.
    #validate() {
      const [place, controls, { problems }] = [this.#place, this.#controls, this];
      // Before it is in a page, it has nothing at which a browser could show a message.
      if (place.parentNode === null) return;
      // None for values that cannot be sent, which `toFields` of the page reports.
      const fields = attempt(() => controls?.toFields() ?? []);
      const isOptional = !this.required && fields?.length === 0;
      const isValid = isOptional || (controls && fields && problems.length === 0);
      const value = isValid && fields.length > 0 ? JSON.stringify(fields) : null;
      const missing = problems[0]?.message ?? this.#texts?.("texts", "missing") ?? "…";
      // What the browser focuses if it shows the message.
      if (controls === undefined) place.tabIndex = -1;
      else place.removeAttribute("tabindex");
      place.setAttribute("aria-busy", this.#isLoading);
      for (const set of place.querySelectorAll("fieldset")) set.disabled = this.disabled || this.matches(":disabled");
      const states = { loading: this.#isLoading, invalid: controls?.wrong.length > 0 };
      const state = attempt(() => JSON.stringify(this.values));
      this[SUBMIT](value, isValid ? undefined : missing, place, { state, states });
    }

    // The problems stand at their fields, so the browser's own message is not needed.
    #onInvalid(event) {
      if (event.target !== this || this.#controls === undefined) return;
      event.preventDefault();
      const isWrong = (control) => control.willValidate && !control.validity?.valid;
      if ([...(this.form?.elements ?? [])].find(isWrong) === this) this.check();
    }
  };
}
