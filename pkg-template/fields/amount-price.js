// The price below the amounts. Loaded unless a page shows it itself. It is given what it shares with the amount's
// element instead of importing it, which would make bundlers split the page's first script.

export const ENGLISH = {
  fee: "Fee",
  total: "Total to pay",
  rate: "Exchange rate",
  arrives: "Arrives",
  timer: "This price is valid for {time}.",
  refresh: "Get a new price",
  retry: "Try again",
  bySend: "Enter the amount to send",
  price: "You send {send} and pay {total} in total. They receive {receive}.",
};

export const RULES = `
dl { margin: 0 }
[part~=line] { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1em }
dd { margin: 0; margin-inline-start: auto; text-align: end; font-weight: 600; font-variant-numeric: tabular-nums }
[part=disclosures] { margin-block-start: .75em; font-size: .875em; unicode-bidi: plaintext;
  text-align: -webkit-match-parent; text-align: match-parent }
`;

/** Shows a price, how long it is valid, what the law has customers told of it, and a button for another one. */
export class AmountPrice {
  #tools;
  #view;
  #fees;
  #figures;
  #disclosures;
  #price;
  #timer;
  #status;
  #shown = {};
  /** The button for another price, hidden unless that helps. */
  refresh;

  constructor(tools, view, onRefresh) {
    const { make, makeButton, makeMessage, makeText, slot } = tools;
    this.#tools = tools;
    this.#view = view;
    [this.#fees, this.#figures] = [make("dl", "fees"), make("dl", "figures")];
    this.#disclosures = make("div", "disclosures");
    this.#price = make("div", "summary", slot("fee", this.#fees), this.#figures, this.#disclosures);
    this.#timer = makeText("p", "timer");
    this.refresh = makeButton("refresh", "", onRefresh);
    this.#status = makeMessage("status", "status");
    this.#status.className = "quiet";
    view.summary.append(this.#price, this.#timer, this.refresh, this.#status);
  }

  /** Shows the price of an element: the last one, as a stale one, while there is no current one. */
  show(host, { words, entry, current: quote, isUsable, isSendOnly, expired, isPriceless }) {
    const { isLoading, secondsLeft, error, disclosures } = host;
    const { showText, tell } = this.#tools;
    const { textOf } = words;
    const isShown = disclosures !== "hide";
    const { quote: before, words: said, isShown: wasShown } = this.#shown;
    if (quote && (before !== quote || said !== words || wasShown !== isShown)) {
      this.#shown = { quote, words, isShown };
      this.#showFigures(quote, words, isShown);
    }
    this.#price.toggleAttribute("data-stale", !isUsable);
    // Not by a rule: the page's own tree has none of ours.
    this.#price.style.visibility = isPriceless ? "hidden" : "";
    // Who does not see that it is pale would take it for the price of what was typed.
    this.#price.setAttribute("aria-hidden", !isUsable);
    const isExpired = expired !== undefined && !isLoading;
    tell(this.#status, isUsable ? sentenceOf(quote, words) : isExpired ? textOf("expired") : "");
    const retry = isSendOnly && entry.side === "receive" ? "bySend" : error?.retryable ? "retry" : "";
    const refresh = isLoading ? "" : isExpired ? "refresh" : retry;
    const hadFocus = this.refresh.getRootNode().activeElement === this.refresh;
    showText(this.refresh, refresh && textOf(refresh));
    if (hadFocus && refresh === "") this.#view.rows[entry.side].input.focus();
    const hasTime = isUsable && secondsLeft !== undefined;
    const timer = hasTime ? textOf("timer", { time: clockOf(secondsLeft) }) : "";
    showText(this.#timer, isExpired ? textOf("expired") : timer);
  }

  #showFigures(quote, { textOf, amountOf, language }, hasDisclosures) {
    const { make, makeText, makeFigure, disclosureTexts } = this.#tools;
    const { sendAmount, receiveAmount, totalCost, adjustments, rate, deliverySLA } = quote;
    const lineOf = ([part, name, ...content]) => {
      return make("div", `line ${part}`, makeText("dt", "name", name), make("dd", "value", ...content));
    };
    const fees = (adjustments ?? []).map(({ label, amount }) => {
      return lineOf(["fee", label || textOf("fee"), makeFigure(amountOf(amount))]);
    });
    this.#fees.replaceChildren(...fees);
    const exact = rate && new Intl.NumberFormat(language, { maximumSignificantDigits: 8 }).format(rate);
    const [source, destination] = [sendAmount, receiveAmount].map((amount) => amount?.currency.iso3Code);
    const equation = makeFigure(exact && destination ? `1 ${source} = ${exact} ${destination}` : "");
    const total = makeFigure(amountOf(totalCost));
    const arrival = makeText("span", "arrival", textOf(deliverySLA?.id) || deliverySLA?.name);
    const figures = Object.entries({ total, rate: equation, arrives: arrival }).filter(([, { hidden }]) => !hidden);
    this.#figures.replaceChildren(...figures.map(([name, content]) => lineOf([name, textOf(name), content])));
    const texts = hasDisclosures ? disclosureTexts(quote.disclosures) : [];
    const shown = texts.map(({ title, text }) => {
      const heading = title ? [makeText("b", "disclosure-title", title), " "] : [];
      return make("p", "disclosure", ...heading, makeText("span", "disclosure-text", text));
    });
    this.#disclosures.replaceChildren(...shown);
  }
}

function sentenceOf({ sendAmount, receiveAmount, totalCost }, { textOf, amountOf }) {
  const [send, receive, total] = [sendAmount, receiveAmount, totalCost ?? sendAmount].map(amountOf);
  return textOf("price", { send, receive, total });
}

const clockOf = (seconds) => new Date(seconds * 1000).toISOString().slice(seconds < 3600 ? 14 : 11, 19);
