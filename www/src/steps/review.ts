import { isRemitError, type FieldForm, type Quote, type RemitError, type TransferRequest } from "remitkit";
import { money } from "../amounts";
import { rememberSending } from "../interrupted";
import { t } from "../messages";
import { needsAccount } from "../methods";
import { kit } from "../remit";
import { corridorQuery } from "../routes";
import { settleAttempt, unsettledNotice } from "../sending";
import { button, isBusy, setBusy, submitButton } from "../ui/button";
import { h, on } from "../ui/dom";
import { FieldFormView } from "../ui/field_form";
import { endWaiting, showWaiting } from "../ui/loading";
import { errorNotice, type Action } from "../ui/notice";
import { priceNotice, renewedNotice, reviewFacts } from "./review_facts";
import type { App, Step } from "./step";

const FORM = "review-form";

/** Everything once more with the final price; then the money is sent, once. */
export function reviewStep(app: App): Step {
  const { checkout, quotes } = app;
  const slot = app.headSlot();
  const newPriceSlot = app.headSlot();
  const body = h("div", { class: "stack" });
  const submit = submitButton(() => t("review.pricing"), FORM);
  const goBack = () => app.go(hasAccount() ? "account" : "recipient");
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

  function hasAccount(): boolean {
    return needsAccount(checkout.state.route?.transferMethod ?? "");
  }

  /**
   * Fetches the price that counts, the one for the account itself, unless it is `given`, and what the transfer asks for. Who has
   * `asked` for it is led to what is different.
   */
  async function load(asked: boolean, given?: Quote): Promise<void> {
    slot.clear();
    setBusy(submit, true, () => t("review.pricing"));
    if (!view) showWaiting(body, 4, goBack);
    const [quote, problem] = await Promise.all([given ? quotes.take(given) : quotes.ask(), view ? undefined : fetchFields()]);
    if (signal.aborted) return;
    endWaiting();
    if (body.querySelector(".skeleton")) {
      const once = h("p", { class: "muted" }, () => t("review.once"));
      body.replaceChildren(newPriceSlot.element, reviewFacts(app), ...(view ? [view.element] : []), once);
    }
    if (quote) {
      const changes = seen && priceNotice(seen, quote);
      if (changes && asked) newPriceSlot.show(changes);
      else if (changes) newPriceSlot.put(changes);
      seen = quote;
    }
    if (quote && form) {
      setBusy(submit, false, () => t("review.send", { total: money(quote.totalCost ?? quote.sendAmount) }));
      return;
    }
    setBusy(submit, true, () => t("review.noprice"));
    slot.show(errorNotice(problem ?? checkout.state.quoteError, [newPrice(), changeAmount()]));
  }

  async function fetchFields(): Promise<unknown> {
    const { route, transferValues } = checkout.state;
    if (!route) return undefined;
    try {
      const remit = await kit();
      form = await remit.transferFields(corridorQuery(route), { signal });
      view = new FieldFormView(form, transferValues, { countryIso3Code: route.country.iso3Code });
      return undefined;
    } catch (error) {
      return error;
    }
  }

  async function finish(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (isBusy(submit) || !view?.check()) return;
    const request = transferRequest();
    if (!request) return;
    slot.clear();
    newPriceSlot.clear();
    lock(true);
    try {
      const remit = await kit();
      const attempt = await remit.prepareTransfer(request);
      checkout.change({ attempt });
      rememberSending();
      const transfer = await attempt.submit();
      checkout.change({ transfer, attempt: undefined, sending: false });
      app.go("done");
    } catch (error) {
      await failed(error);
    }
  }

  /** Goes on with the one attempt there is; another one could pay twice. */
  async function resume(): Promise<void> {
    const { attempt } = checkout.state;
    if (!attempt) return;
    const outcome = await settleAttempt(attempt, slot);
    if ("transfer" in outcome) {
      checkout.change({ transfer: outcome.transfer, attempt: undefined, sending: false });
      app.go("done");
    } else {
      await failed(outcome.error);
    }
  }

  async function failed(error: unknown): Promise<void> {
    const known = isRemitError(error) ? error : undefined;
    if (known?.kind === "outcome_unknown" && checkout.state.attempt) {
      setBusy(submit, true, () => t("review.unknown"));
      slot.show(unsettledNotice(known, () => void resume()));
      return;
    }
    checkout.change({ attempt: undefined });
    lock(false);
    if (known?.resolution === "fetch_new_quote") {
      await load(true, known.quote);
      // The reason is worth saying where the figures alone do not.
      if (!signal.aborted && !newPriceSlot.element.hasChildNodes() && !slot.element.hasChildNodes()) slot.show(renewedNotice(error));
      return;
    }
    const { quote } = checkout.state;
    if (quote) setBusy(submit, false, () => t("review.send", { total: money(quote.totalCost ?? quote.sendAmount) }));
    if (!known?.problems || !view?.show(known.problems)) slot.show(errorNotice(error, waysOn(known)));
  }

  function waysOn(error: RemitError | undefined): Action[] {
    switch (error?.resolution) {
      case "wait_for_reset":
        return [changeAmount(), newPrice()];
      case "choose_another_corridor":
        return [changeAmount()];
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
    const { route, recipient, account, quote, quoteBy, amount } = checkout.state;
    if (!route || !recipient || !quote || amount === undefined || !form || !view) return undefined;
    return {
      ...corridorQuery(route),
      srcCurrencyIso3Code: route.source.iso3Code,
      quoteBy,
      amount,
      quoteHistoryId: quote.quoteHistoryId,
      recipientId: recipient.id,
      ...(account ? { recipientAccountId: account.id } : {}),
      fields: form.toFields(view.values()),
    };
  }

  function lock(locked: boolean): void {
    checkout.change({ sending: locked });
    back.disabled = locked;
    panel.toggleAttribute("data-locked", locked);
    // A field changed now would not be in what is being sent.
    if (view) view.element.inert = locked;
    if (locked) setBusy(submit, true, () => t("review.sending"));
  }

  return {
    title: () => t("review.title"),
    about: () => t("review.about"),
    panel,
    actions: [back, submit],
    enter: () => void load(false),
    renew: () => void load(false),
    leave() {
      if (view) checkout.change({ transferValues: view.values() });
      leaving.abort();
    },
  };
}
