import { isRemitError, type FieldForm, type FieldValues, type PhoneNumber } from "remitkit";
import { countryInWords, currencyInWords } from "../amounts";
import { t } from "../messages";
import { kit } from "../remit";
import { corridorQuery } from "../routes";
import { button, isBusy, setBusy, submitButton } from "../ui/button";
import { h, on } from "../ui/dom";
import { FieldFormView } from "../ui/field_form";
import { errorNotice, notice } from "../ui/notice";
import { CardEntry } from "./card_entry";
import { fetchInto } from "./fetching";
import type { App, Step } from "./step";

const FORM = "account-form";
// The account's own number has a place of its own in the body, beside the fields.
const NUMBER_FIELDS = ["BANK_ACCOUNT_NUMBER", "ACCOUNT_NUMBER"];

/** Where the money arrives: the card form where a card is required, else the account's fields. */
export function accountStep(app: App): Step {
  const { checkout } = app;
  const slot = app.headSlot();
  const place = h("div", { class: "stack" });
  const submit = submitButton(() => t("action.continue"), FORM);
  submit.hidden = true;
  const panel = on(h("form", { id: FORM, novalidate: true, class: "stack" }, slot.element, place), {
    submit: (event) => void finish(event),
  });
  const goBack = () => app.go("recipient");
  const leaving = new AbortController();
  const { signal } = leaving;
  let form: FieldForm | undefined;
  let view: FieldFormView | undefined;
  let card: CardEntry | undefined;
  let cardId: string | undefined;

  async function load(): Promise<void> {
    const { route, recipientType, accountValues, quote } = checkout.state;
    if (!route) return;
    const fetching = { place, slot, rows: 4, goBack, signal };
    const fetched = await fetchInto(fetching, (remit) => remit.recipientAccountFields({ ...corridorQuery(route), recipientType }, { signal }), () => void load());
    if (!fetched) return;
    form = fetched;
    view = new FieldFormView(fetched, accountValues, {
      countryIso3Code: route.country.iso3Code,
      phoneCode: quote?.destinationCountry?.phoneCode ?? undefined,
    });
    if (fetched.requiresCard) {
      showCard();
      return;
    }
    place.replaceChildren(view.element);
    submit.hidden = false;
  }

  function showCard(): void {
    submit.hidden = !checkout.state.account;
    if (checkout.state.account) {
      place.replaceChildren(
        notice({
          tone: "success",
          title: () => t("card.kept.title"),
          text: () => t("card.kept.text"),
          actions: [{ label: () => t("card.another"), run: anotherCard }],
        }),
      );
      return;
    }
    card = new CardEntry({
      name: checkout.state.recipient?.name ?? "",
      verified(verified) {
        cardId = verified;
        submit.hidden = verified === undefined;
        if (verified !== undefined) panel.requestSubmit();
      },
      otherWay: () => app.go("amount"),
    });
    // What is asked beside the card stands before it: a verified card leads straight on.
    place.replaceChildren(...(view && !view.isEmpty ? [view.element] : []), card.element);
    void card.start();
  }

  function anotherCard(): void {
    checkout.change({ account: undefined });
    showCard();
  }

  async function finish(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (isBusy(submit) || !form) return;
    const { account, accountValues } = checkout.state;
    if (form.requiresCard) {
      if (account) app.go("review");
      else if (cardId && view?.check()) await create({ ...view.values(), CARD_ID: cardId });
      return;
    }
    slot.clear();
    if (!view?.check()) return;
    const values = view.values();
    if (account && JSON.stringify(values) === JSON.stringify(accountValues)) {
      app.go("review");
      return;
    }
    checkout.change({ accountValues: values });
    await create(values);
  }

  async function create(values: FieldValues): Promise<void> {
    const { route, recipient } = checkout.state;
    if (!route || !recipient || !form) return;
    slot.clear();
    setBusy(submit, true, () => t("action.saving"));
    const accountNumber = NUMBER_FIELDS.map((id) => values[id]).find((value) => typeof value === "string");
    try {
      const remit = await kit();
      const made = await remit.createRecipientAccount(
        recipient.id,
        { ...corridorQuery(route), ...(accountNumber ? { accountNumber } : {}), fields: form.toFields(values) },
        { signal },
      );
      const name = values["CARD_NICKNAME"];
      const ending = (accountNumber ?? phoneOf(values))?.slice(-4);
      checkout.change({ account: { id: made.recipientAccountId, ending, name: typeof name === "string" ? name : undefined } });
      if (!signal.aborted) app.go("review");
    } catch (error) {
      if (signal.aborted) return;
      if (card) {
        card.refuse(error, () => void create(values));
        return;
      }
      const atFields = isRemitError(error) && error.problems && view?.show(error.problems);
      if (!atFields) slot.show(errorNotice(error, [{ label: () => t("action.again"), run: () => panel.requestSubmit() }]));
    } finally {
      setBusy(submit, false, () => t("action.continue"));
    }
  }

  function keep(): void {
    if (view) checkout.change({ accountValues: checkout.state.account ? checkout.state.accountValues : view.values() });
  }

  const isToCard = () => checkout.state.route?.transferMethod === "PUSH_TO_CARD";
  return {
    title: () => (isToCard() ? t("account.title.card", { name: checkout.state.recipient?.name ?? "" }) : t("account.title")),
    about() {
      const { route } = checkout.state;
      if (!route || !isToCard()) return t("account.about");
      return t("account.about.card", { currency: currencyInWords(route.destination), country: countryInWords(route.country) });
    },
    panel,
    actions: [button(() => t("action.back"), goBack), submit],
    enter: () => void load(),
    keep,
    leave() {
      keep();
      leaving.abort();
      card?.destroy();
    },
  };
}

/** The number of a wallet. */
function phoneOf(values: FieldValues): string | undefined {
  return Object.values(values).find((value): value is PhoneNumber => typeof value === "object" && value !== null && "number" in value)?.number;
}
