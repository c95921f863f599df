import { isRemitError, toMinorUnits, type Amount, type Currency, type MinorUnits } from "remitkit";
import { countryName, decimalSeparator, inputAmount, money } from "../amounts";
import { parseTypedAmount, type ParsedAmount } from "../amounts";
import { restoredState } from "../draft";
import { isRetryable } from "../errors";
import { limitProblem, limitsOf, type Limits } from "../limits";
import { onLanguage, t } from "../messages";
import { methodAbout, methodIcon, methodName } from "../methods";
import { MethodPrices } from "../method_prices";
import { isSameRoute, preferenceOf, resolveRoute, type Route, type RoutePreference } from "../routes";
import { AmountPair, type Side } from "../ui/amount_pair";
import { button, whileBusy } from "../ui/button";
import { h, on } from "../ui/dom";
import { field, fillSelect } from "../ui/field";
import { endWaiting } from "../ui/loading";
import { action, errorNotice, retry, type Action } from "../ui/notice";
import { Tiles } from "../ui/tiles";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

const FIRST_COUNTRY = "MEX";
const FIRST_AMOUNT = "200";
/** A pause in typing after which the price is fetched. */
const TYPING_MS = 250;

/** Where the money goes, how, and how much; the price follows the input. */
export function amountStep(app: App): Step {
  const { checkout, quotes, priceSlot } = app;
  const country = h("select", { name: "country" });
  const method = new Tiles("method", () => t("amount.method"), (value) => choose({ transferMethod: value }));
  const amounts = new AmountPair({
    typed: (by) => readAndQuote(by, TYPING_MS),
    currency: (by, code) => choose(by === "send" ? { source: code } : { destination: code }),
  });
  const prices = new MethodPrices(checkout, () => method.refresh());
  const form = new StepForm(app, "amount-form", finish);
  on(country, { change: () => choose({ country: country.value }) });

  let hasLeft = false;
  let shownError: unknown;
  /** The last amount to send, for routes where the amount to receive can't be chosen. */
  let lastSend = "";
  let limits: Limits | undefined;

  const side = (): Side => (checkout.state.quoteBy === "SEND_AMOUNT" ? "send" : "receive");
  const currencyOf = (by: Side, route: Route) => (by === "send" ? route.source : route.destination);

  function load(): void {
    void form.load(4, (remit) => remit.corridors(), (corridors) => {
      checkout.change({ corridors });
      form.submit.hidden = false;
      void restoreDraft().then((isRestored) => !isRestored && choose({ country: FIRST_COUNTRY }));
    });
  }

  /** Continues the checkout of a page that was reloaded. Returns whether there was one. */
  async function restoreDraft(): Promise<boolean> {
    const { draft } = app;
    const resolved = draft && resolveRoute(checkout.state.corridors, draft.preference);
    if (!resolved || checkout.state.route) return false;
    checkout.change({ ...restoredState(draft), route: resolved.route });
    showRoute();
    if (draft.step === "amount") return true;
    await quotes.fetch();
    // Recipient and account are created again, so the customer passes each later step again.
    if (!hasLeft) app.go("recipient");
    return true;
  }

  function showRoute(): void {
    const { route, amount, quote } = checkout.state;
    if (amount === undefined || !route) return choose({});
    showChoices();
    void readLimits(route);
    showAmount();
    if (quote) showQuote();
    else void quotes.fetch();
  }

  function showAmount(): void {
    const { route, amount: value } = checkout.state;
    if (!route || value === undefined) return;
    amounts.setText(side(), inputAmount({ value, currency: currencyOf(side(), route) }));
  }

  function choose(preference: RoutePreference): void {
    const { corridors, route: before } = checkout.state;
    const resolved = resolveRoute(corridors, { ...(before && preferenceOf(before)), ...preference });
    if (!resolved) return form.fail(undefined, load);
    const { route } = resolved;
    const isNewDestination = before && before.destination.iso3Code !== route.destination.iso3Code;
    checkout.change({ route });
    showChoices();
    void readLimits(route);
    // An amount in another currency means nothing: go by the amount to send again.
    if (isNewDestination && side() === "receive") amounts.setText("receive", "");
    const by: Side = isNewDestination || !amounts.text(side()) ? "send" : side();
    if (!amounts.text(by)) amounts.setText("send", exampleAmount(FIRST_AMOUNT, route.source));
    readAndQuote(by);
  }

  async function readLimits(route: Route): Promise<void> {
    const read = await limitsOf(route).catch(() => undefined);
    if (hasLeft || !isSameRoute(route, checkout.state.route)) return;
    limits = read;
    amounts.setHint(read && (() => t("amount.range", rangeValues(read))));
    const { amount, quote } = checkout.state;
    if (amount === undefined) return;
    if (limitText(quote?.sendAmount) || readAmount(side()) === undefined) readAndQuote(side());
  }

  /** Returns what is wrong with the amount that is sent, be it typed or computed. */
  function limitText(amount: Amount | undefined) {
    if (!limits || !amount) return undefined;
    const problem = limitProblem(amount, limits);
    const values = limits;
    return problem && (() => t(`amount.problem.${problem}`, rangeValues(values)));
  }

  function showChoices(): void {
    const { corridors, route } = checkout.state;
    const resolved = route && resolveRoute(corridors, preferenceOf(route));
    if (!resolved) return;
    const { countries, methods, sources, destinations } = resolved.choices;
    const options = countries.map((one) => ({ value: one.iso3Code, label: () => countryName(one) }));
    options.sort((a, b) => a.label().localeCompare(b.label()));
    fillSelect(country, options, route.country.iso3Code);
    const tiles = methods.map((value) => ({
      value,
      label: () => methodName(value),
      about: methodAbout(value) ? () => methodAbout(value) ?? "" : undefined,
      price: () => prices.describe(value),
      icon: methodIcon(value),
    }));
    method.show(tiles, route.transferMethod);
    amounts.setCurrencies("send", sources, route.source);
    amounts.setCurrencies("receive", destinations, route.destination);
    if (form.body.contains(amounts.element)) return;
    const where = field(country, { label: () => t("amount.country"), bare: true });
    form.body.replaceChildren(where.element, method.element, amounts.element);
  }

  function readAndQuote(by: Side, delayMs = 0): void {
    const amount = readAmount(by);
    checkout.change({ quoteBy: by === "send" ? "SEND_AMOUNT" : "RECEIVE_AMOUNT", amount });
    if (amount === undefined) amounts.setText(otherSide(by), "");
    else if (by === "send") lastSend = amounts.text(by);
    void quotes.fetch(delayMs);
  }

  /** Reads a side and shows its problem; that of an empty amount only if it is `required`. */
  function readAmount(by: Side, required = false): MinorUnits | undefined {
    const { route } = checkout.state;
    if (!route) return undefined;
    const currency = currencyOf(by, route);
    const parsed = parseTypedAmount(amounts.text(by), currency);
    if ("value" in parsed) {
      const problem = by === "send" ? limitText({ value: parsed.value, currency }) : undefined;
      amounts.setProblem(by, problem);
      return problem ? undefined : parsed.value;
    }
    const isTolerated = parsed.problem === "empty" && !required;
    amounts.setProblem(by, isTolerated ? undefined : () => problemText(parsed, currency));
    return undefined;
  }

  function showQuote(): void {
    const { quote, quoteError, quoting } = checkout.state;
    amounts.setStale(quoting ? otherSide(side()) : undefined);
    if (!quoting && form.body.contains(amounts.element)) endWaiting();
    if (!limitText(quote?.sendAmount)) prices.update();
    if (quote && !quoting) {
      const computed = side() === "send" ? quote.receiveAmount : quote.sendAmount;
      if (computed) amounts.setText(otherSide(side()), inputAmount(computed));
      const problem = limitText(quote.sendAmount);
      if (problem) amounts.setProblem(side(), problem);
    }
    if (quoteError === shownError) return;
    const isRepeated = [shownError, quoteError].every((error) => error !== undefined && isRetryable(error));
    shownError = quoteError;
    // Automatic retries report the same error once.
    if (isRepeated && !priceSlot.isEmpty) return;
    if (quoteError === undefined) return priceSlot.clear();
    amounts.setText(otherSide(side()), "");
    priceSlot.show(errorNotice(quoteError, waysOn(quoteError)));
  }

  function waysOn(error: unknown): Action[] {
    const isBySendOnly = isRemitError(error) && error.resolution === "quote_by_send_amount";
    if (!isBySendOnly) return [retry(() => void quotes.fetch())];
    const quoteBySend = () => {
      amounts.setText("receive", "");
      amounts.setText("send", lastSend);
      choose({});
      amounts.focus("send");
    };
    return [action("amount.by_send", quoteBySend)];
  }

  async function finish(): Promise<void> {
    const isWrong = readAmount(side(), true) === undefined;
    app.markProblem(isWrong);
    if (isWrong) return amounts.focusProblem(side());
    if (!checkout.state.quote || checkout.state.quoting) {
      await whileBusy(form.submit, () => t("action.pricing"), () => quotes.fetch());
    }
    const { quote } = checkout.state;
    if (hasLeft || !quote) return;
    if (limitText(quote.sendAmount)) amounts.focusProblem(side());
    else app.go("recipient");
  }

  const stopWatching = checkout.watch(showQuote);
  const stopLanguage = onLanguage(() => {
    showChoices();
    // The typed text may be invalid in the other language.
    showAmount();
  });
  const openTransfers = button(() => t("transfers.title"), () => app.go("transfers"));
  return form.step({
    title: () => t("amount.title"),
    about: () => t("amount.about"),
    actions: [openTransfers, form.submit],
    enter() {
      if (checkout.state.route) showRoute();
      else load();
    },
    leave() {
      hasLeft = true;
      prices.stop();
      form.leave();
      stopWatching();
      stopLanguage();
    },
  });
}

function problemText(parsed: Exclude<ParsedAmount, { value: MinorUnits }>, currency: Currency): string {
  const { iso3Code, decimalPlaces: places } = currency;
  switch (parsed.problem) {
    case "empty":
      return t("amount.problem.empty");
    case "decimals":
      return [
        parsed.meant && t("amount.meant", { example: parsed.meant }),
        t(`amount.problem.${places === 0 ? "whole" : "decimals"}`, { currency: iso3Code, places }),
      ].filter(Boolean).join(" ");
    case "separator":
      return t(`amount.problem.${decimalSeparator() === "." ? "point" : "comma"}`, parsed);
    case "invalid":
      return t("amount.problem.invalid", { example: exampleAmount("1250", currency) });
  }
}

function exampleAmount(decimal: string, currency: Currency): string {
  return inputAmount({ value: toMinorUnits(decimal, currency), currency });
}

function rangeValues({ currency, min, max }: Limits): { min: string; max: string } {
  return { min: money({ value: Number(min), currency }), max: money({ value: Number(max), currency }) };
}

function otherSide(side: Side): Side {
  return side === "send" ? "receive" : "send";
}
