import { complain } from "../../custom-element/complaint.js";
import { dispatch, dispatchError, isFirstInvalid, isInPage } from "../../custom-element/events.js";
import {
  IS_ASKING, MISSING, QUEUE_UPDATE, READ, SUBMIT, UPDATE, formControl,
} from "../../custom-element/form-control.js";
import { contentOf } from "../../input/content.js";
import { asError, failure } from "../../errors/errors.js";
import { kitError } from "../../errors/kit-error.js";
import { loadAgain } from "../../module/load-again.js";
import { languageOf } from "../../errors/locale.js";
import { attempt, fieldsOf, textOf } from "../control.js";
import { make, makeButton, makeMessage, mount, slot } from "../dom.js";
import { methodOf } from "./kind.js";
import { languageAt } from "../language.js";
import { afterPress, released } from "../presses.js";
import { queryOf } from "./query.js";
import { recordIn, showForm, styleFields } from "./shown-form.js";
import { textsIn } from "../texts.js";

const TEXTS = ["kind", "country", "currency", "method", "recipientType", "senderType", "autofill", "name"];
const PROPERTIES = {
  texts: [...TEXTS, "summary", "validate"],
  flags: ["required", "disabled"],
  values: ["remit", "initial", "masked", "options", "filter", "query", "values", "messages", "theme"],
};

const loadAutofill = /* @__PURE__ */ loadAgain(() => import("../controls/autofill.js"));
const NO_RECORD = contentOf({});
let count = 0;

/** Creates a class for the element. A page needs one for each tag name. */
export function fieldsElement() {
  return class RemitFields extends formControl(PROPERTIES, "lang") {
    #idPrefix = `remit-fields-${(count += 1)}`;
    #place = make("div", "form");
    // What the form was fetched for; its texts; it, with what it is shown with; its controls.
    #startedWith;
    #texts;
    #textsFor;
    #loaded;
    #controls;
    #shownWith;
    #isLoading = false;
    #abort;
    // What the page and the customer entered; the values of a record are not among it.
    #entered = { __proto__: null };
    // What the browser has kept of an earlier visit, and of which record: until a form for that record is shown.
    #restored;
    // Whether what was entered may belong to a record.
    #hasRecord = false;
    // Another record fetches the form again.
    #records = 0;
    #recordKey = NO_RECORD;

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

    // Autofill may have come without an event.
    [READ]() {
      if (isInPage(this)) this.#controls?.read();
    }

    formResetCallback() {
      this.reset();
    }

    formDisabledCallback() {
      this.#validate();
    }

    formStateRestoreCallback(state) {
      // It may be of another version.
      this.#restored = attempt(() => JSON.parse(state));
      if (this.#loaded !== undefined) this.#show();
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
      const isOther = !this.#isRecord(initial);
      super.initial = initial;
      if (isOther) this.#records += 1;
      // Never what was typed for one record in the form of another.
      if (isOther && this.#hasRecord) this.#entered = { __proto__: null };
      this.#hasRecord = true;
    }

    // Frameworks set equal values anew at each change, and functions that return the same.
    #isRecord(initial) {
      const before = this.initial;
      if (before === initial) return true;
      const form = this.#loaded?.form;
      // Before the form is there, no function can say.
      if (form === undefined && [before, initial].some((one) => typeof one === "function")) return false;
      const keyOf = (given) => contentOf(recordIn(given, form) ?? {});
      return attempt(() => keyOf(initial) === (form ? this.#recordKey : keyOf(before)), false);
    }

    get values() {
      this[READ]();
      return this.#controls?.values ?? { ...this.#entered };
    }

    set values(values) {
      // Frameworks set equal values at each change: who is typing goes on.
      if (this.#isStaying && contentOf({ ...values }) === contentOf(this.#controls.values)) return;
      if (this.#isStaying) this.#controls.setValues({ ...values });
      else this.#entered = { __proto__: null, ...values };
      this.#validate();
    }

    get definition() {
      return this.#loaded?.form;
    }

    get problems() {
      this[READ]();
      return this.#controls?.problems ?? [];
    }

    get isLoading() {
      return this.#isLoading;
    }

    check() {
      if (this.#controls === undefined) return false;
      const problems = this.#controls.check();
      const isSeen = this.#controls.wrong.length > 0;
      const ids = [...new Set(problems.map(({ fieldId }) => fieldId))].join(", ");
      if (ids !== "" && !isSeen) complain(this, `No customer sees ${ids}: the page sets such a field by setValue().`);
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
      if (this.#isStaying) this.#controls.setValue(fieldId, value);
      else this.#entered[fieldId] = value;
    }

    valueText(fieldId) {
      return this.#controls?.valueText(fieldId) ?? textOf(this.#entered[fieldId]);
    }

    reset() {
      if (this.#isStaying) this.#controls.reset();
      else this.#entered = { __proto__: null };
      this.#validate();
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
      const { kind, query, remit } = this;
      styleFields(this);
      const isShown = isInPage(this) && remit !== undefined && query !== undefined;
      const language = languageOf(languageAt(this));
      const wanted = [...this.#formKey, isShown];
      if (this.#startedWith?.every((value, at) => value === wanted[at])) {
        this.#showAgain();
        return isShown && this.#translate(language);
      }
      this.#startedWith = wanted;
      const signal = this.#stop();
      this.#loaded = undefined;
      this.#controls = undefined;
      this.#isLoading = isShown;
      this.#place.replaceChildren();
      this.#validate();
      if (isShown) this.#load(remit, kind, query, language, signal);
    }

    // Of these, others fetch the form again.
    get #formKey() {
      const { kind, query, remit, autofill, country, options, filter } = this;
      // What is no function is an error of the form.
      const areFilters = [filter, options].map((given) => ["undefined", "function"].includes(typeof (given ?? undefined)));
      return [contentOf([kind, query, autofill, country]), ...areFilters, remit, this.#records];
    }

    // Whether what is shown is not about to be replaced by another form.
    get #isStaying() {
      return this.#controls !== undefined && this.#formKey.every((value, at) => value === this.#startedWith?.[at]);
    }

    get [MISSING]() {
      return this.query === undefined ? (this.kind ? "`country` and `currency`, or `query`" : "`kind`") : undefined;
    }

    // Shows other fields if the filter accepts others, and offers other choices if they are.
    #showAgain() {
      if (this.#loaded === undefined) return;
      const [before, now] = [this.#shownWith, this.#toShowWith];
      this.#shownWith = now;
      const idsOf = () => fieldsOf(this.#loaded.form, this.filter).map(({ fieldId }) => fieldId);
      const isOther = `${attempt(idsOf)}` !== `${this.#controls.fieldIds}`;
      // What is pressed stays where it is.
      if (isOther) afterPress(this, () => this.#controls?.setFilter(this.filter));
      else if (before.some((value, at) => value !== now[at])) this.#controls.refresh();
    }

    get #toShowWith() {
      return [this.options, contentOf([this.masked])];
    }

    // Other texts replace those that are shown in place: who is typing goes on.
    async #translate(language) {
      const { messages } = this;
      const own = this.#ownHints;
      const wanted = [language, messages, contentOf(own)];
      if (this.#textsFor === undefined || this.#textsFor.every((value, at) => value === wanted[at])) return;
      this.#textsFor = wanted;
      const texts = await textsIn(language, own, messages);
      if (this.#textsFor !== wanted) return;
      this.#texts = texts;
      if (this.#loaded === undefined) return;
      Object.assign(this.#loaded, { texts, language });
      this.#controls.translate(texts);
      this.#validate();
    }

    async #load(remit, kind, query, language, signal) {
      const fetching = (async () => (await remit)[methodOf(kind)](query, { signal }))().catch((error) => {
        throw kitError(error);
      });
      // Awaited below.
      fetching.catch(() => {});
      const isOwn = this.autofill === "own" || (this.autofill === "" && kind === "sender");
      const table = isOwn ? loadAutofill().catch(() => undefined) : undefined;
      const hints = this.#ownHints;
      const textsFor = (this.#textsFor = [language, this.messages, contentOf(hints)]);
      const [said, own] = await Promise.all([textsIn(language, hints, this.messages), table]);
      if (signal.aborted) return;
      if (this.#textsFor === textsFor || this.#texts === undefined) this.#texts = said;
      this.#say("loading", makeMessage("loading", "status", this.#texts.say("loading")));
      try {
        const form = await fetching;
        // Read and shown in one task, a form of many fields would block a slow page for over 50 ms.
        await new Promise((resolve) => setTimeout(resolve));
        await released();
        if (signal.aborted) return;
        this.#isLoading = false;
        const [spoken] = this.#textsFor;
        const idPrefix = this.#idPrefix;
        this.#loaded = { form, texts: this.#texts, language: spoken, autofill: own?.AUTOFILL, idPrefix };
        const hadFocus = this.#place.getRootNode().activeElement === this.#place;
        this.#show(signal);
        if (hadFocus) this.#controls.focus();
        complain(this);
        dispatch(this, "ready", { fieldIds: this.#controls.fieldIds });
      } catch (cause) {
        if (signal.aborted) return;
        const error = asError(cause);
        this.#isLoading = false;
        this.#loaded = undefined;
        const retry = makeButton("retry", this.#texts.say("retry"), () => {
          this.#place.focus();
          this.reload();
        });
        this.#say("load-error", makeMessage("load-error", "alert", this.#texts.ofError(error)), retry);
        this.#validate();
        dispatchError(this, error);
      }
    }

    // Shows the form with the values so far.
    #show(signal = this.#stop()) {
      const { form } = this.#loaded;
      this.#hasRecord = true;
      this.#shownWith = this.#toShowWith;
      const record = recordIn(this.initial, form);
      this.#recordKey = contentOf(record ?? {});
      // What was typed for another record is not put into this one's form.
      if (this.#restored?.record === this.#recordKey) Object.assign(this.#entered, this.#restored.entered);
      this.#restored = undefined;
      this.#loaded.record = record;
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
      const [place, controls] = [this.#place, this.#controls];
      // What it finds was said without an event, and would otherwise be judged by what was there before.
      controls?.read();
      const problems = controls?.problems ?? [];
      // Before it is in a page, it has nothing at which a browser could show a message.
      if (place.parentNode === null) return;
      // None for values that cannot be sent, which `toFields` of the page reports.
      const fields = attempt(() => controls?.toFields() ?? []);
      const isOptional = !this.required && fields?.length === 0 && !controls?.isUnread;
      const isValid = isOptional || (controls && fields && problems.length === 0);
      const value = isValid && fields.length > 0 ? JSON.stringify(fields) : null;
      const missing = problems[0]?.message ?? this.#texts?.say("missing") ?? "…";
      // What the browser focuses if it shows the message.
      if (controls === undefined) place.tabIndex = -1;
      else place.removeAttribute("tabindex");
      place.setAttribute("aria-busy", this.#isLoading);
      for (const set of place.querySelectorAll("fieldset")) set.disabled = this.disabled || this.matches(":disabled");
      const states = { loading: this.#isLoading, invalid: controls?.wrong.length > 0 };
      const kept = this.#restored ?? { record: this.#recordKey, entered: this.#entered };
      const state = attempt(() => JSON.stringify(kept));
      this[SUBMIT](value, isValid ? undefined : missing, place, { state, states });
    }

    // The problems stand at their fields. The browser's own message is needed only for what nobody sees, and would
    // take the focus from what comes before.
    #onInvalid(event) {
      if (event.target !== this || this.#controls === undefined || this[IS_ASKING]) return;
      const isFirst = isFirstInvalid(this);
      if (isFirst) this.check();
      if (!isFirst || this.#controls.wrong.length > 0) event.preventDefault();
    }
  };
}
