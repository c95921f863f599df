import {
  QUEUE_UPDATE, SUBMIT, UPDATE, applyStyle, dispatch, dispatchChange, formControl, isInPage,
} from "../element/form-control.js";
import { asError, failure } from "../errors.js";
import { loadAgain } from "../load-again.js";
import { languageOf } from "../locale.js";
import { formatAmount } from "../money.js";
import { leftOf } from "../time.js";
import { amountTexts } from "./amount-texts.js";
import { AmountView } from "./amount-view.js";
import { make, showText, submitOnEnter } from "./dom.js";
import { languageAt } from "./language.js";
import { QuoteSession } from "./quote-session.js";
import { AMOUNT_RULES, RULES } from "./rules.js";
import { typedText, unitsOf } from "./typed-amount.js";

const PROPERTIES = {
  texts: ["country", "method", "send", "receive", "amount", "name"],
  flags: ["required", "disabled", "refreshExpired", "compare"],
  values: ["remit", "corridor", "limits", "recipientAccountId", "debounceMs", "messages", "theme"],
};
const SIDES = { send: "SEND_AMOUNT", receive: "RECEIVE_AMOUNT" };

const loadChoice = /* @__PURE__ */ loadAgain(() => import("./method-choice.js"));
const CHOICE_TOOLS = { QuoteSession, formatAmount, hasCurrencies, make, showText };

/** Creates a class for the element. A page needs one for each tag name. */
export function amountElement() {
  class RemitAmount extends formControl(PROPERTIES, "lang") {
    #session = new QuoteSession();
    #view;
    #texts;
    #language;
    #updates = 0;
    // The side that was typed last, whose amount is sent.
    #side = "send";
    // The corridors for the attributes, or why there is none, and what they were looked up for.
    #route = {};
    // Where the customer compares methods.
    #choice;
    // The quote that is shown, and the texts for which it is.
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
        if (this.#problem === undefined) return;
        event.preventDefault();
        this.focus();
      });
    }

    connectedCallback() {
      super.connectedCallback();
      if (this.#view === undefined) {
        const root = this.shadowRoot ?? this.attachShadow({ mode: "open", delegatesFocus: true });
        const listeners = { onTyped: (side) => this.#onTyped(side), onRefresh: () => this.refresh() };
        this.#view = new AmountView(root, listeners);
        this.#view.inputOf("send").value = this.amount;
        this.#view.place.disabled = this.disabled;
        submitOnEnter(this, this.#view.place);
      }
      this.#clock = setInterval(() => this.#texts && this.#show(), 1000);
    }

    disconnectedCallback() {
      clearInterval(this.#clock);
      super.disconnectedCallback();
    }

    attributeChangedCallback(name) {
      if (name === "amount") this.#start();
      super.attributeChangedCallback();
    }

    formResetCallback() {
      this.#start();
      this[QUEUE_UPDATE]();
    }

    formStateRestoreCallback(state) {
      const [side, text] = JSON.parse(state);
      this.#side = side;
      this.#view.inputOf(side).value = text;
      this[QUEUE_UPDATE]();
    }

    formDisabledCallback(isDisabled) {
      if (this.#view) this.#view.place.disabled = isDisabled;
    }

    get quote() {
      return this.#session.state.quote;
    }

    get isStale() {
      return this.#session.state.isStale;
    }

    get isLoading() {
      return this.#session.state.isLoading;
    }

    get quoteBy() {
      return SIDES[this.#side];
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
      const isUsable = this.#isUsable;
      if (!isUsable) this.focus();
      return isUsable;
    }

    refresh() {
      if (this.#route.error) {
        this.#route = {};
        this[QUEUE_UPDATE]();
      } else this.#session.refresh();
    }

    focus(options) {
      if (this.#view === undefined) super.focus(options);
      else this.#view.inputOf(this.#side).focus(options);
    }

    async [UPDATE]() {
      const { remit, messages } = this;
      const update = (this.#updates += 1);
      applyStyle(this, RULES + AMOUNT_RULES, this.theme);
      if (!isInPage(this) || remit === undefined) {
        this.#choice?.pause();
        return this.#session.pause();
      }
      const language = languageOf(languageAt(this));
      this.#loadChoice();
      const loading = amountTexts(language, messages);
      // The price of other attributes does not hold while texts load.
      if (this.#texts) this.#quote(remit);
      const texts = await loading;
      if (update !== this.#updates) return;
      // What was typed keeps its meaning: "1,234" is another amount in another language.
      const currency = this.#currencyOf(this.#side);
      const value = this.#texts && this.#units;
      [this.#texts, this.#language] = [texts, language];
      if (value !== undefined) this.#setText(this.#side, typedText({ value, currency }, language));
      this.#quote(remit);
    }

    #quote(remit) {
      this.#findCorridors(remit);
      this.#ask();
    }

    async #loadChoice() {
      if (!this.compare || this.#choice !== undefined) return;
      try {
        const { MethodChoice } = await loadChoice();
        this.#choice ??= new MethodChoice(CHOICE_TOOLS, (method) => this.#onMethod(method));
        this.#view.add(this.#choice.element);
        if (this.#texts) this.#show();
      } catch (cause) {
        dispatch(this, "error", asError(cause));
      }
    }

    // A corridor knows the currencies' decimals.
    async #findCorridors(remit) {
      const { country, send, receive, corridor } = this;
      // All methods are compared.
      const method = this.compare ? undefined : this.method;
      const key = JSON.stringify([country, method, send, receive]);
      if (corridor !== undefined && !this.compare) this.#route = { corridors: [corridor] };
      else if (this.#route.key !== key || this.#route.remit !== remit) {
        const route = (this.#route = { key, remit });
        try {
          const filter = { dstCountryIso3Code: country || undefined, transferMethod: method || undefined };
          const corridors = await (await remit).corridors(filter);
          route.corridors = corridors.filter((one) => hasCurrencies(one, send, receive));
          if (route.corridors.length === 0) {
            throw failure("NoCorridorFoundForSpecificValues", "There is no corridor for these attributes.");
          }
        } catch (error) {
          route.error = asError(error);
        }
        if (this.#route !== route) return;
        this.#ask();
        if (route.error) dispatch(this, "error", route.error);
      }
    }

    get #corridor() {
      const { corridors } = this.#route;
      return corridors?.find(({ transferMethod }) => transferMethod === this.method) ?? corridors?.[0];
    }

    #currencyOf(side) {
      const { sourceCurrency, destinationCurrency } = this.#corridor ?? {};
      const list = side === "send" ? sourceCurrency : destinationCurrency;
      return list?.find(({ iso3Code }) => !this[side] || iso3Code === this[side]) ?? list?.[0];
    }

    get #isBlank() {
      return this.#view.inputOf(this.#side).value.trim() === "";
    }

    // What was typed last, in minor units; undefined if that is no amount.
    get #units() {
      const currency = this.#currencyOf(this.#side);
      return currency && unitsOf(this.#view.inputOf(this.#side).value, currency, this.#language);
    }

    get #isUsable() {
      return this.#session.current !== undefined && this.#problem === undefined;
    }

    // What keeps the amount from being sent, besides that its price is missing.
    get #problem() {
      const currency = this.#currencyOf(this.#side);
      const { error } = this.#route;
      if (error || !currency || this.#isBlank) return error?.userMessage;
      const units = this.#units;
      if (units === undefined) return this.#exampleText;
      const { state, current } = this.#session;
      return (
        (this.#side === "send" ? this.#limitProblem(units) : undefined) ??
        state.error?.userMessage ??
        (current && this.#quoteProblem(current))
      );
    }

    get #exampleText() {
      const { decimalPlaces } = this.#currencyOf(this.#side) ?? {};
      const format = new Intl.NumberFormat(this.#language, { minimumFractionDigits: decimalPlaces });
      return this.#texts("invalid", { example: format.format(125) });
    }

    #limitProblem(units) {
      const { limits } = this;
      const { transferMethod } = this.#corridor;
      const { min = units, max = units } = (typeof limits === "function" ? limits(transferMethod) : limits) ?? {};
      const currency = this.#currencyOf("send");
      const says = (name, value) =>
        this.#texts(name, { amount: formatAmount({ value, currency }, this.#language) });
      if (BigInt(units) < BigInt(min)) return says("min", min);
      return BigInt(units) > BigInt(max) ? says("max", max) : undefined;
    }

    // No price counts that is for another amount than was asked for, even if its figures are shown by now.
    #quoteProblem({ sendAmount, receiveAmount }) {
      const { amount, quoteBy, srcCurrencyIso3Code, dstCurrencyIso3Code } = this.#session.request;
      const isSend = quoteBy === SIDES.send;
      const [fixed, code] = isSend ? [sendAmount, srcCurrencyIso3Code] : [receiveAmount, dstCurrencyIso3Code];
      if (`${fixed?.value}` !== `${amount}` || fixed.currency.iso3Code !== code) {
        return failure("UnreadableReply", "The quote is for another amount than was asked for.").userMessage;
      }
      return this.#limitProblem(sendAmount.value);
    }

    // Starts with the amount of the attribute.
    #start() {
      this.#side = "send";
      if (this.#view === undefined) return;
      this.#view.inputOf("receive").value = "";
      this.#view.inputOf("send").value = this.amount;
    }

    #onTyped(side) {
      this.#side = side;
      if (this.#texts) this.#ask();
      dispatchChange(this);
    }

    #onMethod(method) {
      this.method = method;
      dispatchChange(this);
      dispatch(this, "methodchange", { method });
    }

    // Quotes what was typed last.
    #ask() {
      const { quoteBy } = this;
      const amount = this.#units;
      const isWrong = amount === undefined || (quoteBy === SIDES.send && this.#limitProblem(amount));
      const request = isWrong ? undefined : { ...this.#codes, quoteBy, amount };
      const { recipientAccountId } = this;
      if (request && recipientAccountId !== undefined) request.recipientAccountId = recipientAccountId;
      this.#session.ask(this.remit, request, this.#options);
      this.#show();
    }

    get #options() {
      const { debounceMs, refreshExpired } = this;
      return { debounceMs, refreshExpired };
    }

    get #codes() {
      const { destinationCountry, transferMethod } = this.#corridor;
      return {
        dstCountryIso3Code: this.country || destinationCountry.iso3Code,
        srcCurrencyIso3Code: this.#currencyOf("send").iso3Code,
        dstCurrencyIso3Code: this.#currencyOf("receive").iso3Code,
        transferMethod: this.compare ? transferMethod : this.method || transferMethod,
      };
    }

    #showChoice() {
      const [choice, chosen] = [this.#choice, this.#corridor];
      if (choice === undefined) return;
      const isShown = this.compare && chosen !== undefined;
      choice.element.hidden = !isShown;
      if (!isShown) return choice.pause();
      const { remit } = this;
      const [{ corridors }, { current: quote }] = [this.#route, this.#session];
      const price = { remit, corridors, chosen, quote, codes: this.#codes, options: this.#options };
      choice.show(this.#texts, this.#language, price);
    }

    #onQuote() {
      const { state, current, request } = this.#session;
      const { quote, isExpired, error } = state;
      if (error?.code.startsWith("QuoteByReceive")) this.#sendOnly.add(request.transferMethod);
      const { quote: previous } = this.#shown;
      this.#show();
      if (current && current !== previous) dispatch(this, "quote", { quote, previous });
      if (isExpired && this.#told.quote !== quote) dispatch(this, "expired", { quote });
      if (error && this.#told.error !== error) dispatch(this, "error", error);
      this.#told = { error, quote: isExpired ? quote : undefined };
    }

    #show() {
      const { isLoading, isExpired, error } = this.#session.state;
      const { current: quote } = this.#session;
      const [texts, problem, isUsable] = [this.#texts, this.#problem, this.#isUsable];
      let lines;
      if (quote && (this.#shown.quote !== quote || this.#shown.texts !== texts)) {
        this.#shown = { quote, texts };
        lines = this.#linesOf(quote);
        // The amounts that are sent are those of the quote. Never the figure of an earlier price.
        const { sendAmount, receiveAmount } = quote;
        this.#setText("send", typedText(sendAmount, this.#language));
        this.#setText("receive", receiveAmount ? typedText(receiveAmount, this.#language) : "");
      }
      const canRetry = !isLoading && (isExpired || (error ?? this.#route.error)?.retryable);
      this.#view.show(texts, {
        side: this.#side,
        codes: { send: this.#currencyOf("send")?.iso3Code, receive: this.#currencyOf("receive")?.iso3Code },
        isRequired: this.required,
        isReadOnly: this.#corridor !== undefined && this.#sendOnly.has(this.#codes.transferMethod),
        problem,
        isLoading,
        isUsable,
        lines,
        status: isUsable ? texts("price", this.#figuresOf(quote)) : "",
        refresh: canRetry ? texts(isExpired ? "refresh" : "retry") : "",
        time: isExpired && !isLoading ? texts("expired") : isUsable ? this.#timeText : "",
      });
      this.#showChoice();
      const isValid = isUsable || (this.#isBlank && !this.required);
      const missing = this.#isBlank ? this.#exampleText : texts("missing");
      const input = this.#view.inputOf(this.#side);
      const state = JSON.stringify([this.#side, input.value]);
      this[SUBMIT](this.value, isValid ? undefined : (problem ?? missing), input, { state });
    }

    #figuresOf({ sendAmount, receiveAmount, totalCost }) {
      const format = (amount) => (amount ? formatAmount(amount, this.#language) : "");
      return { send: format(sendAmount), receive: format(receiveAmount), total: format(totalCost ?? sendAmount) };
    }

    #linesOf({ sendAmount, receiveAmount, totalCost, adjustments, rate, deliverySLA }) {
      const [texts, language] = [this.#texts, this.#language];
      const lines = (adjustments ?? []).map(({ label, amount }) => [
        label || texts("fee"),
        amount ? formatAmount(amount, language) : "",
      ]);
      if (totalCost) lines.push([texts("total"), formatAmount(totalCost, language)]);
      if (rate && receiveAmount) {
        const rateText = new Intl.NumberFormat(language, { maximumSignificantDigits: 8 }).format(rate);
        const [source, destination] = [sendAmount, receiveAmount].map(({ currency }) => currency.iso3Code);
        lines.push([texts("rate"), `1 ${source} = ${rateText} ${destination}`]);
      }
      if (deliverySLA?.name) lines.push([texts("arrives"), deliverySLA.name]);
      return lines;
    }

    // What is being typed stays as it is, as long as it means the same.
    #setText(side, text) {
      const input = this.#view.inputOf(side);
      const isTyping = this.shadowRoot.activeElement === input && this.#side === side;
      const unitsOfText = (typed) => `${unitsOf(typed, this.#currencyOf(side), this.#language)}`;
      if (!isTyping || unitsOfText(input.value) !== unitsOfText(text)) input.value = text;
    }

    get #timeText() {
      const seconds = this.secondsLeft;
      const time = `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, "0")}`;
      return seconds === undefined ? "" : this.#texts("timer", { time });
    }
  }

  return RemitAmount;
}

function hasCurrencies({ sourceCurrency, destinationCurrency }, send, receive) {
  const has = (list, code) => !code || list?.some(({ iso3Code }) => iso3Code === code);
  return has(sourceCurrency, send) && has(destinationCurrency, receive);
}
