import { isRemitError, type Quote, type RemitError, type Transfer } from "remitkit";
import type { TransferAttempt, TransferRequest } from "remitkit";
import { money } from "../amounts";
import type { NextTransfer } from "../earlier_transfers";
import { isRetryable } from "../errors";
import { currentLocale, t } from "../messages";
import { kit, serviceNow } from "../remit";
import { corridorQuery } from "../routes";
import { otherTabsDone, retryPause, withSendLock } from "../sending";
import { forgetSent, rememberSent, sentTransfer, type SentTransfer } from "../sent_transfers";
import { setBusy } from "../ui/button";
import { Disclosures } from "../ui/disclosures";
import { h, on, refreshTexts, untilSeen } from "../ui/dom";
import type { Fields, FieldsOptions } from "../ui/fields";
import { action, errorNotice, retry, type Action } from "../ui/notice";
import { PICKUP_SET } from "./pickup";
import { priceFacts, priceNotice, renewedNotice, reviewFacts, type PriceCause } from "./review_facts";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

const PAYOUT_LIMITS = ["MinCashPayerTransactionLimitNotReached", "MaxCashPayerTransactionLimitExceeded"];

/** The whole transfer with its final price. From here the money is sent, once. */
export function reviewStep(app: App): Step {
  const { checkout, quotes, earlier } = app;
  const form = new StepForm(app, "review-form", finish, { back: "account", keptAs: "transfer" });
  const { slot, submit, panel } = form;
  const leaving = new AbortController();
  const { signal } = leaving;
  // Send is busy meanwhile.
  on(panel, { submit: () => earlier.isBlocking && earlier.focus() });
  const priceSlot = app.createHeadSlot();
  const price = h("dl.facts.price-first");
  const disclosures = new Disclosures("quote", () => t("review.disclosures"));
  /** The price that the customer has seen, and its account. Any change is announced before sending. */
  let seen = checkout.state.quote;
  let seenFor = checkout.state.quotedFor;
  let isPricing = true;
  let isOtherTabSending = false;
  /** Whether the card was refused. Sending with it again would fail again. */
  let isCardRefused = false;
  /** Whether the price failed to load. A background retry may still bring it. */
  let isPriceMissing = false;
  let retrying = new AbortController();
  let failures = 0;

  const next: NextTransfer = { description, send: () => panel.requestSubmit() };
  // Beside an earlier transfer that may have been made, "nothing" would be wrong.
  const notSent = () => t(earlier.isBlocking ? "review.notyet.this" : "review.notyet");
  const stopWatchingEarlier = earlier.watch(() => {
    showSend();
    for (const { element } of [slot, priceSlot]) refreshTexts(element);
  });
  const stopWatchingCheckout = checkout.watch(() => {
    const { quote, quoting } = checkout.state;
    if (isPriceMissing && quote && !quoting) void reprice(false, quote);
  });

  function load(): void {
    const { route, values } = checkout.state;
    if (!route) return;
    const options: FieldsOptions = {
      query: corridorQuery(route),
      values: values.transfer,
      country: route.country,
      filter: (_, { fieldSetId }) => fieldSetId !== PICKUP_SET,
    };
    void form.loadFields("transfer", options, () => reprice(false), () => {
      if (!form.fields) return;
      const once = h("p.muted", () => t("review.once"));
      const extras = extrasOf(form.fields);
      form.show(priceSlot.element, price, reviewFacts(app), extras, disclosures.element, once);
      showSend();
    });
  }

  /**
   * Fetches the final price, unless it is `given`. A customer who `asked` for it is led to what changed.
   */
  async function reprice(asked: boolean, given?: Quote, cause: PriceCause = "moved"): Promise<void> {
    retrying.abort();
    isPriceMissing = false;
    slot.clear();
    isPricing = true;
    showSend();
    const quote = given ? quotes.take(given) : await quotes.fetch();
    if (signal.aborted) return;
    isPricing = false;
    isPriceMissing = quote === undefined;
    showSend();
    if (quote) return showPrice(quote, asked, cause);
    const error = checkout.state.quoteError;
    const ways = isRetryable(error) ? [retry(() => void reprice(asked)), changeAmount()] : waysOn(error as RemitError);
    slot.show(errorNotice(error, ways));
  }

  function showPrice(quote: Quote, asked: boolean, cause: PriceCause): void {
    const { quotedFor } = checkout.state;
    price.replaceChildren(...priceFacts(quote));
    disclosures.show(quote.disclosures);
    const changes = seen && priceNotice(seen, quote, notSent, seenFor === quotedFor ? cause : "account");
    if (changes && asked) priceSlot.show(changes);
    else if (changes) priceSlot.put(changes);
    seen = quote;
    seenFor = quotedFor;
  }

  /** Repeats work after a connection problem, unless the customer does something else before. */
  async function retryLater(work: () => void): Promise<void> {
    retrying = new AbortController();
    const own = retrying;
    await retryPause(failures, own.signal);
    failures += 1;
    if (!own.signal.aborted && !signal.aborted) work();
  }

  /** Returns the transfer's fields, folded up if none is needed. */
  function extrasOf({ element, isOptional }: Fields): HTMLElement {
    return isOptional ? h("details.aside-note", h("summary", () => t("review.more")), element) : element;
  }

  async function finish(): Promise<void> {
    const request = transferRequest();
    const { quote, recipient, account, pickup } = checkout.state;
    if (!request || !quote || !recipient) return;
    retrying.abort();
    priceSlot.clear();
    setSending(true);
    try {
      const { ending, name, bank } = account ?? {};
      const named = { recipient: recipient.name, account: { ending, name, bank }, pickup: pickup?.address };
      const sent = sentTransfer(quote, Date.now(), named);
      const result = await withSendLock(() => send(request, sent), "locked" as const);
      if (result === "sent") return;
      setSending(false);
      if (result === "locked") await waitForOtherTabs();
      if (earlier.isBlocking && !signal.aborted) earlier.focus();
    } catch (error) {
      await handleFailure(error);
    }
  }

  /** Sends, unless an earlier transfer has to be settled or confirmed before. */
  async function send(request: TransferRequest, sent: SentTransfer): Promise<"sent" | "blocked"> {
    await earlier.refresh(true);
    if (earlier.isBlocking) return "blocked";
    const attempt = await (await kit()).prepareTransfer(request);
    rememberSent(sent);
    checkout.change({ attempt, sent });
    showTransfer(await attempt.submit());
    void untilSeen().then(() => attempt.acknowledge()).catch(() => {});
    return "sent";
  }

  async function waitForOtherTabs(): Promise<void> {
    isOtherTabSending = true;
    showSend();
    await otherTabsDone(signal).catch(() => {});
    await refreshEarlier();
    isOtherTabSending = false;
    showSend();
  }

  /** Ignores failures: Send refreshes again before it sends. */
  async function refreshEarlier(): Promise<void> {
    await earlier.refresh().catch(() => {});
  }

  function showTransfer(transfer: Transfer): void {
    earlier.dropRefused();
    checkout.change({ transfer, attempt: undefined, sending: false });
    app.go("done");
  }

  /** Waits with the earlier transfers until the outcome is known: a second attempt could pay twice. */
  async function reconcile(attempt: TransferAttempt, sent: SentTransfer, cause: unknown): Promise<void> {
    setBusy(submit, true, () => t("review.unknown"));
    earlier.offer(undefined);
    try {
      const transfer = await earlier.settle(attempt, sent, cause);
      if (transfer) showTransfer(transfer);
    } catch (error) {
      await handleFailure(error);
    }
  }

  async function handleFailure(error: unknown): Promise<void> {
    const known = isRemitError(error) ? error : undefined;
    const { attempt, sent } = checkout.state;
    if (known?.kind === "outcome_unknown" && attempt && sent) return reconcile(attempt, sent, known);
    // What is still prepared is discarded before the next one is sent.
    if (sent && attempt?.state !== "PREPARED") forgetSent(sent.quoteHistoryId);
    checkout.change({ attempt: undefined, sent: undefined });
    setSending(false);
    if (known?.resolution === "fetch_new_quote") {
      await reprice(true, known.quote);
      if (!signal.aborted && priceSlot.isEmpty && slot.isEmpty) slot.show(renewedNotice(error, notSent));
      return;
    }
    if (known && form.fields?.form.show(known)) return;
    const again = () => panel.requestSubmit();
    const ways = isRetryable(error) ? [retry(again), changeAmount()] : waysOn(known);
    slot.show(errorNotice(error, ways, isRetryable(error) ? nothingSent : () => t("review.nothing")));
    if (isRetryable(error)) void retryLater(again);
  }

  /** Says that no money moved, how long the price is held, and that Send continues by itself. */
  function nothingSent(): string {
    const heldMs = Date.parse(checkout.state.quote?.expirationDate ?? "") - serviceNow();
    const until = new Date(Date.now() + heldMs).toLocaleTimeString(currentLocale(), { timeStyle: "short" });
    const held = heldMs > 0 && t("review.held", { time: until });
    const sentences = [t("review.nothing"), held, navigator.onLine && t("review.goes_on")];
    // A time can end in "p.m.", just before the full stop.
    return sentences.filter(Boolean).join(" ").replace("..", ".");
  }

  /** Returns the ways to go on after an error. A new price is offered only where it can help. */
  function waysOn(error: RemitError | undefined): Action[] {
    const isPayoutLimit = PAYOUT_LIMITS.includes(error?.code ?? "");
    if (isPayoutLimit) return [action("review.pickup.another", () => form.goBack()), changeAmount()];
    if (error?.kind === "limit") return [changeAmount()];
    if (error?.kind === "card") {
      isCardRefused = true;
      showSend();
      return [action("card.another", useAnotherAccount)];
    }
    switch (error?.resolution) {
      case "wait_for_reset":
      case "choose_another_corridor":
        return [changeAmount()];
      case "fund_account":
        return [retry(() => panel.requestSubmit()), changeAmount()];
      default:
        return [action("review.newquote", () => void reprice(true)), changeAmount()];
    }
  }

  function changeAmount(): Action {
    return action("review.amount", () => app.go("amount"));
  }

  function useAnotherAccount(): void {
    checkout.change({ account: undefined });
    app.go("account");
  }

  function transferRequest(): TransferRequest | undefined {
    const { route, recipient, account, pickup, quote, quoteBy, amount } = checkout.state;
    const values = form.checkedValues();
    if (!route || !recipient || !quote || amount === undefined || !form.fields || !values) return undefined;
    return {
      ...corridorQuery(route),
      srcCurrencyIso3Code: route.source.iso3Code,
      quoteBy,
      amount,
      quoteHistoryId: quote.quoteHistoryId,
      recipientId: recipient.id,
      ...(account ? { recipientAccountId: account.id } : {}),
      fields: form.fields.form.definition?.toFields({ ...pickup?.values, ...values }) ?? [],
    };
  }

  /** Labels Send with what it does or what it waits for. */
  function showSend(): void {
    const { quote, sending } = checkout.state;
    if (sending || signal.aborted) return;
    const isReady = !isPricing && quote !== undefined && form.fields !== undefined;
    // Sending both is offered as soon as this transfer can be sent.
    earlier.offer(isReady && !isOtherTabSending ? next : undefined);
    if (isPricing) setBusy(submit, true, () => t("review.pricing"));
    else if (isCardRefused) setBusy(submit, true, () => t("review.card"));
    else if (!isReady) setBusy(submit, true, () => t("review.noprice"));
    else if (earlier.isBlocking || isOtherTabSending) setBusy(submit, true, () => t("review.waits"));
    else {
      const { totalCost, sendAmount } = quote;
      setBusy(submit, false, () => t("review.send", { total: money(totalCost ?? sendAmount) }));
    }
  }

  function description(): string {
    const { quote, recipient } = checkout.state;
    return t("sent.short", { amount: money(quote?.sendAmount), recipient: recipient?.name ?? "" });
  }

  /** Locks or unlocks the step: a field that changes while sending would not be part of the transfer. */
  function setSending(sending: boolean): void {
    checkout.change({ sending });
    form.back.disabled = sending;
    for (const link of panel.querySelectorAll<HTMLButtonElement>(".fact button")) link.disabled = sending;
    if (form.fields) form.fields.element.inert = sending;
    if (sending) setBusy(submit, true, () => t("review.sending"));
    else showSend();
  }

  return form.step({
    title: () => t("review.title"),
    about: () => t("review.about"),
    enter() {
      void refreshEarlier();
      load();
    },
    renewQuote: () => void reprice(false, undefined, "ended"),
    leave() {
      leaving.abort();
      form.leave();
      stopWatchingEarlier();
      stopWatchingCheckout();
      retrying.abort();
      earlier.offer(undefined);
    },
  });
}
