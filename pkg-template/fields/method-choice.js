// Loaded where customers compare. It is given what it shares with the amount's element instead of importing it,
// which would make bundlers split the page's first script.

/** The transfer methods to choose among, each with what arrives, its fee and how long it takes. */
export class MethodChoice {
  #tools;
  #legend;
  #list;
  #rows = new Map();

  /** `onChosen` is called with the method that the customer chose. */
  constructor(tools, onChosen) {
    const { make } = tools;
    this.#tools = tools;
    this.#legend = make("legend", "legend");
    this.#list = make("div", "method-list");
    this.element = make("fieldset", "methods", this.#legend, this.#list);
    this.element.addEventListener("change", ({ target }) => onChosen(target.value));
  }

  /**
   * Shows the methods of these corridors. `chosen` is one of them, and `quote` its price, by which the others are
   * quoted: they send the same, as not every method takes an amount to receive. `codes` are those of a request.
   */
  show(texts, language, { remit, corridors, chosen, quote, codes, options }) {
    const { hasCurrencies, showText } = this.#tools;
    const { srcCurrencyIso3Code, dstCurrencyIso3Code } = codes;
    const same = corridors.filter((one) => hasCurrencies(one, srcCurrencyIso3Code, dstCurrencyIso3Code));
    const methods = [...new Set(same.map(({ transferMethod }) => transferMethod))];
    if (`${[...this.#rows.keys()]}` !== `${methods}`) this.#setMethods(methods);
    showText(this.#legend, texts("method"));
    for (const [method, { input, name, detail, element, session }] of this.#rows) {
      const show = ({ current, state }) => {
        element.toggleAttribute("data-stale", current === undefined);
        if (current) showText(detail, this.#detailOf(current, texts, language));
        else if (state.error) showText(detail, state.error.userMessage);
      };
      showText(name, texts(method));
      input.checked = method === chosen.transferMethod;
      if (input.checked || quote === undefined) {
        session.pause();
        show({ current: input.checked ? quote : undefined, state: {} });
      } else {
        const { value: amount } = quote.sendAmount;
        session.subscribe(() => show(session));
        session.ask(remit, { ...codes, transferMethod: method, quoteBy: "SEND_AMOUNT", amount }, options);
        show(session);
      }
    }
  }

  pause() {
    this.#rows.forEach(({ session }) => session.pause());
  }

  #setMethods(methods) {
    this.pause();
    this.#rows = new Map(methods.map((method) => [method, this.#rowOf(method)]));
    this.#list.replaceChildren(...[...this.#rows.values()].map(({ element }) => element));
  }

  #rowOf(method) {
    const { make, QuoteSession } = this.#tools;
    const [input, name, detail] = [make("input", "radio"), make("span", "name"), make("span", "detail")];
    Object.assign(input, { type: "radio", name: "method", value: method });
    const element = make("label", "method", input, make("span", "about", name, " ", detail));
    return { element, input, name, detail, session: new QuoteSession() };
  }

  #detailOf(quote, texts, language) {
    const { sendAmount, receiveAmount, totalCost, deliverySLA } = quote;
    const { currency } = sendAmount;
    const fee = totalCost && { currency, value: BigInt(totalCost.value) - BigInt(sendAmount.value) };
    const says = (name, amount) => amount && `${texts(name)}: ${this.#tools.formatAmount(amount, language)}`;
    const arrival = deliverySLA?.name && `${texts("arrives")}: ${deliverySLA.name}`;
    return [says("receive", receiveAmount), says("fee", fee), arrival].filter(Boolean).join(" · ");
  }
}
