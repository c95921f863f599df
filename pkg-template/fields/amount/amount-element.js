import { disclosureTexts } from "../../quote/disclosures.js";
import { complain } from "../../custom-element/complaint.js";
import { dispatch, dispatchError, isFirstInvalid, isInPage } from "../../custom-element/events.js";
import {
  IS_ASKING, MISSING, QUEUE_UPDATE, READ, SUBMIT, UPDATE, formControl,
} from "../../custom-element/form-control.js";
import { applyStyle } from "../../custom-element/style.js";
import { failure } from "../../errors/errors.js";
import { languageOf } from "../../errors/locale.js";
import { leftOf } from "../../quote/time.js";
import { AmountEntry, SIDES } from "./amount-entry.js";
import { AmountLimits } from "./amount-limits.js";
import { mistakeIn } from "./amount-mistake.js";
import { loadParts } from "./amount-parts.js";
import { AmountRoutes, requestOf } from "./amount-route.js";
import { readState, stateOf } from "./amount-state.js";
import { amountTexts } from "./amount-texts.js";
import { AmountView, showOnly } from "./amount-view.js";
import { make, makeButton, makeMessage, makeText, mount, slot, tell } from "../dom.js";
import { languageAt } from "../language.js";
import { onPageShown } from "../page-shown.js";
import { afterPress, isPressing } from "../presses.js";
import { QuoteSession, differenceOf } from "../../quote/quote-session.js";
import { AMOUNT_RULES, RULES } from "../rules.js";
import { makeFigure, showText } from "../sentence.js";
import { errorText } from "../texts.js";
import { bareOf, parseDigits, swapped } from "./typed-amount.js";

const PROPERTIES = {
  texts: ["country", "method", "send", "receive", "amount", "quoteBy", "name", "order", "disclosures"],
  flags: ["required", "disabled", "refreshExpired", "compare", "currencies"],
  values: ["remit", "corridor", "limits", "recipientAccountId", "debounceMs", "messages", "theme"],
};
// What the parts share with the element.
const TOOLS = {
  QuoteSession, afterPress, bareOf, disclosureTexts, errorText, failure, make, makeButton, makeFigure, makeMessage,
  makeText, parseDigits, requestOf, showOnly, showText, slot, swapped, tell,
};

/** Creates a class for the element. A page needs one for each tag name. */
export function amountElement() {
  class RemitAmount extends formControl(PROPERTIES, "lang") {
    #session = new QuoteSession();
    #routes = new AmountRoutes();
    #entry = new AmountEntry();
    #limits = new AmountLimits();
    #view = new AmountView((side, text) => this.#type(side, text));
    #choice;
    #price;
    #judge;
    // Why not all of these are there, and what is wrong with the attributes.
    #failure;
    #mistake;
    #words;
    #updates = 0;
    #secondsShown;
    // What is shown and the page was told last; the `quote` is the last one that held, and `request` its own.
    #shown = { isUsable: false };
    // Methods that take no amount to receive.
    #sendOnly = new Set();
    // Ends when it is removed.
    #presence;
    #isRevealing = false;

    constructor() {
      super();
      this.#session.subscribe(() => this.#show());
      this.addEventListener("invalid", (event) => this.#onInvalid(event));
    }

    connectedCallback() {
      super.connectedCallback();
      const { place } = this.#view;
      if (place.parentNode === null) {
        mount(this, place);
        place.disabled = this.disabled;
      }
      this.#presence?.abort();
      this.#presence = new AbortController();
      const { signal } = this.#presence;
      onPageShown(() => this.#show(), signal);
    }

    disconnectedCallback() {
      this.#presence?.abort();
      super.disconnectedCallback();
    }

    attributeChangedCallback(name, before, now) {
      if (before !== now && (name === "amount" || name === "quote-by")) this.#start();
      super.attributeChangedCallback();
    }

    formResetCallback() {
      this.#start();
      this[QUEUE_UPDATE]();
    }

    formStateRestoreCallback(state) {
      const kept = readState(state, this);
      if (kept === undefined) return;
      const { method } = this;
      Object.assign(this, kept.chosen);
      if (this.method !== method) dispatch(this, "methodchange", { method: this.method });
      this.#entry.restore(kept);
      this[QUEUE_UPDATE]();
    }

    formDisabledCallback(isDisabled) {
      this.#view.place.disabled = isDisabled;
    }

    get quote() {
      return this.#session.state.quote;
    }

    get error() {
      return this.#mistake ?? this.#failure ?? this.#limitsError ?? this.#routes.error ?? this.#session.state.error;
    }

    get isStale() {
      return this.#session.state.isStale;
    }

    get isLoading() {
      return this.#session.state.isLoading;
    }

    get quoteBy() {
      return SIDES[this.#entry.side];
    }

    set quoteBy(side) {
      super.quoteBy = side;
    }

    get value() {
      this[READ]();
      return this.#isUsable ? this.quote.quoteHistoryId : "";
    }

    // React and what fills in forms set it, as any control's.
    set value(_) {}

    get request() {
      this[READ]();
      return this.#isUsable ? { ...this.#session.request, quoteHistoryId: this.value } : undefined;
    }

    get secondsLeft() {
      const left = leftOf(this.quote);
      return left === undefined ? undefined : Math.ceil(left / 1000);
    }

    check() {
      this[READ]();
      this.#entry.isChecked = true;
      this.#isRevealing = true;
      // Also what the page has set in this task.
      if (isInPage(this)) this.#ask();
      else this.#show();
      this.#isRevealing = false;
      if (!this.#isUsable) this.#anchor.focus();
      return this.#isUsable;
    }

    // An amount that was typed otherwise is asked about, and a price that has expired in the meantime is none.
    [READ]() {
      if (this.#words === undefined || !isInPage(this)) return;
      this.#view.read((side, text) => this.#type(side, text));
      this.#choice?.read();
      this.#session.checkTime();
      if (this.secondsLeft !== this.#secondsShown) this.#show();
    }

    refresh() {
      if (this.#failure || this.#limitsError || this.#routes.error) {
        this.#limits.reset();
        this.#routes.reset();
        this[QUEUE_UPDATE]();
      } else if (this.#shown.isSendOnly && this.#entry.side === "receive") {
        this.#entry.goBySend(this.amount);
        this.#ask();
        this.focus();
      } else this.#session.refresh();
    }

    focus(options) {
      this.#input.focus(options);
    }

    async [UPDATE]() {
      const { remit, messages, compare, currencies } = this;
      const update = (this.#updates += 1);
      if (!isInPage(this)) return this.#pause();
      this.#mistake = mistakeIn(this, super.quoteBy, this.#mistake);
      if (this.#words === undefined) this.#submit();
      const language = languageOf(languageAt(this));
      const loading = loadParts(this.#isPriceShown, compare || currencies);
      if (remit === undefined) return this.#pause();
      if (this[MISSING] || this.#mistake) this.#routes.reset();
      else this.#routes.lookUp(this, () => this.#ask());
      // The price of other attributes does not hold while texts load.
      this.#ask();
      const { problem, price, choice, error } = await loading;
      const words = await amountTexts(language, messages, [problem, price, choice]);
      if (update !== this.#updates) return;
      // Where the browser does not say so by itself.
      this.#view.place.disabled = this.disabled || this.matches(":disabled");
      applyStyle(this, [RULES, AMOUNT_RULES, price?.RULES, choice?.RULES].join(""), this.theme);
      const view = this.#view;
      this.#judge = problem && new problem.AmountProblem(TOOLS, words, (...of) => this.#limits.of(this, ...of));
      if (price) this.#price ??= new price.AmountPrice(TOOLS, view, () => this.refresh());
      if (choice) this.#choice ??= new choice.AmountChoice(TOOLS, view, (...chosen) => this.#onChosen(...chosen));
      if (!this.shadowRoot) view.take(this.children);
      this.#failure = error;
      this.#words = words;
      this.#ask();
    }

    get [MISSING]() {
      return this.country === "" && this.corridor === undefined ? "`country`, or `corridor`" : undefined;
    }

    #pause() {
      this.#routes.pause();
      this.#choice?.pause();
      this.#session.pause();
    }

    #type(side, text) {
      this.#entry.type(side, text);
      this.#ask();
    }

    get #isUsable() {
      return this.#shown.isUsable && this.#session.current !== undefined;
    }

    // What stands at the amounts needs no message of the browser, which would take the focus from what comes before.
    #onInvalid(event) {
      if (event.target !== this || this.#words === undefined || this[IS_ASKING]) return;
      const isFirst = isFirstInvalid(this);
      if (isFirst) this.check();
      if (!isFirst || this.#shown.problem || this.#anchor !== this.#input) event.preventDefault();
    }

    // Where a problem is to be mended: an amount, or an expired price's button for another one.
    get #anchor() {
      const { refresh } = this.#price ?? {};
      return this.#shown.expired && refresh?.hidden === false ? refresh : this.#input;
    }

    // A page that shows the price says why there is none, too.
    get #isPriceShown() {
      return this.querySelector("[slot=summary]") === null;
    }

    get #input() {
      return this.#view.rows[this.#entry.side].input;
    }

    // Starts with the amount of the attribute.
    #start() {
      this.#entry.texts = { send: "", receive: "" };
      this.#entry.type(super.quoteBy === SIDES.receive ? "receive" : "send", this.amount);
    }

    #onChosen(name, value) {
      this[name] = value;
      this.#ask();
      if (name === "method") dispatch(this, "methodchange", { method: value });
    }

    // Quotes what was typed last.
    #ask() {
      if (this.#words === undefined || !isInPage(this)) return;
      const [entry, judge] = [this.#entry, this.#judge];
      const isChoosing = this.compare || this.currencies;
      const route = this.#routes.find(this, isChoosing ? this.#choice : undefined);
      if (route && !entry.fits(route)) this.#start();
      entry.translate(this.#words.language, route, this.amount, (side) => this.#view.hasFocus(side));
      if (route) this.#limits.of(this, route.corridor.transferMethod, route.send.iso3Code);
      // Another currency may have changed the side that counts.
      const { remit, quoteBy, recipientAccountId } = this;
      const isAmount = judge && entry.units !== undefined && judge.ofEntry(entry) === undefined;
      const isRight = isAmount && !this.#limitsError;
      const request = isRight ? { ...requestOf(route, quoteBy, entry.units), recipientAccountId } : undefined;
      entry.isAsked = true;
      this.#session.ask(remit, request, this);
      this.#show();
    }

    #show() {
      const [words, entry, before] = [this.#words, this.#entry, this.#shown];
      if (words === undefined || !isInPage(this)) return;
      const { current, request, state } = this.#session;
      this.#secondsShown = this.secondsLeft;
      if (isPressing() && !this.#isRevealing) {
        // What is pressed stays where it is, and a press counts for the price that the customer saw.
        afterPress(this, () => this.#show());
        this.#shown = { ...before, isUsable: before.isUsable && current === before.current };
        return this.#submit();
      }
      if (state.error?.code.startsWith("QuoteByReceive")) this.#sendOnly.add(request.transferMethod);
      // The amounts that are sent are those of the quote. Never the figure of an earlier price.
      for (const side of current && entry.isAsked ? Object.keys(SIDES) : []) {
        entry.show(side, current[`${side}Amount`], this.#view.hasFocus(side));
      }
      const problem = this.#problem;
      const isUsable = current !== undefined && entry.isAsked && problem === undefined && !this.#limitsError;
      const now = {
        ...before,
        ...(current && { quote: current, request }),
        words, entry, state, current, problem, isUsable,
        judge: this.#judge,
        isRevealing: this.#isRevealing,
        error: this.error,
        expired: state.isExpired ? state.quote : undefined,
        isSendOnly: this.#sendOnly.has(entry.route?.corridor.transferMethod),
        // No price will come for this text: an earlier one's figures would be taken for it.
        isPriceless: current === undefined && !state.isLoading && !state.isExpired,
      };
      this.#shown = now;
      for (const part of [this.#view, this.#price, this.#choice]) part?.show(this, now);
      this.#submit();
      this.#tell(before, now);
    }

    #submit() {
      const [{ isBlank }, { words, problem, expired, isUsable }] = [this.#entry, this.#shown];
      const isValid = isUsable || (isBlank && !this.required);
      const missing = isBlank ? "empty" : expired && !this.isLoading ? "expired" : "missing";
      const message = problem ?? words?.textOf(missing) ?? "…";
      const value = isUsable ? this.quote.quoteHistoryId : "";
      this[SUBMIT](value, isValid ? undefined : message, this.#anchor, { state: stateOf(this.#entry, this) });
    }

    // What keeps the amount from being sent, besides that its price is missing.
    get #problem() {
      const [entry, judge, { current, request }] = [this.#entry, this.#judge, this.#session];
      const failed = this.#isPriceShown ? errorText(this.error, this.#words.language) : undefined;
      if (!judge || !entry.route) return failed;
      if (entry.isBlank && !(entry.isChecked && this.required)) return undefined;
      return judge.ofEntry(entry) ?? failed ?? (current && judge.ofQuote(current, request, entry.route));
    }

    get #limitsError() {
      return this.#limits.errorOf(this);
    }

    // Tells each once, after what it is about is shown.
    #tell(before, now) {
      const { quote, error, expired } = now;
      const { quote: previous } = before;
      if (["state", "isUsable", "error"].some((name) => now[name] !== before[name])) dispatch(this, "pricechanged");
      if (expired && expired !== before.expired) dispatch(this, "expired", { quote: expired });
      if (error && error !== before.error) dispatchError(this, error);
      if (!error && before.error) complain(this);
      if (quote === previous) return;
      const difference = before.request === now.request ? differenceOf(previous, quote) : undefined;
      dispatch(this, "quote", { quote, previous, difference });
    }
  }

  return RemitAmount;
}
