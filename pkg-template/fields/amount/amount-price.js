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
  // What is shown of each line, by its name, and of each legal text.
  #lines = new Map();
  #legal = [];
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
    const { showOnly, disclosureTexts } = this.#tools;
    const { sendAmount, receiveAmount, totalCost, adjustments, rate, deliverySLA } = quote;
    const fees = (adjustments ?? []).map(({ label, amount }, at) => {
      return this.#lineOf(`fee ${at}`, "fee", label || textOf("fee"), amountOf(amount));
    });
    const exact = rate && new Intl.NumberFormat(language, { maximumSignificantDigits: 8 }).format(rate);
    const [source, destination] = [sendAmount, receiveAmount].map((amount) => amount?.currency.iso3Code);
    const equation = exact && destination ? `1 ${source} = ${exact} ${destination}` : "";
    const arrival = textOf(deliverySLA?.id) || deliverySLA?.name;
    const figures = Object.entries({ total: amountOf(totalCost), rate: equation, arrives: arrival });
    const shown = figures.map(([name, said]) => this.#lineOf(name, name, textOf(name), said));
    showOnly(this.#fees, fees.filter(Boolean));
    showOnly(this.#figures, shown.filter(Boolean));
    const texts = hasDisclosures ? disclosureTexts(quote.disclosures) : [];
    showOnly(this.#disclosures, texts.map((text, at) => this.#disclosureAt(at, text)));
  }

  // Lines and legal texts stay, as what a translator has made of their words then does. Nothing is said in no line.
  #lineOf(id, part, label, said) {
    const { make, makeFigure, makeText, showText } = this.#tools;
    let line = this.#lines.get(id);
    if (line === undefined) {
      const [name, content] = [make("dt", "name"), part === "arrives" ? makeText("span", "arrival") : makeFigure()];
      line = { name, content, element: make("div", `line ${part}`, name, make("dd", "value", content)) };
      this.#lines.set(id, line);
    }
    showText(line.name, label);
    showText(line.content, said);
    return line.content.hidden ? undefined : line.element;
  }

  #disclosureAt(at, { title, text }) {
    const { make, showText } = this.#tools;
    const [heading, body] = (this.#legal[at] ??= [make("b", "disclosure-title"), make("span", "disclosure-text")]);
    showText(heading, title);
    showText(body, text);
    return body.parentNode ?? make("p", "disclosure", heading, " ", body);
  }
}

function sentenceOf({ sendAmount, receiveAmount, totalCost }, { textOf, amountOf }) {
  const [send, receive, total] = [sendAmount, receiveAmount, totalCost ?? sendAmount].map(amountOf);
  return textOf("price", { send, receive, total });
}

const clockOf = (seconds) => new Date(seconds * 1000).toISOString().slice(seconds < 3600 ? 14 : 11, 19);
