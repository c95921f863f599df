import { isRemitError, type FieldValues, type Quote, type RemitError, type Transfer } from "remitkit";
import type { TransferAttempt, TransferRequest } from "remitkit";
import { totalOf } from "../agreed_price";
import { money } from "../amounts";
import { submitForm } from "../compat";
import type { NextTransfer } from "../earlier_transfers";
import { isRetryable } from "../errors";
import { currentLocale, t } from "../messages";
import { kit, serviceNow, serviceTime } from "../remit";
import { corridorQuery } from "../routes";
import { retryPause, withSendLock } from "../sending";
import { forgetSent, rememberSent, type SentTransfer } from "../sent_transfers";
import { button, setBusy } from "../ui/button";
import { h, inPlace, on, refreshTexts, untilSeen, type LiveText } from "../ui/dom";
import type { Fields, FieldsOptions } from "../ui/fields";
import { action, errorNotice, retry } from "../ui/notice";
import { PICKUP_SET } from "./pickup";
import { renewedNotice, reviewFacts, type PriceCause } from "./review_facts";
import { ReviewPrice } from "./review_price";
import { given, type App, type Step } from "./step";
import { StepForm } from "./step_form";

const PAYOUT_LIMITS = ["MinCashPayerTransactionLimitNotReached", "MaxCashPayerTransactionLimitExceeded"];

/** The whole transfer with its final price. From here the money is sent, once. */
export function reviewStep(app: App): Step {
  const { checkout, quotes, earlier } = app;
  const [route, recipient] = [given(app, "route"), given(app, "recipient")];
  const form = new StepForm(app, "review-form", finish, { back: "account" });
  const { slot, submit, panel } = form;
  // Takes the place of Send once the card was refused: sending with it again would fail again.
  const anotherCard = button(() => t("card.another"), useAnotherAccount, "primary");
  anotherCard.hidden = true;
  let attempt: TransferAttempt | undefined;
  let retrying = new AbortController();
  let failures = 0;

  const leaving = new AbortController();
  // Beside an earlier transfer that may have been made, "nothing" would be wrong.
  const notSent = () => t(earlier.isBlocking ? "review.notyet.this" : "review.notyet");
  const around = { submit, notSent, changed: showSend, signal: leaving.signal };
  const price = new ReviewPrice(app, around);
  const { guard } = price;
  on(submit, { click: (event) => guard.takesPress || event.preventDefault() });
  // Send is busy meanwhile.
  on(panel, { submit: explainBusy });
  const next: NextTransfer = { description, send: () => guard.takesPress && submitForm(panel) };
  const showEarlier = () => {
    showSend();
    refreshTexts(slot.element);
    price.refreshTexts();
  };
  const showCheckout = () => {
    const { quoting, sending } = checkout.state;
    const show = () => {
      // What went wrong before is over.
      if (!quoting && !sending && price.update()) slot.clear();
      showSend();
    };
    // Who asked for the price is led to it.
    if (price.expected.asked) show();
    else inPlace(submit, show);
  };
  earlier.addEventListener("change", showEarlier, { signal: leaving.signal });
  checkout.addEventListener("change", showCheckout, { signal: leaving.signal });

  function load(): void {
    const options: FieldsOptions = {
      query: corridorQuery(route),
      country: route.country,
      filter: (_, { fieldSetId }) => fieldSetId !== PICKUP_SET,
    };
    const fetch = () => Promise.all([form.fetchFields("transfer", options, "transfer"), reprice()]);
    void form.load(fetch, () => {
      if (!form.fields) return;
      const once = h("p.muted", () => t("review.once"));
      const extras = extrasOf(form.fields);
      form.show(price.slot.element, price.facts, reviewFacts(app), extras, price.disclosures.element, once);
      guard.restart();
      showSend();
    });
  }

  /** Fetches the final price, unless it is `given`. A customer who `asked` for it is led to what changed. */
  async function reprice(asked = false, cause: PriceCause = "moved", given?: Quote): Promise<void> {
    const { signal } = form;
    retrying.abort();
    slot.clear();
    price.expected = { cause, asked };
    if (given) return quotes.take(given, checkout.state.account?.id);
    await quotes.fetch();
    const { quoteError: error } = checkout.state;
    if (signal.aborted || error === undefined) return;
    const again = [retry(() => void reprice(asked)), changeAmount()];
    slot.show(errorNotice(error, isRetryable(error) ? again : waysOn(error as RemitError)));
  }

  /** Leads from a press of Send to what it waits for. */
  function explainBusy(): void {
    if (!guard.isSettling && !price.leadToAccept() && earlier.isBlocking) earlier.focus();
  }

  /** Returns the transfer's fields, folded up if none is needed. */
  function extrasOf({ element, isOptional }: Fields): HTMLElement {
    return isOptional ? h("details.aside-note", h("summary", () => t("review.more")), element) : element;
  }

  async function finish(): Promise<void> {
    const values = form.checkedValues();
    const { account: { ending, name, bank } = {}, pickup } = checkout.state;
    const { payable: quote } = price;
    const request = quote && values && requestFor(quote, values);
    if (!quote || !request) return;
    const { quoteHistoryId, sendAmount: amount } = quote;
    const named = { recipient: recipient.name, account: { ending, name, bank }, pickup: pickup?.address };
    const sent: SentTransfer = { quoteHistoryId, at: Date.now(), amount, ...named };
    retrying.abort();
    price.slot.clear();
    setSending(true);
    let transfer: Transfer | undefined;
    let failure: unknown;
    try {
      transfer = await withSendLock(() => send(request, sent));
      if (!transfer) {
        setSending(false);
        return earlier.focus();
      }
    } catch (error) {
      failure = error;
    }
    if (attempt && isRemitError(failure) && failure.kind === "outcome_unknown") {
      // Waits with the earlier transfers until the outcome is known: a second attempt could pay twice.
      setBusy(submit, true, () => t("review.unknown"));
      earlier.offer(undefined);
      const settled = await earlier.settle(attempt, sent, failure);
      if (!settled) return;
      ({ transfer, error: failure } = settled);
    }
    // Outside of the try: a fault of the page that shows a transfer must not count as one that was not made.
    if (transfer) return showTransfer(transfer, sent);
    // What is still prepared is discarded before the next one is sent.
    if (attempt && attempt.state !== "PREPARED") forgetSent(quoteHistoryId);
    setSending(false);
    if (isRemitError(failure) && failure.code === "PaymentInProgress") return showEarlierAttempt();
    await showFailure(failure);
  }

  /** Leads to an attempt of this checkout that a tab with its copy may have sent. */
  async function showEarlierAttempt(): Promise<void> {
    await earlier.refresh().catch(() => {});
    earlier.focus();
  }

  /** Sends, unless an earlier transfer has to be settled or confirmed before: it returns undefined then. */
  async function send(request: TransferRequest, sent: SentTransfer): Promise<Transfer | undefined> {
    attempt = undefined;
    await earlier.refresh(true);
    if (earlier.isBlocking) return undefined;
    const prepared = (attempt = await (await kit()).prepareTransfer(request));
    rememberSent(sent);
    const transfer = await prepared.submit();
    void untilSeen().then(() => prepared.acknowledge()).catch(() => {});
    return transfer;
  }

  function showTransfer(transfer: Transfer, sent: SentTransfer): void {
    earlier.dropRefused();
    checkout.change({ transfer, sent, sending: false });
    app.go("done");
  }

  /** Shows why nothing was sent. After a connection problem Send continues by itself. */
  async function showFailure(error: unknown): Promise<void> {
    const known = isRemitError(error) ? error : undefined;
    if (known?.resolution === "fetch_new_quote") {
      const { signal } = form;
      await reprice(true, "moved", known.quote);
      if (!signal.aborted && !price.hasNotice && slot.isEmpty) slot.show(renewedNotice(error, notSent));
      return;
    }
    if (known && form.fields?.form.show(known)) return;
    const show = (ways: HTMLElement[], prefix: LiveText) => slot.show(errorNotice(error, ways, prefix));
    if (!isRetryable(error)) return show(waysOn(known), () => t("review.nothing"));
    const again = () => submitForm(panel);
    show([retry(again), changeAmount()], nothingSent);
    // Unless the customer does something else before.
    const { signal } = (retrying = new AbortController());
    await retryPause(failures, signal);
    failures += 1;
    if (!signal.aborted) again();
  }

  /** Says that no money moved, how long the price is held, and that Send continues by itself. */
  function nothingSent(): string {
    const heldMs = serviceTime(checkout.state.quote?.expirationDate) - serviceNow();
    const until = new Date(Date.now() + heldMs).toLocaleTimeString(currentLocale(), { timeStyle: "short" });
    const held = heldMs > 0 && t("review.held", { time: until });
    const sentences = [t("review.nothing"), held, navigator.onLine && t("review.goes_on")];
    // A time can end in "p.m.", just before the full stop.
    return sentences.filter(Boolean).join(" ").replace("..", ".");
  }

  /** Returns the ways to go on after an error. A new price is offered only where it can help. */
  function waysOn(error: RemitError | undefined): HTMLElement[] {
    const isPayoutLimit = PAYOUT_LIMITS.includes(error?.code ?? "");
    if (isPayoutLimit) return [action("review.pickup.another", () => form.goBack()), changeAmount()];
    if (error?.kind === "limit") return [changeAmount()];
    if (error?.kind === "card") {
      anotherCard.hidden = false;
      showSend();
      return [action("card.another", useAnotherAccount)];
    }
    switch (error?.resolution) {
      case "wait_for_reset":
      case "choose_another_corridor":
        return [changeAmount()];
      case "read_the_transfer":
        return [action("transfers.title", () => app.go("transfers"))];
      case "fund_account":
        return [retry(() => submitForm(panel)), changeAmount()];
      default:
        return [action("review.newquote", () => void reprice(true)), changeAmount()];
    }
  }

  function changeAmount(): HTMLElement {
    return action("review.amount", () => app.go("amount"));
  }

  function useAnotherAccount(): void {
    checkout.change({ account: undefined });
    app.go("account");
  }

  function requestFor({ quoteHistoryId }: Quote, values: FieldValues): TransferRequest | undefined {
    const { request } = quotes;
    const fields = form.fields?.form.definition?.toFields({ ...checkout.state.pickup?.values, ...values });
    const { paymentId } = checkout.state;
    return request && { ...request, quoteHistoryId, recipientId: recipient.id, fields, paymentId };
  }

  /** Labels Send with what it does or what it waits for. */
  function showSend(): void {
    const { quote, quoting, sending } = checkout.state;
    if (sending) return;
    const isCardRefused = !anotherCard.hidden;
    const isReady = !quoting && !isCardRefused && quote !== undefined && form.fields !== undefined;
    // Sending both is offered as soon as this transfer can be sent.
    const { isAgreed } = checkout;
    earlier.offer(isReady && isAgreed && !guard.isSettling ? next : undefined);
    if (form.fields) submit.hidden = isCardRefused;
    if (quoting) setBusy(submit, true, () => t("review.pricing"));
    else if (!isReady) setBusy(submit, true, () => t("review.noprice"));
    else if (!isAgreed) setBusy(submit, true, () => t("review.accept.first"));
    else if (earlier.isBlocking) setBusy(submit, true, () => t("review.waits"));
    else setBusy(submit, guard.isSettling, () => t("review.send", { total: money(totalOf(quote)) }));
  }

  function description(): string {
    return t("sent.short", { amount: money(checkout.state.quote?.sendAmount), recipient: recipient.name });
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
    announcesPrices: true,
    actions: [price.acceptSlot.element, form.back, submit, anotherCard],
    enter() {
      // Send refreshes again before it sends.
      void earlier.refresh().catch(() => {});
      load();
    },
    renewQuote: () => void reprice(false, "ended"),
    leave() {
      leaving.abort();
      retrying.abort();
      earlier.offer(undefined);
      form.leave();
    },
  });
}
