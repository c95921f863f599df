import {
  QUEUE_UPDATE, SUBMIT, UPDATE, applyStyle, dispatch, dispatchChange, formControl, isInPage,
} from "../element/form-control.js";
import { asError, failure } from "../errors.js";
import { languageOf } from "../locale.js";
import { formatAmount } from "../money.js";
import { leftOf } from "../time.js";
import { AmountEntry, SIDES } from "./amount-entry.js";
import { loadParts } from "./amount-parts.js";
import { requestOf, routeIn } from "./amount-route.js";
import { amountTexts } from "./amount-texts.js";
import { AmountView } from "./amount-view.js";
import { make, makeButton, makeMessage, showText, slot, submitOnEnter } from "./dom.js";
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
  QuoteSession, bareOf, failure, formatAmount, make, makeButton, makeMessage, parseDigits, requestOf, showText, slot,
};

/** Creates a class for the element. A page needs one for each tag name. */
export function amountElement() {
  class RemitAmount extends formControl(PROPERTIES, "lang") {
    #session = new QuoteSession();
    #view;
    #entry;
    #parts = {};
    // Why not all of them are there.
    #failure;
    #choice;
    #price;
    #texts;
    #language;
    #updates = 0;
    // The corridors, or why there is none, and what they were looked up for.
    #found = {};
    // The quote that is shown, its request, and the texts for which it is.
    #shown = {};
    // What the page was told last.
    #told = {};
    // Methods that take no amount to receive.
    #sendOnly = new Set();
    #clock;

    constructor() {
      super();
      this.#session.subscribe(() => this.#onQuote());
      this.addEventListener("invalid", (event) => {
        // What stands at the amounts needs no message of the browser.
        if (event.target === this && this.#texts && !this.check() && this.#problem !== undefined) event.preventDefault();
      });
    }

    connectedCallback() {
      super.connectedCallback();
      if (this.#view === undefined) {
        this.#view = new AmountView((side) => this.#onTyped(side));
        this.#entry = new AmountEntry((side) => this.#view.inputOf(side));
        const { place } = this.#view;
        // In the page's own tree, its style sheets and scripts reach the amounts.
        const isLight = this.getAttribute("shadow") === "none";
        const root = isLight ? this : (this.shadowRoot ?? this.attachShadow({ mode: "open", delegatesFocus: true }));
        if (!isLight) place.addEventListener("change", () => dispatchChange(this));
        root.append(place);
        place.disabled = this.disabled;
        submitOnEnter(this, place);
        this.#start();
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
      try {
        const [side, text] = JSON.parse(state);
        if (Object.hasOwn(SIDES, side) && typeof text === "string") this.#entry.type(side, text);
      } catch {
        // A state of another version.
      }
      this[QUEUE_UPDATE]();
    }

    formDisabledCallback(isDisabled) {
      if (this.#view) this.#view.place.disabled = isDisabled;
    }

    get quote() {
      return this.#session.state.quote;
    }

    get error() {
      return this.#failure ?? this.#found.error ?? this.#session.state.error;
    }

    get isStale() {
      return this.#session.state.isStale;
    }

    get isLoading() {
      return this.#session.state.isLoading;
    }

    get quoteBy() {
      return SIDES[this.#entry?.side ?? "send"];
    }

    set quoteBy(side) {
      super.quoteBy = side;
    }

    get value() {
      return this.#isUsable ? this.quote.quoteHistoryId : "";
    }

    get request() {
      return this.#isUsable ? { ...this.#session.request, quoteHistoryId: this.value } : undefined;
    }

    get secondsLeft() {
      const left = leftOf(this.quote);
      return left === undefined ? undefined : Math.ceil(left / 1000);
    }

    check() {
      if (this.#entry) this.#entry.isChecked = true;
      this.#show();
      if (!this.#isUsable) this.focus();
      return this.#isUsable;
    }

    refresh() {
      if (this.#failure || this.#found.error) {
        this.#found = {};
        this[QUEUE_UPDATE]();
      } else if (this.#isReceiveRefused) {
        this.#entry.goBySend(this.amount);
        this.#ask();
        this.focus();
      } else this.#session.refresh();
    }

    focus(options) {
      if (this.#view === undefined) super.focus(options);
      else this.#entry.input.focus(options);
    }

    async [UPDATE]() {
      const { remit, messages } = this;
      const update = (this.#updates += 1);
      this.#applyStyle();
      if (!isInPage(this)) return this.#pause();
      const language = languageOf(languageAt(this));
      const needed = ["problem", ...(this.#isChoosing ? ["choice"] : []), ...(this.#isPriceShown ? ["price"] : [])];
      const loading = loadParts(needed);
      if (remit === undefined) return this.#pause();
      this.#findCorridors(remit);
      // The price of other attributes does not hold while texts load.
      this.#ask();
      const { parts, error } = await loading;
      const texts = await amountTexts(language, messages, parts);
      if (update !== this.#updates) return;
      this.#add(parts);
      this.#failure = error;
      this.#entry.translate(language, parts.problem && new parts.problem.AmountProblem(TOOLS, texts, language));
      [this.#texts, this.#language] = [texts, language];
      this.#ask();
    }

    #pause() {
      this.#choice?.pause();
      this.#session.pause();
    }

    #add(parts) {
      this.#parts = parts;
      this.#applyStyle();
      if (parts.price && !this.#price) {
        this.#price = new parts.price.AmountPrice(TOOLS, () => this.refresh());
        this.#view.addPrice(this.#price.elements);
      }
      if (parts.choice && !this.#choice) {
        this.#choice = new parts.choice.AmountChoice(TOOLS, this.#view.id, (name, value) => this.#onChosen(name, value));
        this.#view.addChoice(this.#choice.element);
      }
      if (!this.shadowRoot) this.#view.take(this.children);
    }

    #applyStyle() {
      const rules = Object.values(this.#parts).map((part) => part?.RULES ?? "");
      applyStyle(this, RULES + AMOUNT_RULES + rules.join(""), this.theme);
    }

    // A corridor knows the currencies' decimals.
    async #findCorridors(remit) {
      const { country, compare, corridor } = this;
      // All methods are compared.
      const method = compare ? "" : this.method;
      const given = Array.isArray(corridor) || !compare ? corridor : undefined;
      const wanted = [remit, country, method, given];
      if (this.#found.wanted?.every((value, at) => value === wanted[at])) return;
      const found = (this.#found = { wanted, corridors: given && [given].flat() });
      if (given) return;
      try {
        const filter = { dstCountryIso3Code: country || undefined, transferMethod: method || undefined };
        found.corridors = await (await remit).corridors(filter);
      } catch (error) {
        found.error = asError(error);
      }
      if (this.#found === found) this.#ask();
    }

    #findRoute() {
      const found = this.#found;
      const [entry, before] = [this.#entry, this.#entry.route];
      entry.route = undefined;
      if (!found.corridors) return;
      entry.route = routeIn(found.corridors, this, this.#isChoosing ? this.#choice : undefined);
      const none = () => failure("NoCorridorFoundForSpecificValues", "There is no corridor for these attributes.");
      found.error = entry.route ? undefined : (found.error ?? none());
      // An amount in another currency means nothing: what is sent counts again.
      const isOther = before && entry.route && before.receive.iso3Code !== entry.route.receive.iso3Code;
      if (isOther && entry.side === "receive") entry.goBySend(this.amount);
    }

    get #isChoosing() {
      return this.compare || this.currencies;
    }

    // A page that shows the price says why there is none, too.
    get #isPriceShown() {
      return this.querySelector("[slot=summary]") === null;
    }

    get #isUsable() {
      return this.#session.current !== undefined && this.#problem === undefined;
    }

    get #isSendOnly() {
      return this.#sendOnly.has(this.#entry.method);
    }

    get #isReceiveRefused() {
      return this.#isSendOnly && this.#entry.side === "receive";
    }

    // What keeps the amount from being sent, besides that its price is missing.
    get #problem() {
      const [entry, { current, request }] = [this.#entry, this.#session];
      const failed = this.#isPriceShown ? this.error?.userMessage : undefined;
      if (this.#failure || this.#found.error || !entry.route) return failed;
      if (entry.isBlank && !(entry.isChecked && this.required)) return undefined;
      return entry.problem ?? failed ?? (current && entry.quoteProblem(current, request));
    }

    // Starts with the amount of the attribute.
    #start() {
      if (this.#view === undefined) return;
      for (const side of Object.keys(SIDES)) this.#view.inputOf(side).value = "";
      this.#entry.type(super.quoteBy === SIDES.receive ? "receive" : "send", this.amount);
    }

    #onTyped(side) {
      this.#entry.take(side);
      this.#ask();
    }

    #onChosen(name, value) {
      this[name] = value;
      this.#ask();
      if (name === "method") dispatch(this, "methodchange", { method: value });
    }

    // Quotes what was typed last.
    #ask() {
      if (this.#texts === undefined) return;
      this.#entry.limits = this.limits;
      this.#findRoute();
      const { quoteBy, recipientAccountId } = this;
      const { route, units } = this.#entry;
      const isRight = !this.#failure && units !== undefined && this.#entry.problem === undefined;
      const request = isRight ? requestOf(route, quoteBy, units) : undefined;
      if (request && recipientAccountId !== undefined) request.recipientAccountId = recipientAccountId;
      this.#session.ask(this.remit, request, this.#options);
      this.#show();
    }

    get #options() {
      const { debounceMs, refreshExpired } = this;
      return { debounceMs, refreshExpired };
    }

    #onQuote() {
      const { current, request, state } = this.#session;
      if (state.error?.code.startsWith("QuoteByReceive")) this.#sendOnly.add(request.transferMethod);
      const { quote: previous, request: asked } = this.#shown;
      this.#show();
      if (!current || current === previous) return;
      const difference = asked === request ? differenceOf(previous, current) : undefined;
      dispatch(this, "quote", { quote: current, previous, difference });
    }

    #show() {
      const [texts, entry] = [this.#texts, this.#entry];
      if (texts === undefined) return;
      const { current: quote, request } = this.#session;
      const [problem, isUsable, isLoading] = [this.#problem, this.#isUsable, this.isLoading];
      // WebKit clears what is not to be autofilled when it shows a page again, and says nothing.
      if (quote && (this.#shown.quote !== quote || this.#shown.texts !== texts || entry.isBlank)) {
        this.#shown = { quote, request, texts };
        // The amounts that are sent are those of the quote. Never the figure of an earlier price.
        entry.show("send", quote.sendAmount);
        entry.show("receive", quote.receiveAmount);
      }
      this.#view.show(texts, {
        side: entry.side,
        route: entry.route,
        isRequired: this.required,
        isSendOnly: this.#isSendOnly,
        hint: entry.rangeText,
        problem,
        isLoading,
        isUsable,
      });
      this.#showPrice(quote, isUsable);
      this.#showChoice(quote);
      const isValid = isUsable || (entry.isBlank && !this.required);
      const state = JSON.stringify([entry.side, entry.input.value]);
      const message = problem ?? texts(entry.isBlank ? "empty" : "missing");
      this[SUBMIT](this.value, isValid ? undefined : message, entry.input, { state });
      this.#tell(isUsable);
    }

    #showPrice(quote, isUsable) {
      const { secondsLeft, isLoading, error } = this;
      const isExpired = this.#session.state.isExpired && !isLoading;
      const retry = this.#isReceiveRefused ? "bySend" : error?.retryable ? "retry" : "";
      const refresh = isLoading ? "" : isExpired ? "refresh" : retry;
      this.#price?.show(this.#texts, this.#language, { quote, isUsable, isExpired, secondsLeft, refresh });
    }

    #showChoice(quote) {
      const [choice, { route }] = [this.#choice, this.#entry];
      if (choice === undefined) return;
      for (const side of Object.keys(SIDES)) {
        if (this.currencies && route?.choices) choice.showCurrencies(this.#texts, side, this.#view.currencyOf(side), route);
      }
      choice.element.hidden = !this.compare || !route?.methods;
      if (choice.element.hidden) return choice.pause();
      const limitProblem = (units, method) => this.#entry.limitProblem(units, method);
      choice.showMethods(this.#texts, this.#language, { remit: this.remit, route, quote, options: this.#options, limitProblem });
    }

    // Tells each once, after what it is about is shown.
    #tell(isUsable) {
      const { error } = this;
      const { state } = this.#session;
      const told = this.#told;
      const expired = state.isExpired ? state.quote : undefined;
      this.#told = { state, isUsable, error, expired };
      const isOther = state !== told.state || isUsable !== told.isUsable || error !== told.error;
      if (isOther) dispatch(this, "pricechanged");
      if (expired && expired !== told.expired) dispatch(this, "expired", { quote: expired });
      if (error && error !== told.error) dispatch(this, "error", error);
    }
  }

  return RemitAmount;
}
