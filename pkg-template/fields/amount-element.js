import { QUEUE_UPDATE, SUBMIT, UPDATE, applyStyle, dispatch, formControl, isInPage } from "../element/form-control.js";
import { failure } from "../errors.js";
import { languageOf } from "../locale.js";
import { leftOf } from "../time.js";
import { AmountEntry, SIDES } from "./amount-entry.js";
import { AmountLimits } from "./amount-limits.js";
import { loadParts } from "./amount-parts.js";
import { AmountRoutes, requestOf } from "./amount-route.js";
import { amountTexts } from "./amount-texts.js";
import { AmountView } from "./amount-view.js";
import { attempt } from "./control.js";
import { make, makeButton, makeMessage, mount, showText, slot } from "./dom.js";
import { languageAt } from "./language.js";
import { QuoteSession, differenceOf } from "./quote-session.js";
import { AMOUNT_RULES, RULES } from "./rules.js";
import { bareOf, parseDigits } from "./typed-amount.js";

const PROPERTIES = {
  texts: ["country", "method", "send", "receive", "amount", "quoteBy", "name"],
  flags: ["required", "disabled", "refreshExpired", "compare", "currencies"],
  values: ["remit", "corridor", "limits", "recipientAccountId", "debounceMs", "messages", "theme"],
};
// What the parts share with the element.
const TOOLS = {
  QuoteSession, bareOf, failure, make, makeButton, makeMessage, parseDigits, requestOf, showText, slot,
};

/** Creates a class for the element. A page needs one for each tag name. */
export function amountElement() {
  class RemitAmount extends formControl(PROPERTIES, "lang") {
    #session = new QuoteSession();
    #routes = new AmountRoutes();
    #entry = new AmountEntry();
    #limits = new AmountLimits();
    #view = new AmountView((side, text) => {
      this.#entry.type(side, text);
      this.#ask();
    });
    #choice;
    #price;
    #judge;
    // Why not all of these are there.
    #failure;
    #words;
    #updates = 0;
    // What is shown and the page was told last; the `quote` is the last one that held, and `request` its own.
    #shown = { isUsable: false };
    // Methods that take no amount to receive.
    #sendOnly = new Set();
    #clock;

    constructor() {
      super();
      this.#session.subscribe(() => this.#show());
      this.addEventListener("invalid", (event) => {
        // What stands at the amounts needs no message of the browser.
        if (event.target === this && this.#words && !this.check() && this.#shown.problem) event.preventDefault();
      });
    }

    connectedCallback() {
      super.connectedCallback();
      const { place } = this.#view;
      if (place.parentNode === null) {
        mount(this, place);
        place.disabled = this.disabled;
      }
      this.#clock = setInterval(() => this.#show(), 1000);
    }

    disconnectedCallback() {
      clearInterval(this.#clock);
      super.disconnectedCallback();
    }

    attributeChangedCallback(name) {
      if (name === "amount" || name === "quote-by") this.#start();
      super.attributeChangedCallback();
    }

    formResetCallback() {
      this.#start();
      this[QUEUE_UPDATE]();
    }

    formStateRestoreCallback(state) {
      // It may be of another version.
      attempt(() => {
        const [side, text] = JSON.parse(state);
        if (Object.hasOwn(SIDES, side) && typeof text === "string") this.#entry.type(side, text);
      });
      this[QUEUE_UPDATE]();
    }

    formDisabledCallback(isDisabled) {
      this.#view.place.disabled = isDisabled;
    }

    get quote() {
      return this.#session.state.quote;
    }

    get error() {
      return this.#failure ?? this.#limitsError ?? this.#routes.error ?? this.#session.state.error;
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
      return this.#shown.isUsable ? this.quote.quoteHistoryId : "";
    }

    get request() {
      return this.#shown.isUsable ? { ...this.#session.request, quoteHistoryId: this.value } : undefined;
    }

    get secondsLeft() {
      const left = leftOf(this.quote);
      return left === undefined ? undefined : Math.ceil(left / 1000);
    }

    check() {
      this.#entry.isChecked = true;
      // Also what the page has set in this task.
      if (isInPage(this)) this.#ask();
      else this.#show();
      if (!this.#shown.isUsable) this.focus();
      return this.#shown.isUsable;
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
      if (this.#words === undefined) this.#submit();
      const language = languageOf(languageAt(this));
      const loading = loadParts(this.#isPriceShown, compare || currencies);
      if (remit === undefined) return this.#pause();
      this.#routes.lookUp(this, () => this.isConnected && this.#ask());
      // The price of other attributes does not hold while texts load.
      this.#ask();
      const { problem, price, choice, error } = await loading;
      const words = await amountTexts(language, messages, [problem, price, choice]);
      if (update !== this.#updates) return;
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

    #pause() {
      this.#choice?.pause();
      this.#session.pause();
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
      if (this.#words === undefined) return;
      const [entry, judge] = [this.#entry, this.#judge];
      const isChoosing = this.compare || this.currencies;
      const route = this.#routes.find(this, isChoosing ? this.#choice : undefined);
      entry.translate(this.#words.language, route, this.amount);
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
      if (words === undefined) return;
      const { current, request, state } = this.#session;
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
        error: this.error,
        expired: state.isExpired ? state.quote : undefined,
        isSendOnly: this.#sendOnly.has(entry.route?.corridor.transferMethod),
        // None comes for what was typed: figures of an earlier one would be taken for it.
        isPriceless: current === undefined && !state.isLoading && !state.isExpired,
      };
      this.#shown = now;
      for (const part of [this.#view, this.#price, this.#choice]) part?.show(this, now);
      this.#submit();
      this.#tell(before, now);
    }

    #submit() {
      const [{ side, text, isBlank }, { words, problem, isUsable }] = [this.#entry, this.#shown];
      const isValid = isUsable || (isBlank && !this.required);
      const message = problem ?? words?.textOf(isBlank ? "empty" : "missing") ?? "…";
      this[SUBMIT](this.value, isValid ? undefined : message, this.#input, { state: JSON.stringify([side, text]) });
    }

    // What keeps the amount from being sent, besides that its price is missing.
    get #problem() {
      const [entry, judge, { current, request }] = [this.#entry, this.#judge, this.#session];
      const failed = this.#isPriceShown ? this.error?.userMessage : undefined;
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
      if (error && error !== before.error) dispatch(this, "error", error);
      if (quote === previous) return;
      const difference = before.request === now.request ? differenceOf(previous, quote) : undefined;
      dispatch(this, "quote", { quote, previous, difference });
    }
  }

  return RemitAmount;
}
