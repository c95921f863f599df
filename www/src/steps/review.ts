import { isRemitError, type FieldForm, type Quote, type RemitError, type Transfer, type TransferAttempt, type TransferRequest } from "remitkit";
import { money } from "../amounts";
import type { Another } from "../earlier";
import { isRetryable } from "../errors";
import { currentLocale, t } from "../messages";
import { kit, serviceNow } from "../remit";
import { corridorQuery } from "../routes";
import { alone, connectionBack, isOpen, othersDone, unsettledNotice } from "../sending";
import { forgetSent, rememberSent, sentOf, type Sent } from "../sent";
import { button, isBusy, setBusy, submitButton } from "../ui/button";
import { h, on, relabel, untilSeen } from "../ui/dom";
import { FieldFormView } from "../ui/field_form";
import { endWaiting, showWaiting } from "../ui/loading";
import { errorNotice, type Action } from "../ui/notice";
import { PICKUP_SET } from "./pickup";
import { priceFacts, priceNotice, renewedNotice, type PriceCause, reviewFacts } from "./review_facts";
import type { App, Step } from "./step";

const FORM = "review-form";
const PAYER_LIMITS = ["MinCashPayerTransactionLimitNotReached", "MaxCashPayerTransactionLimitExceeded"];

/** Everything once more with the final price; then the money is sent, once. */
export function reviewStep(app: App): Step {
  const { checkout, quotes, earlier } = app;
  const slot = app.headSlot();
  const newPriceSlot = app.headSlot();
  const body = h("div", { class: "stack" });
  const price = h("dl", { class: "facts price-first" });
  // What may be left out is folded.
  const fold = h("div");
  const submit = submitButton(() => t("review.pricing"), FORM);
  const goBack = () => app.go("account");
  const back = button(() => t("action.back"), goBack);
  const panel = on(h("form", { id: FORM, novalidate: true, class: "stack" }, slot.element, body), {
    submit: (event) => void finish(event),
  });
  const leaving = new AbortController();
  const { signal } = leaving;
  let form: FieldForm | undefined;
  let view: FieldFormView | undefined;
  // The price that the customer has seen; whatever differs from it is said before anything is sent.
  let seen = checkout.state.quote;
  let seenFor = checkout.state.quotedFor;
  let isPricing = true;
  let isTurnOfOthers = false;
  // A price that could not be had in time may come later.
  let isMissed = false;
  let waiting = new AbortController();
  let turn = 0;

  const another: Another = { words, send: () => panel.requestSubmit() };
  // Beside an earlier transfer that is open or made, "nothing" would be false of it.
  const notYet = () => t(earlier.isBlocking ? "review.notyet.this" : "review.notyet");
  const stopWatching = earlier.watch(() => {
    showSend();
    for (const place of [slot, newPriceSlot]) relabel(place.element);
  });
  const stopTaking = checkout.watch(takeMissed);

  /**
   * Fetches the final price, the one for the account itself, unless it is `given`, and the transfer's fields.
   * A customer who has `asked` for it is led to what changed.
   */
  async function load(asked: boolean, given?: Quote, cause?: PriceCause): Promise<void> {
    waiting.abort();
    isMissed = false;
    slot.clear();
    isPricing = true;
    showSend();
    if (!view) showWaiting(body, 4, goBack);
    const [quote, problem] = await Promise.all([given ? quotes.take(given) : quotes.ask(), view ? undefined : fetchFields()]);
    if (signal.aborted) return;
    isPricing = false;
    endWaiting();
    if (body.querySelector(".skeleton")) {
      const once = h("p", { class: "muted" }, () => t("review.once"));
      body.replaceChildren(newPriceSlot.element, price, reviewFacts(app), fold, once);
    }
    if (quote) {
      price.replaceChildren(...priceFacts(quote));
      const changes = seen && priceNotice(seen, quote, notYet, seenFor === checkout.state.quotedFor ? cause : "account");
      if (changes && asked) newPriceSlot.show(changes);
      else if (changes) newPriceSlot.put(changes);
      seen = quote;
      seenFor = checkout.state.quotedFor;
    }
    showSend();
    if (quote && form) return;
    const error = problem ?? checkout.state.quoteError;
    const again = { label: () => t("action.again"), run: () => void load(asked) };
    slot.show(errorNotice(error, isRetryable(error) ? [again, changeAmount()] : waysOn(isRemitError(error) ? error : undefined)));
    if (problem !== undefined && isRetryable(error)) void goOn(() => void load(asked));
    else isMissed = true;
  }

  /** Takes a price that came after all. */
  function takeMissed(): void {
    const { quote, quoting } = checkout.state;
    if (!isMissed || !quote || quoting) return;
    isMissed = false;
    void load(false, quote);
  }

  /** Does once more by itself what the connection prevented, unless something else is done before. */
  async function goOn(work: () => void): Promise<void> {
    waiting = new AbortController();
    const own = waiting;
    await connectionBack(turn, own.signal);
    turn += 1;
    if (!own.signal.aborted && !signal.aborted) work();
  }

  async function fetchFields(): Promise<unknown> {
    const { route, transferValues } = checkout.state;
    if (!route) return undefined;
    try {
      const remit = await kit();
      form = await remit.transferFields(corridorQuery(route), { signal });
      view = new FieldFormView(form, transferValues, { countryIso3Code: route.country.iso3Code }, undefined, { shows: (set) => set !== PICKUP_SET });
      if (view.needsNothing) fold.replaceChildren(h("details", { class: "aside-note" }, h("summary", {}, () => t("review.more")), view.element));
      else fold.replaceChildren(view.element);
      return undefined;
    } catch (error) {
      return error;
    }
  }

  async function finish(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (earlier.isBlocking) earlier.lead();
    if (isBusy(submit) || !view) return;
    slot.clear();
    if (!view.check()) return;
    const request = transferRequest();
    const { quote, recipient, account } = checkout.state;
    if (!request || !quote || !recipient) return;
    waiting.abort();
    slot.clear();
    newPriceSlot.clear();
    lock(true);
    try {
      if (!navigator.onLine) throw new Error("The browser is offline.");
      const sent = sentOf(quote, Date.now(), recipient.name, account?.ending);
      const how = await alone(() => send(request, sent), "others" as const);
      if (how === "sent") return;
      lock(false);
      if (how === "others") await waitForOthers();
      if (earlier.isBlocking && !signal.aborted) earlier.lead();
    } catch (error) {
      await failed(error);
    }
  }

  /** Sends, unless something has to be settled or confirmed before. */
  async function send(request: TransferRequest, sent: Sent): Promise<"sent" | "blocked"> {
    await earlier.look(true);
    if (earlier.isBlocking) return "blocked";
    const remit = await kit();
    const attempt = await remit.prepareTransfer(request);
    rememberSent(sent);
    checkout.change({ attempt, sent });
    arrived(await attempt.submit());
    void untilSeen().then(() => attempt.acknowledge()).catch(() => {});
    return "sent";
  }

  async function waitForOthers(): Promise<void> {
    isTurnOfOthers = true;
    showSend();
    await othersDone(signal).catch(() => {});
    await look();
    isTurnOfOthers = false;
    showSend();
  }

  /** What cannot be learnt now is asked again before anything is sent. */
  async function look(): Promise<void> {
    await earlier.look().catch(() => {});
  }

  function arrived(transfer: Transfer): void {
    earlier.dropRefused();
    checkout.change({ transfer, attempt: undefined, sending: false });
    app.go("done");
  }

  /** Goes on with the one attempt there is, for another one could pay twice, until its outcome is known. */
  async function settle(attempt: TransferAttempt, unknown: unknown): Promise<void> {
    let pause = new AbortController();
    setBusy(submit, true, () => t("review.unknown"));
    slot.show(unsettledNotice(unknown, () => pause.abort()));
    for (let turn = 0; ; turn += 1) {
      await connectionBack(turn, pause.signal);
      pause = new AbortController();
      try {
        // Never called off: who leaves has nothing sent again.
        arrived(await attempt.resume());
        return;
      } catch (error) {
        if (!isOpen(error)) {
          await failed(error);
          return;
        }
      }
    }
  }

  async function failed(error: unknown): Promise<void> {
    const known = isRemitError(error) ? error : undefined;
    const { attempt, sent } = checkout.state;
    if (known?.kind === "outcome_unknown" && attempt) {
      await settle(attempt, known);
      return;
    }
    if (sent) forgetSent(sent.quoteHistoryId);
    checkout.change({ attempt: undefined, sent: undefined });
    lock(false);
    if (known?.resolution === "fetch_new_quote") {
      await load(true, known.quote, "moved");
      // The reason is worth saying where the figures alone do not.
      if (!signal.aborted && !newPriceSlot.element.hasChildNodes() && !slot.element.hasChildNodes()) slot.show(renewedNotice(error, notYet));
      return;
    }
    if (known?.problems && view?.show(known.problems)) return;
    if (!isRetryable(error)) {
      slot.show(errorNotice(error, waysOn(known), () => t("review.nothing")));
      return;
    }
    const again = () => panel.requestSubmit();
    slot.show(errorNotice(error, [{ label: () => t("action.again"), run: again }, changeAmount()], nothingSent));
    void goOn(again);
  }

  /** That no money moved, until when the price is held, and that Send goes on. */
  function nothingSent(): string {
    const left = Date.parse(checkout.state.quote?.expirationDate ?? "") - serviceNow();
    const time = left > 0 && new Date(Date.now() + left).toLocaleTimeString(currentLocale(), { timeStyle: "short" });
    return [t("review.nothing"), time && t("review.held", { time }), navigator.onLine && t("review.goes_on")].filter(Boolean).join(" ").replace("..", ".");
  }

  // A new price is offered where it can help: the amount is not what stands in the way.
  function waysOn(error: RemitError | undefined): Action[] {
    if (PAYER_LIMITS.includes(error?.code ?? "")) return [{ label: () => t("review.pickup.another"), run: goBack }, changeAmount()];
    if (error?.kind === "limit") return [changeAmount()];
    switch (error?.resolution) {
      case "wait_for_reset":
      case "choose_another_corridor":
        return [changeAmount()];
      case "fund_account":
        return [{ label: () => t("action.again"), run: () => panel.requestSubmit() }, changeAmount()];
      case "use_another_card":
      case "start_new_card_session":
        return [{ label: () => t("card.another"), run: otherAccount }];
      default:
        return [newPrice(), changeAmount()];
    }
  }

  function newPrice(): Action {
    return { label: () => t("review.newquote"), run: () => void load(true) };
  }

  function changeAmount(): Action {
    return { label: () => t("review.amount"), run: () => app.go("amount") };
  }

  function otherAccount(): void {
    checkout.change({ account: undefined });
    app.go("account");
  }

  function transferRequest(): TransferRequest | undefined {
    const { route, recipient, account, pickup, quote, quoteBy, amount } = checkout.state;
    if (!route || !recipient || !quote || amount === undefined || !form || !view) return undefined;
    return {
      ...corridorQuery(route),
      srcCurrencyIso3Code: route.source.iso3Code,
      quoteBy,
      amount,
      quoteHistoryId: quote.quoteHistoryId,
      recipientId: recipient.id,
      ...(account ? { recipientAccountId: account.id } : {}),
      fields: form.toFields({ ...pickup?.values, ...view.values() }),
    };
  }

  /** Says on Send what it would do, or what it waits for. */
  function showSend(): void {
    const { quote, sending } = checkout.state;
    if (sending || signal.aborted) return;
    // Both can be wanted as soon as this one can be sent.
    earlier.offer(isPricing || isTurnOfOthers || !quote || !form ? undefined : another);
    if (isPricing) setBusy(submit, true, () => t("review.pricing"));
    else if (!quote || !form) setBusy(submit, true, () => t("review.noprice"));
    else if (earlier.isBlocking || isTurnOfOthers) setBusy(submit, true, () => t("review.waits"));
    else setBusy(submit, false, () => t("review.send", { total: money(quote.totalCost ?? quote.sendAmount) }));
  }

  function words(): string {
    const { quote, recipient } = checkout.state;
    return t("sent.short", { amount: money(quote?.sendAmount), recipient: recipient?.name ?? "" });
  }

  function lock(locked: boolean): void {
    checkout.change({ sending: locked });
    back.disabled = locked;
    panel.toggleAttribute("data-locked", locked);
    // A field changed now would not be in what is being sent.
    if (view) view.element.inert = locked;
    if (locked) setBusy(submit, true, () => t("review.sending"));
    else showSend();
  }

  return {
    title: () => t("review.title"),
    about: () => t("review.about"),
    panel,
    actions: [back, submit],
    enter() {
      void look();
      void load(false);
    },
    renew: () => void load(false, undefined, "ended"),
    leave() {
      if (view) checkout.change({ transferValues: view.values() });
      leaving.abort();
      stopWatching();
      stopTaking();
      waiting.abort();
      earlier.offer(undefined);
    },
  };
}
