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
:is([part=method-hint], [part=detail]) { display: block; font-size: .875em;
  text-align: -webkit-match-parent; text-align: match-parent; color: var(--remit-text-secondary, inherit) }
[part=detail] { min-height: 1.25em; display: flex; flex-wrap: wrap; gap: 0 .75em }
[part=select] { align-self: stretch; border: 0; background: transparent; color: inherit; font: inherit;
  padding-inline-end: .25em }
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
  // The last price of the chosen method, and that method.
  #chosen = {};
  // The lists of currencies, by side.
  #selects = {};

  /** `onChosen` is called with the name of an attribute, and its value. */
  constructor(tools, view, onChosen) {
    const { make } = tools;
    this.#tools = tools;
    this.#view = view;
    this.#onChosen = onChosen;
    this.#legend = make("legend", "legend");
    this.#list = make("div", "method-list");
    this.#element = make("fieldset", "methods", this.#legend, this.#list);
    this.#element.addEventListener("change", () => this.read());
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
      for (const side of Object.keys(this.#view.rows)) {
        const codes = host.currencies && route.choices ? route.choices[side].map(({ iso3Code }) => iso3Code) : [];
        this.#showCurrencies(side, codes, state);
      }
    }
    this.#place(host);
    this.#element.hidden = !host.compare || !route?.methods;
    if (this.#element.hidden || !host.isConnected) this.pause();
    else this.#showMethods(host, state);
  }

  // Before the amounts or after them. What has the focus would lose it if it were moved again.
  #place({ order }) {
    const { legend, rows } = this.#view;
    const isFirst = /^\s*method/.test(order);
    const before = isFirst ? legend : rows.receive.element;
    if (before.nextSibling !== this.#element) before.after(this.#element);
  }

  /** Takes what stands in the lists, whatever events said so. */
  read() {
    for (const [side, known] of Object.entries(this.#selects)) {
      const { value, isConnected } = known.select;
      if (!isConnected || value === known.code || !known.codes.includes(value)) continue;
      known.code = value;
      this.#onChosen(side, value);
    }
    for (const [method, { input, isChosen }] of this.#rows) {
      if (!input.checked || isChosen) continue;
      this.#rows.forEach((row, name) => (row.isChosen = name === method));
      return this.#onChosen("method", method);
    }
  }

  // In the place of the only currency of a side.
  #showCurrencies(side, codes, { words, entry }) {
    const { iso3Code } = entry.route[side];
    const { currency, code } = this.#view.rows[side];
    let known = this.#selects[side];
    code.hidden = codes.length > 1;
    if (codes.length < 2) return known?.select.remove();
    if (known === undefined) {
      const select = this.#tools.make("select", "select");
      select.translate = false;
      select.addEventListener("change", () => this.read());
      known = this.#selects[side] = { select, codes: [] };
    }
    const { select } = known;
    if (select.parentNode !== currency) currency.append(select);
    if (`${known.codes}` !== `${codes}`) select.replaceChildren(...codes.map((code) => new Option(code, code)));
    const label = words.textOf(`${side}Currency`);
    select.setAttribute("aria-label", label);
    if (label.lang) select.lang = label.lang;
    else select.removeAttribute("lang");
    if (select.value !== iso3Code) select.value = iso3Code;
    Object.assign(known, { codes, code: select.value });
  }

  // The others are quoted by the price of the chosen one: they send the same, as not every method takes an amount
  // to receive.
  #showMethods(host, { words, entry: { route }, current: quote, judge, isPriceless }) {
    const { afterPress, errorText, requestOf, showText } = this.#tools;
    const { textOf } = words;
    const { corridors, methods, corridor } = route;
    const [send, receive] = [route.send.iso3Code, route.receive.iso3Code];
    if (`${[...this.#rows.keys()]}` !== `${methods}`) this.#setMethods(methods);
    showText(this.#legend, textOf("method"));
    const amount = quote?.sendAmount.value;
    const { transferMethod } = corridor;
    // A price in the place of another one for the same method replaces those of the others, too.
    const isAnother = quote !== undefined && quote !== this.#chosen.quote;
    const isRenewed = isAnother && transferMethod === this.#chosen.transferMethod;
    if (isAnother) this.#chosen = { quote, transferMethod };
    for (const [method, row] of this.#rows) {
      const { input, name, hint, detail, element, session } = row;
      const show = ({ current, state }, problem = errorText(state.error, words.language)) => {
        element.toggleAttribute("data-stale", current === undefined);
        const isOver = isPriceless || state.isExpired;
        detail.style.visibility = isOver && problem === undefined ? "hidden" : "";
        if (current) afterPress(row, () => this.#showDetails(row, current, words));
        else if (problem !== undefined) afterPress(row, () => this.#showProblem(row, problem));
      };
      showText(name, textOf(method) || inWords(method));
      showText(hint, textOf(`${method}.hint`));
      row.isChosen = method === corridor.transferMethod;
      if (input.checked !== row.isChosen) input.checked = row.isChosen;
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
        const isOld = isRenewed || (isAnother && session.current === undefined);
        if (isOld && !session.state.isLoading) session.refresh();
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
    const { make, makeFigure, makeText, QuoteSession } = this.#tools;
    const input = make("input", "radio");
    Object.assign(input, { type: "radio", name: `${this.#view.id}-method`, value: method });
    const [name, hint, detail] = [makeText("span", "name"), makeText("span", "method-hint"), make("span", "detail")];
    for (const one of [name, hint, detail]) one.id = `${this.#view.id}-${method}-${one.getAttribute("part")}`;
    input.setAttribute("aria-labelledby", name.id);
    input.setAttribute("aria-describedby", `${hint.id} ${detail.id}`);
    const element = make("label", "method", input, make("span", "about", name, " ", hint, " ", detail));
    const saysOf = (part) => {
      const [label, figure] = [makeText("span", "detail-name"), makeFigure()];
      return { label, figure, element: make("span", part, label, " ", figure) };
    };
    const says = { receives: saysOf("receives"), fee: saysOf("fee") };
    const [arrives, problem] = [makeText("span", "arrives"), makeText("span", "detail-problem")];
    return { element, input, name, hint, detail, says, arrives, problem, session: new QuoteSession() };
  }

  #showProblem(row, problem) {
    if (String(row.told) === String(problem)) return;
    row.told = problem;
    this.#tools.showText(row.problem, problem);
    this.#tools.showOnly(row.detail, [row.problem]);
  }

  // With spaces between them, for who hears them.
  #showDetails(row, quote, words) {
    if (row.told?.quote === quote && row.told?.words === words) return;
    row.told = { quote, words };
    const { sendAmount, receiveAmount, totalCost, deliverySLA } = quote;
    const { textOf, amountOf } = words;
    const { showOnly, showText } = this.#tools;
    const fee = totalCost && { ...sendAmount, value: BigInt(totalCost.value) - BigInt(sendAmount.value) };
    const say = ({ element, label, figure }, name, amount) => {
      showText(label, textOf(name));
      showText(figure, amountOf(amount));
      return amount && element;
    };
    showText(row.arrives, textOf(deliverySLA?.id) || deliverySLA?.name);
    const said = [say(row.says.receives, "receive", receiveAmount), say(row.says.fee, "fee", fee)];
    if (!row.arrives.hidden) said.push(row.arrives);
    showOnly(row.detail, said.filter(Boolean), " ");
  }
}

const inWords = (method) => method.charAt(0) + method.slice(1).toLowerCase().replaceAll("_", " ");
