import { isRemitError, parseAmount, type Amount, type Currency } from "remitkit";
import { defineRemitAmount, type AmountLimitsOf } from "remitkit/fields";
import { countryName, inputAmount } from "../amounts";
import { deliveryTexts } from "../delivery";
import { restoredState } from "../draft";
import { isRetryable } from "../errors";
import { currentLocale, t } from "../messages";
import { methodIcon } from "../methods";
import { kit, readConfig } from "../remit";
import { inOrder, preferenceOf, resolveRoute, type RoutePreference } from "../routes";
import type { EnteredAmount } from "../state";
import { button, whileBusy } from "../ui/button";
import { h, live, on } from "../ui/dom";
import { field, fillSelect } from "../ui/field";
import { icon } from "../ui/icons";
import { endWaiting } from "../ui/loading";
import { action, errorNotice, retry } from "../ui/notice";
import { given, type App, type Step } from "./step";
import { StepForm } from "./step_form";

defineRemitAmount();

const FIRST_COUNTRY = "MEX";
const FIRST_AMOUNT = "200";
/** From this part of the most on, an amount is near its limit. */
const NEAR = 0.75;
/** From these lengths on a figure is long. */
const LONG = 9;
const LONGEST = 13;
const CHOICES = { compare: true, currencies: true, "refresh-expired": true, required: true };

/** Where the money goes, how, and how much; the price follows the input. */
export function amountStep(app: App): Step {
  const { checkout, quotes, priceSlot } = app;
  const country = h("select", { name: "country" });
  const where = field(country, { label: () => t("amount.country"), bare: true });
  // The page has a summary of its own. Connected before there is a kit, so that what it needs loads meanwhile.
  const amount = h("remit-amount", { shadow: "none", hidden: true, ...CHOICES }, h("span", { slot: "summary" }));
  const form = new StepForm(app, "amount-form", finish);
  form.panel.append(amount);
  on(country, { change: () => choose({ country: country.value }) });
  on(amount, {
    change: () => choose({ transferMethod: amount.method, source: amount.send, destination: amount.receive }),
  });
  amount.addEventListener("pricechanged", takePrice);
  amount.addEventListener("error", ({ detail }) => showError(detail));
  amount.addEventListener("input", fitLengths);
  let isChanged = false;
  amount.addEventListener("input", () => (isChanged = true));
  // Of a changed route, unless the element shows no amount yet.
  on(form.panel, { change: () => (isChanged ||= typed() !== "") });
  let limitsOf: AmountLimitsOf | undefined;
  void amountLimits().then((limits) => Object.assign(amount, { limits: (limitsOf = limits) }), () => {});
  let shownError: unknown;

  function load(): void {
    void form.load((remit) => remit.corridors(), (corridors) => {
      checkout.change({ corridors });
      form.submit.hidden = false;
      void restoreDraft().then((isRestored) => !isRestored && show());
    });
  }

  /** Continues the checkout of a page that was reloaded at a later step. Returns whether there was one. */
  async function restoreDraft(): Promise<boolean> {
    const { draft } = app;
    const resolved = draft && resolveRoute(checkout.state.corridors, draft.preference);
    if (!resolved || checkout.state.route) return false;
    checkout.change({ ...restoredState(draft), route: resolved.route });
    if (draft.step === "amount") return false;
    await quotes.fetch();
    // Recipient and account are created again, so the customer passes each later step again.
    if (!form.signal.aborted) app.go("recipient");
    return true;
  }

  function show(): void {
    const { corridors, route, amount: value, entered, account } = checkout.state;
    quotes.cancel();
    choose(route ? {} : { country: FIRST_COUNTRY });
    const { quoteBy } = entered ?? checkout.state;
    const currency = quoteBy === "SEND_AMOUNT" ? route?.source : route?.destination;
    const known = currency && value !== undefined ? inputAmount({ value, currency }) : FIRST_AMOUNT;
    const text = entered ? inLanguage(entered, currency) : known;
    Object.assign(amount, { quoteBy, amount: text, corridor: inOrder(corridors), recipientAccountId: account?.id });
    form.body.replaceChildren(where.element, amount);
    amount.hidden = false;
    live(amount, () => {
      Object.assign(amount, { lang: currentLocale(), remit: kit(), messages: deliveryTexts() });
      showCountries();
    });
  }

  /** Takes the route nearest to what the customer chose. */
  function choose(preference: RoutePreference): void {
    const { corridors, route: before } = checkout.state;
    const { route } = resolveRoute(corridors, { ...(before && preferenceOf(before)), ...preference }) ?? {};
    if (!route) return form.fail(undefined, load);
    checkout.change({ route });
    const { transferMethod: method, source, destination } = route;
    Object.assign(amount, {
      country: route.country.iso3Code,
      method,
      send: source.iso3Code,
      receive: destination.iso3Code,
    });
  }

  function showCountries(): void {
    const { corridors, route } = checkout.state;
    const { countries = [] } = resolveRoute(corridors, {})?.choices ?? {};
    const options = countries.map((one) => ({ value: one.iso3Code, label: () => countryName(one) }));
    options.sort((a, b) => a.label().localeCompare(b.label()));
    if (route) fillSelect(country, options, route.country.iso3Code);
  }

  function takePrice(): void {
    const { isLoading, quote, quoteBy, error, request, recipientAccountId: quotedFor } = amount;
    for (const method of amount.querySelectorAll("[part=method]")) {
      const name = method.querySelector("input")?.value ?? "";
      if (!method.querySelector("svg")) method.append(icon(methodIcon(name)));
    }
    fitLengths();
    if (quote) amount.toggleAttribute("data-near-limit", isNearLimit(quote.sendAmount));
    if (isLoading) return checkout.change({ quoting: true });
    const price = error ? { quote: undefined } : { quote, quotedFor, quoteBy, amount: request?.amount };
    checkout.change({ quoting: false, quoteError: error, ...price });
    endWaiting();
    showError(error);
  }

  /** Returns what the side says by which the price is. */
  function typed(): string {
    const side = amount.quoteBy === "SEND_AMOUNT" ? "send" : "receive";
    return amount.querySelector<HTMLInputElement>(`[data-side=${side}] input`)?.value ?? "";
  }

  /** Keeps an amount that has no price, and lets none of an earlier one take its place. */
  function keep(): void {
    if (amount.hidden || amount.request) return;
    const { amount: value, entered } = checkout.state;
    const text = typed();
    const isKept = value !== undefined || entered !== undefined;
    if (!isChanged && (isKept || text === "")) return;
    const now = { quoteBy: amount.quoteBy, text, locale: currentLocale() };
    checkout.change({ amount: undefined, entered: now });
  }

  function leave(): void {
    form.leave();
    // It has a price, and no amount is asked for any more.
    if (checkout.state.transfer) return;
    keep();
    checkout.change({ quoting: false, ...(checkout.state.entered && { quote: undefined }) });
  }

  /** Customers far from the limits need not read them. */
  function isNearLimit({ value, currency }: Amount): boolean {
    const { min = 0, max = Infinity } = limitsOf?.(given(app, "route").transferMethod, currency.iso3Code) ?? {};
    return NEAR * Number(value) < Number(min) || Number(value) > NEAR * Number(max);
  }

  /** On narrow screens, long figures are set in a smaller size. */
  function fitLengths(): void {
    for (const input of amount.querySelectorAll<HTMLInputElement>("[part~=input]")) {
      const { length } = input.value;
      input.dataset["long"] = length > LONGEST ? "most" : String(length > LONG);
    }
  }

  function showError(error: unknown): void {
    if (error === shownError) return;
    const isRepeated = [shownError, error].every((one) => one !== undefined && isRetryable(one));
    shownError = error;
    if (error === undefined) return priceSlot.clear();
    // Automatic retries report the same error once.
    if (isRepeated && !priceSlot.isEmpty) return;
    const again = () => amount.refresh();
    const isBySendOnly = isRemitError(error) && error.resolution === "quote_by_send_amount";
    priceSlot.show(errorNotice(error, [isBySendOnly ? action("amount.by_send", again) : retry(again)]));
  }

  async function finish(): Promise<void> {
    const seen = checkout.state.quote;
    // Autofill need not say so.
    if (country.value !== checkout.state.route?.country.iso3Code) choose({ country: country.value });
    if (amount.error?.retryable) amount.refresh();
    while (amount.isLoading) {
      const changed = new Promise((resolve) => amount.addEventListener("pricechanged", resolve, { once: true }));
      await whileBusy(form.submit, () => t("action.pricing"), () => changed);
    }
    if (form.signal.aborted) return;
    const isRight = amount.check();
    app.markProblem(!isRight);
    if (!isRight) return;
    checkout.agree(seen);
    app.go("recipient");
  }

  const openTransfers = button(() => t("transfers.title"), () => app.go("transfers"));
  return form.step({
    title: () => t("amount.title"),
    about: () => t("amount.about"),
    actions: [openTransfers, form.submit],
    enter: () => (checkout.state.route ? show() : load()),
    keep,
    leave,
    // The element does.
    renewQuote: () => {},
  });
}

/** Returns a typed amount in the notation of the current language; as it is, if it is none. */
function inLanguage({ text, locale }: EnteredAmount, currency: Currency | undefined): string {
  if (!currency || locale === currentLocale()) return text;
  try {
    return inputAmount({ value: parseAmount(text, currency, locale), currency });
  } catch {
    return text;
  }
}

/** Returns the shop's limits by method and currency; none where the service alone decides. */
async function amountLimits(): Promise<AmountLimitsOf> {
  const { limits } = await readConfig();
  return (method, currency) => {
    const own = limits?.[currency];
    return own && { ...own, ...own.methods?.[method] };
  };
}
