// What the customer may choose besides the amount. Loaded where a page offers it. It is given what it shares with
// the amount's element instead of importing it, which would make bundlers split the page's first script.

export const ENGLISH = {
  method: "How they receive it",
  sendCurrency: "Currency you send",
  receiveCurrency: "Currency they receive",
  fee: "Fee",
  BANK_ACCOUNT: "Bank account",
  "BANK_ACCOUNT.hint": "To the recipient's account",
  PUSH_TO_CARD: "Debit card",
  "PUSH_TO_CARD.hint": "To the recipient's card",
  CASH_PICKUP: "Cash pickup",
  "CASH_PICKUP.hint": "Collected at a counter",
  MOBILE_WALLET: "Mobile wallet",
  "MOBILE_WALLET.hint": "To the recipient's phone",
};

export const RULES = `
[part=methods] { margin-block-end: 1em }
[part=method] { display: flex; align-items: baseline; gap: .5em; min-height: 2.75em; padding-block: .25em }
[part=about] { flex: 1 }
:is([part=method-hint], [part=detail]) { display: block; font-size: .875em; color: var(--remit-text-secondary, inherit) }
[part=detail] > :not(:last-child)::after { content: " ·" }
[part=select] { align-self: stretch; border: 0; background: transparent; color: inherit; font: inherit }
`;

const distinct = (list) => [...new Map(list.map((one) => [one.iso3Code, one])).values()];
const find = (list, code) => list?.find(({ iso3Code }) => iso3Code === code);

/** Lets customers choose a transfer method, with what each costs, and the currency of each side. */
export class AmountChoice {
  #tools;
  #view;
  #onChosen;
  #element;
  #legend;
  #list;
  #rows = new Map();

  /** `onChosen` is called with the name of an attribute, and its value. */
  constructor(tools, view, onChosen) {
    const { make } = tools;
    this.#tools = tools;
    this.#view = view;
    this.#onChosen = onChosen;
    this.#legend = make("legend", "legend");
    this.#list = make("div", "method-list");
    this.#element = make("fieldset", "methods", this.#legend, this.#list);
    view.legend.after(this.#element);
    this.#element.addEventListener("change", ({ target }) => onChosen("method", target.value));
  }

  /**
   * Finds what corridors offer nearest to what is wanted: first the method, then what is paid out, then what is
   * paid in. Returns the choices, too.
   */
  routeIn(corridors, { method, send, receive }) {
    const methods = [...new Set(corridors.map(({ transferMethod }) => transferMethod))];
    const transferMethod = methods.includes(method) ? method : methods[0];
    const ways = corridors.filter((one) => one.transferMethod === transferMethod);
    const receives = distinct(ways.flatMap(({ destinationCurrency }) => destinationCurrency));
    const to = find(receives, receive) ?? receives[0];
    const paying = ways.filter(({ destinationCurrency }) => find(destinationCurrency, to?.iso3Code));
    const sends = distinct(paying.flatMap(({ sourceCurrency }) => sourceCurrency));
    const from = find(sends, send) ?? sends[0];
    const corridor = paying.find(({ sourceCurrency }) => find(sourceCurrency, from?.iso3Code));
    const choices = { send: sends, receive: receives };
    return corridor && { corridors, corridor, send: from, receive: to, methods, choices };
  }

  /** Shows what an element lets its customer choose. */
  show(host, state) {
    const { route } = state.entry;
    if (route) {
      for (const [side, { currency }] of Object.entries(this.#view.rows)) {
        const codes = host.currencies && route.choices ? route.choices[side].map(({ iso3Code }) => iso3Code) : [];
        this.#showCurrencies(side, currency, codes, state);
      }
    }
    this.#element.hidden = !host.compare || !route?.methods;
    if (this.#element.hidden || !host.isConnected) this.pause();
    else this.#showMethods(host, state);
  }

  // In the place that shows the only currency of a side otherwise.
  #showCurrencies(side, place, codes, { words, entry }) {
    const { iso3Code } = entry.route[side];
    let [select] = place.children;
    if (codes.length < 2) return select && (place.textContent = iso3Code);
    if (select === undefined) {
      select = this.#tools.make("select", "select");
      select.addEventListener("change", () => this.#onChosen(side, select.value));
      place.replaceChildren(select);
    }
    const shown = [...select.options].map(({ value }) => value);
    if (`${shown}` !== `${codes}`) select.replaceChildren(...codes.map((code) => new Option(code)));
    select.setAttribute("aria-label", words.textOf(`${side}Currency`));
    select.value = iso3Code;
  }

  // The others are quoted by the price of the chosen one: they send the same, as not every method takes an amount
  // to receive.
  #showMethods(host, { words, entry: { route }, current: quote, judge, isPriceless }) {
    const { requestOf, showText } = this.#tools;
    const { textOf } = words;
    const { corridors, methods, corridor } = route;
    const [send, receive] = [route.send.iso3Code, route.receive.iso3Code];
    if (`${[...this.#rows.keys()]}` !== `${methods}`) this.#setMethods(methods);
    showText(this.#legend, textOf("method"));
    const amount = quote?.sendAmount.value;
    for (const [method, { input, name, hint, detail, element, session }] of this.#rows) {
      const show = ({ current, state }, problem = state.error?.userMessage) => {
        element.toggleAttribute("data-stale", current === undefined);
        detail.toggleAttribute("data-priceless", isPriceless && problem === undefined);
        if (current) detail.replaceChildren(...this.#detailsOf(current, words));
        else if (problem !== undefined) detail.replaceChildren(problem);
      };
      showText(name, textOf(method) || inWords(method));
      showText(hint, textOf(`${method}.hint`));
      input.checked = method === corridor.transferMethod;
      const own = this.routeIn(corridors, { method, send, receive });
      // Another currency would be another amount.
      const isOther = own?.send.iso3Code !== send || own?.receive.iso3Code !== receive;
      const problem = isOther ? "" : amount === undefined ? undefined : judge.ofLimits(amount, route, method);
      if (input.checked || quote === undefined || problem !== undefined) {
        session.pause();
        show({ current: input.checked ? quote : undefined, state: {} }, input.checked ? undefined : problem);
      } else {
        session.subscribe(() => show(session));
        session.ask(host.remit, requestOf(own, "SEND_AMOUNT", amount), host);
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
    const input = make("input", "radio");
    Object.assign(input, { type: "radio", name: "method", value: method });
    const [name, hint, detail] = ["name", "method-hint", "detail"].map((part) => {
      return Object.assign(make("span", part), { id: `${this.#view.id}-${method}-${part}` });
    });
    input.setAttribute("aria-labelledby", name.id);
    input.setAttribute("aria-describedby", `${hint.id} ${detail.id}`);
    const element = make("label", "method", input, make("span", "about", name, " ", hint, " ", detail));
    return { element, input, name, hint, detail, session: new QuoteSession() };
  }

  // With spaces between them, for who hears them.
  #detailsOf({ sendAmount, receiveAmount, totalCost, deliverySLA }, { textOf, amountOf }) {
    const { make } = this.#tools;
    const fee = totalCost && { ...sendAmount, value: BigInt(totalCost.value) - BigInt(sendAmount.value) };
    const says = (name, amount) => amount && `${textOf(name)} ${amountOf(amount)}`;
    const details = [
      ["receives", says("receive", receiveAmount)],
      ["fee", says("fee", fee)],
      ["arrives", textOf(deliverySLA?.id) || deliverySLA?.name],
    ];
    return details.filter(([, text]) => text).flatMap(([part, text]) => [make("span", part, text), " "]);
  }
}

const inWords = (method) => method.charAt(0) + method.slice(1).toLowerCase().replaceAll("_", " ");
