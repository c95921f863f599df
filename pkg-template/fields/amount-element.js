import { define, defineControl, reflect, takeOwn } from "../element/properties.js";
import { asError, failure } from "../errors.js";
import { languageOf } from "../locale.js";
import { formatAmount, fromMinorUnits, toMinorUnits } from "../money.js";
import { parseAmount } from "../parse-amount.js";
import { leftOf } from "../time.js";
import { amountTexts } from "./amount-texts.js";
import { make } from "./fields-view.js";
import { languageAt } from "./language.js";
import { QuoteSession } from "./quote-session.js";
import { AMOUNT_RULES, RULES, sheetOf, themeSheet } from "./theme-sheet.js";

/** Properties that reflect attributes. */
const TEXTS = Object.fromEntries(
  ["country", "method", "send", "receive", "amount", "name"].map((name) => [name, name]),
);
const FLAGS = { required: "required", disabled: "disabled", refreshExpired: "refresh-expired" };
/** Properties without an attribute. */
const VALUES = ["remit", "corridor", "limits", "recipientAccountId", "debounceMs", "messages", "theme"];
const SIDES = { send: "SEND_AMOUNT", receive: "RECEIVE_AMOUNT" };

let count = 0;

/** Creates a class for the element. A page needs one for each tag name. */
export function amountElement() {
  class RemitAmount extends HTMLElement {
    static formAssociated = true;
    static observedAttributes = [...Object.values(TEXTS), ...Object.values(FLAGS), "lang"];

    // Engines, and the DOMs in which shops test, may support all of it, none, or some.
    #internals = this.attachInternals?.();
    #session = new QuoteSession((previous) => this.#onQuote(previous));
    #given = {};
    #parts;
    #texts;
    #language;
    // The side that was typed last, whose amount is sent, and what is wrong with it.
    #side = "send";
    #problem;
    // The corridor for the attributes, and what it was looked up for.
    #corridor;
    #lookedUp;
    #lookup;
    #corridorError;
    // The quote that is shown, and whether its end was said.
    #settled;
    #wasExpired = false;
    #clock;
    #isUpdateQueued = false;

    constructor() {
      super();
      this.addEventListener("invalid", (event) => {
        // What stands at the amounts needs no message of the browser.
        if (this.#problem === undefined) return;
        event.preventDefault();
        this.focus();
      });
    }

    connectedCallback() {
      takeOwn(this, [...VALUES, ...Object.keys({ ...TEXTS, ...FLAGS })]);
      if (this.#parts === undefined) this.#build();
      this.#applyStyle();
      this.#clock = setInterval(() => this.#showTime(), 1000);
      this.#queueUpdate();
    }

    disconnectedCallback() {
      clearInterval(this.#clock);
      this.#queueUpdate();
    }

    adoptedCallback() {
      // A style sheet stays with its document.
      this.#applyStyle();
    }

    attributeChangedCallback(name, before, after) {
      if (name === "amount" && after !== null) {
        this.#side = "send";
        this.#setText("send", after);
      }
      this.#queueUpdate();
    }

    formResetCallback() {
      this.#side = "send";
      this.#setText("receive", "");
      this.#setText("send", this.amount);
      this.#queueUpdate();
    }

    formDisabledCallback(isDisabled) {
      if (this.#parts) this.#parts.place.disabled = isDisabled;
    }

    get quote() {
      return this.#session.quote;
    }

    get isStale() {
      return this.#session.isStale;
    }

    get isLoading() {
      return this.#session.isLoading;
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

    get type() {
      return this.localName;
    }

    check() {
      this.#show();
      if (this.#problem !== undefined) this.focus();
      return this.#isUsable;
    }

    refresh() {
      if (this.#corridorError !== undefined) {
        this.#lookedUp = undefined;
        this.#queueUpdate();
      } else this.#session.refresh();
    }

    focus(options) {
      if (this.#parts === undefined) super.focus(options);
      else this.#parts[this.#side].input.focus(options);
    }

    get #isUsable() {
      const { quote, isStale, isLoading, error } = this.#session;
      return quote !== undefined && !isStale && !isLoading && error === undefined && this.#problem === undefined;
    }

    #build() {
      const id = `remit-amount-${(count += 1)}`;
      const row = (side) => {
        const input = make("input", "control input");
        Object.assign(input, { inputMode: "decimal", autocomplete: "off", id: `${id}-${side}` });
        input.setAttribute("aria-describedby", `${id}-problem`);
        input.dir = "ltr";
        const [label, currency] = [make("label", "label"), make("span", "currency")];
        label.htmlFor = input.id;
        input.addEventListener("input", () => this.#onTyped(side));
        const element = make("div", "row", label, make("div", "box", input, currency));
        return { element, label, input, currency };
      };
      const [send, receive] = [row("send"), row("receive")];
      const [legend, problem, price] = [make("legend", "legend"), make("p", "problem"), make("dl", "summary")];
      const [timer, status] = [make("p", "timer"), make("p", "status")];
      const refresh = Object.assign(make("button", "refresh"), { type: "button", hidden: true });
      legend.className = status.className = "quiet";
      problem.id = `${id}-problem`;
      problem.setAttribute("aria-live", "polite");
      status.setAttribute("role", "status");
      refresh.addEventListener("click", () => this.refresh());
      const rows = [send.element, receive.element];
      const place = make("fieldset", "form", legend, ...rows, problem, price, timer, refresh, status);
      this.#parts = { place, legend, send, receive, problem, price, timer, refresh, status };
      const root = this.shadowRoot ?? this.attachShadow({ mode: "open", delegatesFocus: true });
      root.append(place);
      // Enter submits a form, but does not reach it from a shadow root.
      place.addEventListener("keydown", ({ key, target }) => {
        if (key === "Enter" && target.localName === "input") this.form?.requestSubmit();
      });
      send.input.value = this.amount;
      place.disabled = this.disabled;
    }

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
      const { remit } = this.#given;
      if (!this.isConnected || !this.ownerDocument.defaultView || remit === undefined || !this.#parts) {
        this.#session.end();
        return;
      }
      this.#translate();
      this.#session.debounceMs = this.debounceMs ?? 300;
      this.#session.refreshExpired = this.refreshExpired;
      const { legend, send, receive, refresh } = this.#parts;
      legend.textContent = this.#texts("group");
      send.label.textContent = this.#texts("send");
      receive.label.textContent = this.#texts("receive");
      refresh.textContent = this.#texts("refresh");
      this.#findCorridor(remit);
      this.#ask();
    }

    // What was typed keeps its meaning: "1,234" is another amount in another language.
    #translate() {
      const language = languageOf(languageAt(this));
      const isOther = this.#language !== undefined && this.#language !== language;
      const typed = isOther ? this.#amountOf(this.#side) : undefined;
      this.#language = language;
      this.#texts = amountTexts(language, this.messages);
      if (typed !== undefined) this.#setText(this.#side, this.#decimal(typed));
      if (isOther && this.#settled !== undefined && !this.isStale) this.#settle(this.#settled);
    }

    // Returns the amount that an input shows; undefined if that is none.
    #amountOf(side) {
      const currency = this.#currencyOf(side);
      try {
        return { value: parseAmount(this.#parts[side].input.value, currency, this.#language), currency };
      } catch {
        return undefined;
      }
    }

    // The corridor knows the currencies' decimals.
    #findCorridor(remit) {
      const { country, method, send, receive, corridor } = this;
      const wanted = JSON.stringify([country, method, send, receive]);
      if (corridor !== undefined) {
        this.#corridor = corridor;
      } else if (this.#lookedUp !== wanted || this.#lookup?.remit !== remit) {
        this.#lookedUp = wanted;
        this.#corridor = this.#corridorError = undefined;
        this.#look(remit, { country, method, send, receive });
      }
    }

    async #look(remit, { country, method, send, receive }) {
      const lookup = { remit };
      this.#lookup = lookup;
      try {
        const kit = await remit;
        const filter = { dstCountryIso3Code: country || undefined, transferMethod: method || undefined };
        const corridors = await kit.corridors(filter);
        if (this.#lookup !== lookup) return;
        const has = (list, code) => !code || list?.some(({ iso3Code }) => iso3Code === code);
        this.#corridor = corridors.find(
          (one) => has(one.sourceCurrency, send) && has(one.destinationCurrency, receive),
        );
        if (this.#corridor === undefined) {
          throw failure("NoCorridorFoundForSpecificValues", "There is no corridor for these attributes.");
        }
        this.#ask();
      } catch (error) {
        if (this.#lookup !== lookup) return;
        this.#corridorError = asError(error);
        this.#fail(this.#corridorError);
      }
    }

    #currencyOf(side) {
      const list = side === "send" ? this.#corridor?.sourceCurrency : this.#corridor?.destinationCurrency;
      return list?.find(({ iso3Code }) => !this[side] || iso3Code === this[side]) ?? list?.[0];
    }

    #onTyped(side) {
      this.#side = side;
      this.#ask();
      this.dispatchEvent(new Event("change", { bubbles: true }));
    }

    // Reads what was typed last and quotes it.
    #ask() {
      const { input } = this.#parts[this.#side];
      const currency = this.#currencyOf(this.#side);
      this.#problem = undefined;
      if (currency === undefined || input.value.trim() === "") {
        this.#session.ask(this.#given.remit, undefined);
        this.#show();
        return;
      }
      let request;
      try {
        request = this.#requestNow();
        if (this.#side === "send") this.#problem = this.#limitProblem(request.amount);
      } catch {
        this.#problem = this.#texts("invalid", { example: this.#example(currency) });
      }
      this.#session.ask(this.#given.remit, this.#problem === undefined ? request : undefined);
      const { quote, isStale, isLoading, error } = this.#session;
      this.#problem ??= error?.userMessage;
      if (quote !== undefined && !isStale && !isLoading) this.#problem ??= this.#problemOf(quote);
      this.#show();
    }

    #requestNow() {
      const { input } = this.#parts[this.#side];
      const [source, destination] = [this.#currencyOf("send"), this.#currencyOf("receive")];
      const amount = parseAmount(input.value, this.#side === "send" ? source : destination, this.#language);
      const { recipientAccountId } = this;
      return {
        dstCountryIso3Code: this.country || this.#corridor.destinationCountry.iso3Code,
        srcCurrencyIso3Code: source.iso3Code,
        dstCurrencyIso3Code: destination.iso3Code,
        transferMethod: this.method || this.#corridor.transferMethod,
        quoteBy: this.quoteBy,
        amount,
        ...(recipientAccountId === undefined ? undefined : { recipientAccountId }),
      };
    }

    #limitProblem(amount) {
      const { min, max } = this.limits ?? {};
      const currency = this.#currencyOf("send");
      const says = (name, value) =>
        this.#texts(name, { amount: formatAmount({ value, currency }, this.#language) });
      if (min !== undefined && BigInt(amount) < BigInt(min)) return says("min", min);
      if (max !== undefined && BigInt(amount) > BigInt(max)) return says("max", max);
      return undefined;
    }

    #example({ decimalPlaces }) {
      const format = new Intl.NumberFormat(this.#language, { minimumFractionDigits: decimalPlaces });
      return format.format(125);
    }

    #onQuote(previous) {
      const { quote, isExpired, error } = this.#session;
      if (quote !== undefined && !this.isStale && this.#settled !== quote) {
        this.#settled = quote;
        this.#settle(quote);
        this.#problem = this.#problemOf(quote);
        this.#dispatch("quote", { quote, previous });
      }
      if (isExpired && !this.#wasExpired) this.#dispatch("expired", { quote });
      this.#wasExpired = isExpired;
      if (error !== undefined) this.#fail(error);
      else this.#show();
    }

    // No price counts that is for another amount than the customer typed.
    #problemOf({ sendAmount, receiveAmount }) {
      const { amount, quoteBy, srcCurrencyIso3Code, dstCurrencyIso3Code } = this.#session.request;
      const isSend = quoteBy === SIDES.send;
      const [fixed, code] = isSend ? [sendAmount, srcCurrencyIso3Code] : [receiveAmount, dstCurrencyIso3Code];
      if (`${fixed?.value}` !== `${amount}` || fixed.currency.iso3Code !== code) {
        return failure("UnreadableReply", "The quote is for another amount than was asked for.").userMessage;
      }
      return isSend ? undefined : this.#limitProblem(sendAmount.value);
    }

    // Shows a price in full: the amounts that are sent are those of the quote.
    #settle(quote) {
      this.#setText("send", this.#decimal(quote.sendAmount));
      // Never the figure of an earlier price.
      this.#setText("receive", quote.receiveAmount ? this.#decimal(quote.receiveAmount) : "");
      const format = (amount) => (amount ? formatAmount(amount, this.#language) : "");
      const { sendAmount, receiveAmount, totalCost, adjustments, rate, deliverySLA } = quote;
      const rows = (adjustments ?? []).map(({ label, amount }) => [label || this.#texts("fee"), format(amount)]);
      if (totalCost) rows.push([this.#texts("total"), format(totalCost)]);
      if (rate && receiveAmount) {
        const rateText = new Intl.NumberFormat(this.#language, { maximumSignificantDigits: 8 }).format(rate);
        const [source, destination] = [sendAmount, receiveAmount].map(({ currency }) => currency.iso3Code);
        rows.push([this.#texts("rate"), `1 ${source} = ${rateText} ${destination}`]);
      }
      if (deliverySLA?.name) rows.push([this.#texts("arrives"), deliverySLA.name]);
      const lineOf = ([name, value]) => make("div", "line", make("dt", "name", name), make("dd", "value", value));
      this.#parts.price.replaceChildren(...rows.map(lineOf));
      const [send, receive, total] = [sendAmount, receiveAmount, totalCost ?? sendAmount].map(format);
      this.#parts.status.textContent = this.#texts("price", { send, receive, total });
    }

    // An amount as it can be typed in this language, without its currency.
    #decimal({ value, currency }) {
      const { decimalPlaces: places } = currency;
      const plain = fromMinorUnits(value, currency);
      const options = { minimumFractionDigits: places, maximumFractionDigits: places };
      const text = new Intl.NumberFormat(this.#language, options).format(plain);
      try {
        if (`${parseAmount(text, currency, this.#language)}` === `${toMinorUnits(plain, currency)}`) return text;
      } catch {
        // Shown without grouping.
      }
      return plain;
    }

    #setText(side, text) {
      const input = this.#parts?.[side].input;
      const isTyping = this.shadowRoot?.activeElement === input && this.#side === side;
      // What is being typed stays as it is, as long as it means the same.
      if (input === undefined || input.value === text || (isTyping && this.#means(side, text))) return;
      input.value = text;
    }

    #means(side, text) {
      const shown = this.#amountOf(side);
      try {
        return `${parseAmount(text, this.#currencyOf(side), this.#language)}` === `${shown?.value}`;
      } catch {
        return false;
      }
    }

    #fail(error) {
      const isSideWrong = error.code?.startsWith("QuoteByReceive");
      if (isSideWrong) this.#parts.receive.input.readOnly = true;
      this.#problem = error.userMessage;
      this.#show();
      this.#dispatch("error", error);
    }

    #show() {
      const { place, send, receive, problem, price, refresh, status } = this.#parts;
      const { isLoading, isStale, isExpired, error } = this.#session;
      const isWrong = this.#problem !== undefined;
      for (const [side, { input, currency }] of Object.entries({ send, receive })) {
        currency.textContent = this.#currencyOf(side)?.iso3Code ?? "";
        input.setAttribute("aria-invalid", isWrong && side === this.#side);
        input.setAttribute("aria-required", this.required);
        // The other side's figure belongs to an earlier amount.
        input.toggleAttribute("data-stale", side !== this.#side && !this.#isUsable);
      }
      problem.textContent = this.#problem ?? "";
      problem.hidden = !isWrong;
      place.setAttribute("aria-busy", isLoading);
      const isShown = this.quote !== undefined && !isStale && !isWrong;
      price.toggleAttribute("data-stale", !isShown);
      if (!isShown) status.textContent = "";
      refresh.hidden = isLoading || !(isExpired || (error ?? this.#corridorError)?.retryable);
      refresh.textContent = this.#texts?.(isExpired ? "refresh" : "retry") ?? "";
      this.#showTime();
      this.#validate();
    }

    #showTime() {
      const { timer } = this.#parts;
      const seconds = this.secondsLeft;
      const { isExpired, isLoading, quote } = this.#session;
      const isShown = this.#texts !== undefined && quote !== undefined && !isLoading && (isExpired || this.#isUsable);
      const time = () => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
      const text = isExpired ? "expired" : seconds === undefined ? undefined : "timer";
      timer.hidden = !isShown || text === undefined;
      if (!timer.hidden) timer.textContent = this.#texts(text, { time: isExpired ? "" : time() });
    }

    #validate() {
      const isEmpty = this.#parts.send.input.value === "" && this.#parts.receive.input.value === "";
      this.#internals?.setFormValue?.(this.value || null);
      if (this.#isUsable || (isEmpty && !this.required)) this.#internals?.setValidity?.({});
      else {
        const message = this.#problem ?? this.#texts?.("missing") ?? "Wait for the price.";
        this.#internals?.setValidity?.({ customError: true }, message, this.#parts[this.#side].input);
      }
    }

    #applyStyle() {
      const { defaultView } = this.ownerDocument;
      const root = this.shadowRoot;
      if (root && defaultView && "adoptedStyleSheets" in root) {
        root.adoptedStyleSheets = [
          sheetOf(defaultView, RULES + AMOUNT_RULES),
          themeSheet(defaultView, this.#given.theme),
        ];
      }
    }

    // Does not bubble: monitoring scripts take an `error` at the window for an exception.
    #dispatch(type, detail) {
      this.dispatchEvent(new CustomEvent(type, { composed: true, detail }));
    }

    // Private fields, as Safari before 16.4 has no static blocks.
    static #values = VALUES.forEach((name) =>
      define(this, name, {
        get() {
          return this.#given[name];
        },
        set(value) {
          this.#given[name] = value ?? undefined;
          if (name === "theme") this.#applyStyle();
          this.#queueUpdate();
        },
      }),
    );

    static #control = defineControl(this, (element) => element.#internals);
  }

  reflect(RemitAmount, TEXTS, (value) => value ?? "");
  reflect(RemitAmount, FLAGS, (value) => value !== null);
  return RemitAmount;
}
