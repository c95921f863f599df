import { isRemitError, toMinorUnits, type Amount, type Currency, type MinorUnits } from "remitkit";
import { countryName, decimalMark, digits, money, readAmount, type AmountReading } from "../amounts";
import { isRetryable } from "../errors";
import { stateOf } from "../draft";
import { limitProblem, limitsOf, type LimitProblem, type Limits } from "../limits";
import { onLanguage, t } from "../messages";
import { methodAbout, methodIcon, methodName } from "../methods";
import { kit } from "../remit";
import { sameRoute, settle, wishOf, type Route, type Wish } from "../routes";
import { AmountPair, type Side } from "../ui/amount_pair";
import { button, setBusy } from "../ui/button";
import { h, on, setText } from "../ui/dom";
import { field, fillSelect } from "../ui/field";
import { endWaiting, showWaiting } from "../ui/loading";
import { errorNotice, type Action } from "../ui/notice";
import { Tiles } from "../ui/tiles";
import { TriggerPicker } from "../ui/trigger_picker";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

const FIRST_COUNTRY = "MEX";
const FIRST_AMOUNT = "200";
// Long enough that a word of digits is one question, short enough to feel at once.
const TYPING_MS = 250;

/** Where to, how, and how much; the price is there while one types. */
export function amountStep(app: App): Step {
  const { checkout, quotes, priceSlot } = app;
  const country = h("select", { name: "country" });
  const method = new Tiles("method", () => t("amount.method"), (value) => choose({ transferMethod: value }));
  const amounts = new AmountPair({
    typed,
    currency: (side, code) => choose(side === "send" ? { source: code } : { destination: code }),
  });
  const picker = new TriggerPicker({ currency: () => checkout.state.route?.source, fill });
  const range = h("p", { class: "muted limits" });
  const form = new StepForm(app, "amount-form", finish);
  const { slot, place, submit } = form;
  on(country, { change: () => choose({ country: country.value }) });

  let left = false;
  let shownError: unknown;
  // What was last typed as the amount to send, for where the other amount cannot be chosen.
  let lastSent = "";
  let limits: Limits | undefined;
  // A tester's amount is meant for the service, whatever the shop's own limits are.
  let tested: MinorUnits | undefined;

  function side(): Side {
    return checkout.state.quoteBy === "SEND_AMOUNT" ? "send" : "receive";
  }

  async function load(): Promise<void> {
    slot.clear();
    showWaiting(place, 4);
    try {
      const remit = await kit();
      const corridors = await remit.corridors();
      if (left) return;
      checkout.change({ corridors });
      submit.hidden = false;
      if (!(await goOn())) choose({ country: FIRST_COUNTRY });
    } catch (error) {
      if (left) return;
      endWaiting();
      place.replaceChildren();
      submit.hidden = true;
      form.refuse(error, () => void load());
    }
  }

  /** Goes on where the page was loaded anew; whether it had come to anything. */
  async function goOn(): Promise<boolean> {
    const { draft } = app;
    const settled = draft && settle(checkout.state.corridors, draft.wish);
    if (!settled || checkout.state.route) return false;
    checkout.change({ ...stateOf(draft), route: settled.route });
    showRoute();
    if (draft.step === "amount") return true;
    // What they need is worked out from the price.
    await quotes.ask();
    // What was made of the later steps' entries is gone with the page, so each is gone through again.
    if (!left) app.go("recipient");
    return true;
  }

  function showRoute(): void {
    const { route, amount, quoteBy, quote } = checkout.state;
    showChoices();
    if (route) void readLimits(route);
    if (amount === undefined || !route) {
      choose({});
      return;
    }
    amounts.setText(side(), digits(amount, quoteBy === "SEND_AMOUNT" ? route.source : route.destination));
    if (quote) showQuote();
    else void quotes.ask();
  }

  function choose(wish: Wish): void {
    const { corridors, route } = checkout.state;
    const settled = settle(corridors, { ...(route && wishOf(route)), ...wish });
    if (!settled) {
      place.replaceChildren();
      submit.hidden = true;
      form.refuse(undefined, () => void load());
      return;
    }
    const destinationChanged = route && route.destination.iso3Code !== settled.route.destination.iso3Code;
    checkout.change({ route: settled.route });
    showChoices();
    void readLimits(settled.route);
    // An amount of another currency is another wish altogether: go by what is sent again.
    if (destinationChanged && side() === "receive") amounts.setText("receive", "");
    const by: Side = destinationChanged || !amounts.text(side()) ? "send" : side();
    if (by === "send" && !amounts.text("send")) amounts.setText("send", digits(toMinorUnits(FIRST_AMOUNT, settled.route.source), settled.route.source));
    ask(by, 0);
    if (route?.source.iso3Code !== settled.route.source.iso3Code) picker.refill();
  }

  function fill(amount: MinorUnits): void {
    const { route } = checkout.state;
    if (!route) return;
    tested = amount;
    amounts.setText("send", digits(amount, route.source));
    ask("send", 0);
  }

  async function readLimits(route: Route): Promise<void> {
    const read = await limitsOf(route).catch(() => undefined);
    if (left || !sameRoute(route, checkout.state.route)) return;
    limits = read;
    setText(range, () => (limits ? t(limits.isLeft ? "amount.range.left" : "amount.range", bounds(limits)) : ""));
    const { amount, quote } = checkout.state;
    if (amount !== undefined && (limitProblemOf(quote?.sendAmount) || readSide(side()) === undefined)) ask(side(), 0);
  }

  // Said at the amount that is sent, be it typed or worked out.
  function limitProblemOf(amount: Amount | undefined): LimitProblem | undefined {
    if (!limits || !amount || BigInt(amount.value) === BigInt(tested ?? 0)) return undefined;
    return limitProblem(amount, limits);
  }

  function showLimit(by: Side, problem: LimitProblem): void {
    const known = limits;
    if (known) amounts.setProblem(by, () => t(`amount.problem.${problem}`, bounds(known)));
  }

  function showChoices(): void {
    const { corridors, route } = checkout.state;
    const settled = route && settle(corridors, wishOf(route));
    if (!settled) return;
    const { choices } = settled;
    const named = choices.countries
      .map((one) => ({ value: one.iso3Code, name: countryName(one) }))
      .sort((a, b) => a.name.localeCompare(b.name));
    fillSelect(country, named.map(({ value, name }) => ({ value, label: () => name })), route.country.iso3Code);
    method.show(
      choices.methods.map((value) => ({
        value,
        label: () => methodName(value),
        about: methodAbout(value) ? () => methodAbout(value) ?? "" : undefined,
        icon: methodIcon(value),
      })),
      route.transferMethod,
    );
    amounts.setCurrencies("send", choices.sources, route.source);
    amounts.setCurrencies("receive", choices.destinations, route.destination);
    if (!place.contains(amounts.element)) {
      const where = field(country, { label: () => t("amount.country"), bare: true });
      place.replaceChildren(where.element, method.element, amounts.element, range);
    }
  }

  function typed(by: Side): void {
    ask(by, TYPING_MS);
  }

  function ask(by: Side, delayMs: number): void {
    const amount = readSide(by);
    checkout.change({ quoteBy: by === "send" ? "SEND_AMOUNT" : "RECEIVE_AMOUNT", amount });
    if (amount === undefined) amounts.setText(other(by), "");
    else if (by === "send") lastSent = amounts.text(by);
    void quotes.ask(delayMs);
  }

  // The problem is said at once only if what is typed can no longer become an amount.
  function readSide(by: Side, strict = false) {
    const { route } = checkout.state;
    if (!route) return undefined;
    const currency = by === "send" ? route.source : route.destination;
    const reading = readAmount(amounts.text(by), currency);
    if ("value" in reading) {
      const problem = by === "send" ? limitProblemOf({ value: reading.value, currency }) : undefined;
      if (problem) showLimit(by, problem);
      else amounts.setProblem(by, undefined);
      return problem ? undefined : reading.value;
    }
    amounts.setProblem(by, reading.problem === "empty" && !strict ? undefined : () => problemOf(reading, currency));
    return undefined;
  }

  function showQuote(): void {
    const { quote, quoteError, quoting, route } = checkout.state;
    amounts.setStale(quoting ? other(side()) : undefined);
    if (!quoting && place.contains(amounts.element)) endWaiting();
    if (quote && route && !quoting) {
      const shown = side() === "send" ? quote.receiveAmount : quote.sendAmount;
      if (shown) amounts.setText(other(side()), digits(shown.value, shown.currency));
      const problem = limitProblemOf(quote.sendAmount);
      if (problem) showLimit(side(), problem);
    }
    if (quoteError === shownError) return;
    const isRepeated = shownError !== undefined && quoteError !== undefined && isRetryable(shownError) && isRetryable(quoteError);
    shownError = quoteError;
    // Said once, however often the price is asked for by itself.
    if (isRepeated && priceSlot.element.hasChildNodes()) return;
    // A figure without a price would be an old one.
    if (quoteError !== undefined) amounts.setText(other(side()), "");
    if (quoteError === undefined) priceSlot.clear();
    else priceSlot.show(errorNotice(quoteError, waysOn(quoteError)));
  }

  function waysOn(error: unknown): Action[] {
    if (isRemitError(error) && error.resolution === "quote_by_send_amount") {
      const bySend = () => {
        amounts.setText("receive", "");
        amounts.setText("send", lastSent);
        choose({});
        amounts.focus("send");
      };
      return [{ label: () => t("amount.by_send"), run: bySend }];
    }
    return [{ label: () => t("action.again"), run: () => void quotes.ask() }];
  }

  async function finish(): Promise<void> {
    if (readSide(side(), true) === undefined) {
      amounts.focus(side());
      return;
    }
    if (!checkout.state.quote || checkout.state.quoting) {
      setBusy(submit, true, () => t("action.pricing"));
      await quotes.ask();
      setBusy(submit, false, () => t("action.continue"));
    }
    const { quote } = checkout.state;
    if (left || !quote) return;
    if (limitProblemOf(quote.sendAmount)) amounts.focus(side());
    else app.go("recipient");
  }

  const stopWatching = checkout.watch(showQuote);
  const stopLanguage = onLanguage(() => {
    const { route, amount } = checkout.state;
    showChoices();
    // What was typed as the other language writes it would be no amount any more.
    if (route && amount !== undefined) amounts.setText(side(), digits(amount, side() === "send" ? route.source : route.destination));
  });
  return {
    title: () => t("amount.title"),
    about: () => t("amount.about"),
    panel: form.panel,
    actions: [submit],
    tool: h("div", { class: "stack beside" }, button(() => t("transfers.open"), () => app.go("transfers"), "quiet"), picker.element),
    enter() {
      const { corridors, route } = checkout.state;
      if (corridors.length === 0 || !route) void load();
      else showRoute();
    },
    leave() {
      left = true;
      stopWatching();
      stopLanguage();
    },
  };
}

function problemOf(reading: Exclude<AmountReading, { value: MinorUnits }>, currency: Currency): string {
  const { iso3Code, decimalPlaces: places } = currency;
  switch (reading.problem) {
    case "empty":
      return t("amount.problem.empty");
    case "decimals":
      return t(places === 0 ? "amount.problem.whole" : "amount.problem.decimals", { currency: iso3Code, places });
    case "mark":
      return t(decimalMark() === "." ? "amount.problem.point" : "amount.problem.comma", { meant: reading.meant });
    case "invalid":
      return t("amount.problem.invalid", { example: digits(toMinorUnits("1250", currency), currency) });
  }
}

function bounds({ currency, least, most }: Limits): { least: string; most: string } {
  return { least: money({ value: Number(least), currency }), most: money({ value: Number(most), currency }) };
}

function other(side: Side): Side {
  return side === "send" ? "receive" : "send";
}
