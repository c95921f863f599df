// The price below the amounts. Loaded unless a page shows it itself. It is given what it shares with the amount's
// element instead of importing it, which would make bundlers split the page's first script.

export const ENGLISH = {
  fee: "Fee",
  total: "Total to pay",
  rate: "Exchange rate",
  arrives: "Arrives",
  timer: "This price is valid for {time}.",
  expired: "This price has expired.",
  refresh: "Get a new price",
  retry: "Try again",
  bySend: "Enter the amount to send",
  price: "You send {send} and pay {total} in total. They receive {receive}.",
};

export const RULES = `
dl { margin: 0 }
[part~=line] { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 1em }
dd { margin: 0; font-weight: 600; font-variant-numeric: tabular-nums }
`;

/** Shows a price, how long it is valid, and a button for another one. */
export class AmountPrice {
  #tools;
  #fees;
  #figures;
  #price;
  #timer;
  #refresh;
  #status;
  #shown = {};

  constructor(tools, view, onRefresh) {
    const { make, makeButton, makeMessage, slot } = tools;
    this.#tools = tools;
    [this.#fees, this.#figures] = [make("dl", "fees"), make("dl", "figures")];
    this.#price = make("div", "summary", slot("fee", this.#fees), this.#figures);
    this.#timer = make("p", "timer");
    this.#refresh = makeButton("refresh", "", onRefresh);
    this.#status = makeMessage("status", "status");
    this.#status.className = "quiet";
    view.summary.append(this.#price, this.#timer, this.#refresh, this.#status);
  }

  /** Shows the price of an element: the last one, as a stale one, while there is no current one. */
  show({ isLoading, secondsLeft, error }, { words, entry, current: quote, isUsable, isSendOnly, expired, isPriceless }) {
    const { showText } = this.#tools;
    const { textOf } = words;
    if (quote && (this.#shown.quote !== quote || this.#shown.words !== words)) {
      this.#shown = { quote, words };
      this.#showFigures(quote, words);
    }
    this.#price.toggleAttribute("data-stale", !isUsable);
    this.#price.toggleAttribute("data-priceless", isPriceless);
    // Who does not see that it is pale would take it for the price of what was typed.
    this.#price.setAttribute("aria-hidden", !isUsable);
    const spoken = isUsable ? sentenceOf(quote, words) : "";
    // Not hidden, as a screen reader must know it before it says something.
    if (this.#status.textContent !== spoken) this.#status.textContent = spoken;
    const isExpired = expired !== undefined && !isLoading;
    const retry = isSendOnly && entry.side === "receive" ? "bySend" : error?.retryable ? "retry" : "";
    const refresh = isLoading ? "" : isExpired ? "refresh" : retry;
    showText(this.#refresh, refresh && textOf(refresh));
    const hasTime = isUsable && secondsLeft !== undefined;
    const timer = hasTime ? textOf("timer", { time: clockOf(secondsLeft) }) : "";
    showText(this.#timer, isExpired ? textOf("expired") : timer);
  }

  #showFigures(quote, { textOf, amountOf, language }) {
    const { make } = this.#tools;
    const { sendAmount, receiveAmount, totalCost, adjustments, rate, deliverySLA } = quote;
    const lineOf = ([part, name, text]) => {
      return make("div", `line ${part}`, make("dt", "name", name), make("dd", "value", text));
    };
    const fees = (adjustments ?? []).map(({ label, amount }) => {
      return lineOf(["fee", label || textOf("fee"), amountOf(amount)]);
    });
    this.#fees.replaceChildren(...fees);
    const exact = rate && new Intl.NumberFormat(language, { maximumSignificantDigits: 8 }).format(rate);
    const [source, destination] = [sendAmount, receiveAmount].map((amount) => amount?.currency.iso3Code);
    const figures = [
      ["total", textOf("total"), amountOf(totalCost)],
      ["rate", textOf("rate"), exact && destination && `1 ${source} = ${exact} ${destination}`],
      ["arrives", textOf("arrives"), textOf(deliverySLA?.id) || deliverySLA?.name],
    ];
    this.#figures.replaceChildren(...figures.filter(([, , text]) => text).map(lineOf));
  }
}

function sentenceOf({ sendAmount, receiveAmount, totalCost }, { textOf, amountOf }) {
  const [send, receive, total] = [sendAmount, receiveAmount, totalCost ?? sendAmount].map(amountOf);
  return textOf("price", { send, receive, total });
}

const clockOf = (seconds) => new Date(seconds * 1000).toISOString().slice(seconds < 3600 ? 14 : 11, 19);
