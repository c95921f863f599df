import {
  QUEUE_UPDATE, STATES, SUBMIT, UPDATE, applyStyle, dispatch, dispatchChange, formControl, isInPage,
} from "../element/form-control.js";
import { asError, failure } from "../errors.js";
import { loadAgain } from "../load-again.js";
import { languageOf } from "../locale.js";
import { attempt, prefixOf, textOf, valueOf } from "./control.js";
import { FieldControls } from "./controls.js";
import { make, makeButton, makeMessage, slot, submitOnEnter } from "./dom.js";
import { showFields } from "./fields-view.js";
import { methodOf } from "./kind.js";
import { languageAt } from "./language.js";
import { queryOf } from "./query.js";
import { RULES } from "./rules.js";
import { filledIn, textsIn } from "./texts.js";

/** Of these, another value fetches the form again. */
const GIVEN = ["remit", "initial", "masked", "messages", "options", "filter"];
const TEXTS = ["kind", "country", "currency", "method", "recipientType", "senderType", "autofill", "name"];
const PROPERTIES = {
  texts: [...TEXTS, "summary", "validate"],
  flags: ["required", "disabled"],
  values: [...GIVEN, "query", "values", "theme"],
};

const loadCorrections = /* @__PURE__ */ loadAgain(() => import("./corrections.js"));
const loadAutofill = /* @__PURE__ */ loadAgain(() => import("./autofill.js"));
/** The class, once something was wrong. */
let Corrections;
const TOOLS = { filledIn, make, prefixOf, valueOf };
let count = 0;

/** Creates a class for the element. A page needs one for each tag name. */
export function fieldsElement() {
  class RemitFields extends formControl(PROPERTIES, "lang") {
    #idPrefix = `remit-fields-${(count += 1)}`;
    #place;
    // What the form was fetched for, the form, and how it is shown.
    #startedWith;
    #language;
    #abort;
    #form;
    #texts;
    #autofill;
    #controls;
    #view;
    #shown;
    #corrections;
    // The field that has the focus in place of a summary.
    #revealed;
    // WebKit clears what is not to be autofilled in a task after it shows a page again.
    #onPageShow = () => setTimeout(() => this.#controls?.refresh());
    // What the page and the customer entered; the values of a record are not among it.
    #entered = { __proto__: null };

    connectedCallback() {
      super.connectedCallback();
      if (this.#place === undefined) {
        this.#place = make("div", "form");
        // In the page's own tree, its style sheets and scripts reach the fields.
        const isLight = this.getAttribute("shadow") === "none";
        const root = isLight ? this : (this.shadowRoot ?? this.attachShadow({ mode: "open", delegatesFocus: true }));
        root.append(this.#place);
        submitOnEnter(this, this.#place);
        this.addEventListener("invalid", (event) => this.#onInvalid(event));
        // Leaves a shadow root by itself only as `input`.
        if (!isLight) this.#place.addEventListener("change", () => dispatchChange(this));
      }
      window.addEventListener("pageshow", this.#onPageShow);
      this.#validate();
    }

    disconnectedCallback() {
      window.removeEventListener("pageshow", this.#onPageShow);
      super.disconnectedCallback();
    }

    attributeChangedCallback() {
      this.#validate();
      super.attributeChangedCallback();
    }

    formResetCallback() {
      this.reset();
    }

    formDisabledCallback(isDisabled) {
      this.#view?.disable(isDisabled);
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
      const problems = this.#controls?.check();
      return problems?.length === 0;
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
      const { kind, query, remit, autofill, country, validate } = this;
      applyStyle(this, RULES + (Corrections?.rules ?? ""), this.theme);
      const isShown = isInPage(this) && remit !== undefined && query !== undefined;
      this.#language = languageOf(languageAt(this));
      const key = isShown && JSON.stringify([kind, query, this.#language, autofill, country, validate]);
      const wanted = [key, ...GIVEN.map((name) => this[name])];
      if (this.#startedWith?.every((value, at) => value === wanted[at])) return;
      this.#end();
      this.#startedWith = wanted;
      if (isShown) this.#load(remit, kind, query);
    }

    async #load(remit, kind, query) {
      const abort = new AbortController();
      const { signal } = abort;
      this.#abort = abort;
      this.#validate();
      try {
        const method = methodOf(kind);
        const fetching = Promise.resolve(remit).then((kit) => kit[method](query, { signal }));
        // Awaited below.
        fetching.catch(() => {});
        const isOwn = this.autofill === "own" || (this.autofill === "" && kind === "sender");
        const table = isOwn ? loadAutofill().catch(() => undefined) : undefined;
        const [texts, loaded] = await Promise.all([textsIn(this.#language, this.#ownHints, this.messages), table]);
        if (signal.aborted) return;
        this.#texts = texts;
        this.#autofill = loaded?.AUTOFILL;
        this.#say("loading", makeMessage("loading", "status", texts("texts", "loading")));
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
      const { initial, masked, options: filterOptions, filter } = this;
      const [form, texts] = [this.#form, this.#texts];
      const settings = {
        values: { ...(typeof initial === "function" ? initial(form) : initial), ...this.#entered },
        masked,
        country: this.country || this.query?.dstCountryIso3Code,
        autofill: this.#autofill,
        idPrefix: this.#idPrefix,
        texts,
        filterOptions,
        filter,
        isQuiet: this.validate === "submit",
        word: (problem, field, values) =>
          this.#corrections?.word(problem, field, values) ?? problem.message ?? texts("texts", "missing"),
        reveal: (fieldId) => this.#reveal(fieldId),
        onChoices: (fieldId, error) =>
          dispatch(this, error ? "optionsfailed" : "optionsloaded", { fieldId, ...(error && { error }) }),
      };
      const controls = new FieldControls(form, settings);
      this.#controls = controls;
      this.#shown = { ...settings, ...TOOLS, form, controls, language: this.#language, place: this.#place };
      this.#corrections = undefined;
      this.#view = showFields(this.#place, form, controls, texts);
      this.#view.disable(this.disabled || this.matches(":disabled"));
      this.#place.setAttribute("aria-busy", false);
      controls.onChange((fieldId) => this.#onChange(fieldId));
      this.#validate();
    }

    // Those of the page are also said with their controls.
    get #ownHints() {
      const own = [...this.querySelectorAll(":scope > [slot^=hint-]")];
      return { hints: Object.fromEntries(own.map((hint) => [hint.slot.slice("hint-".length), hint.textContent])) };
    }

    #reveal(fieldId) {
      // What is folded up cannot have the focus.
      for (let folded; (folded = this.closest("details:not([open])")); ) folded.open = true;
      const wrong = this.#view.wrong();
      const isSummarized = this.summary !== "never" && wrong.length > 1;
      if (isSummarized && this.#corrections) return this.#corrections.summarize(wrong);
      this.#corrections?.end();
      this.#controls.focus(fieldId);
      // After the field that loses the focus, which is a change.
      if (isSummarized) this.#revealed = fieldId;
    }

    #onChange(fieldId) {
      this.#revealed = undefined;
      this.#validate();
      const wrong = this.#view.wrong();
      this.#corrections?.update(wrong);
      if (wrong.length > 0 && this.#corrections === undefined) this.#correct();
      if (fieldId === undefined) return;
      const values = { __proto__: null, ...this.values };
      for (const id of [fieldId, ...this.#form.dependents(fieldId)]) this.#entered[id] = values[id];
      dispatch(this, "fieldchange", { fieldId, value: values[fieldId] });
    }

    // Until the corrections are there, the kit's messages stand at the fields.
    async #correct() {
      const shown = this.#shown;
      Corrections ??= (await loadCorrections().catch(() => undefined))?.Corrections;
      if (!Corrections || this.#shown !== shown || this.#corrections) return;
      const revealed = this.#revealed;
      this.#corrections = new Corrections(shown);
      // Its rules.
      this[QUEUE_UPDATE]();
      shown.controls.refresh();
      if (revealed !== undefined) this.#reveal(revealed);
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
      const retry = makeButton("retry", this.#texts("texts", "retry"), () => this.reload());
      this.#say("load-error", makeMessage("load-error", "alert", error.userMessage), retry);
      this.#validate();
      dispatch(this, "error", error);
    }

    // Fields that are not required may all stay empty.
    #validate() {
      const { problems } = this;
      // `toFields` of the page reports values that cannot be sent.
      const fields = attempt(() => this.#controls?.toFields(), undefined) ?? [];
      const isOptional = !this.required && fields.length === 0;
      const isValid = isOptional || (this.#controls !== undefined && problems.length === 0);
      const value = isValid && fields.length > 0 ? JSON.stringify(fields) : null;
      const missing = problems[0]?.message ?? this.#texts?.("texts", "missing") ?? "…";
      // What the browser focuses if it shows the message.
      if (this.#place && this.#controls === undefined) this.#place.tabIndex = -1;
      else this.#place?.removeAttribute("tabindex");
      const state = JSON.stringify(this.values);
      this[SUBMIT](value, isValid ? undefined : missing, this.#place, { state });
      this[STATES]({ loading: this.isLoading, invalid: this.#view?.wrong().length > 0 });
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
