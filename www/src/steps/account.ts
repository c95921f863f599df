import type { FieldForm, FieldValues, PhoneNumber } from "remitkit";
import { countryInWords, currencyInWords } from "../amounts";
import { t } from "../messages";
import { corridorQuery } from "../routes";
import { button } from "../ui/button";
import { FieldFormView } from "../ui/field_form";
import { notice } from "../ui/notice";
import { CardEntry } from "./card_entry";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

// The account's own number has a place of its own in the body, beside the fields.
const NUMBER_FIELDS = ["BANK_ACCOUNT_NUMBER", "ACCOUNT_NUMBER"];

/** Where the money arrives: the card form where a card is required, else the account's fields. */
export function accountStep(app: App): Step {
  const { checkout } = app;
  const goBack = () => app.go("recipient");
  const form = new StepForm(app, "account-form", finish, { goBack });
  let fields: FieldForm | undefined;
  let view: FieldFormView | undefined;
  let card: CardEntry | undefined;
  let cardId: string | undefined;

  function load(): void {
    const { route, recipientType, accountValues, quote } = checkout.state;
    if (!route) return;
    const query = { ...corridorQuery(route), recipientType };
    void form.load(4, (remit, signal) => remit.recipientAccountFields(query, { signal }), (fetched) => {
      fields = fetched;
      view = new FieldFormView(fetched, accountValues, {
        countryIso3Code: route.country.iso3Code,
        phoneCode: quote?.destinationCountry?.phoneCode ?? undefined,
      });
      if (fetched.requiresCard) showCard();
      else form.ask(view.element);
    });
  }

  function showCard(): void {
    form.submit.hidden = !checkout.state.account;
    if (checkout.state.account) {
      form.place.replaceChildren(
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
        form.submit.hidden = verified === undefined;
        if (verified !== undefined) form.panel.requestSubmit();
      },
      otherWay: () => app.go("amount"),
    });
    // What is asked beside the card stands before it: a verified card leads straight on.
    form.place.replaceChildren(...(view && !view.isEmpty ? [view.element] : []), card.element);
    void card.start();
  }

  function anotherCard(): void {
    checkout.change({ account: undefined });
    showCard();
  }

  async function finish(): Promise<void> {
    if (!fields) return;
    const { account, accountValues } = checkout.state;
    if (fields.requiresCard) {
      if (account) app.go("review");
      else if (cardId && view?.check()) await create({ ...view.values(), CARD_ID: cardId });
      return;
    }
    form.slot.clear();
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
    if (!route || !recipient || !fields) return;
    const accountNumber = NUMBER_FIELDS.map((id) => values[id]).find((value) => typeof value === "string");
    const request = { ...corridorQuery(route), ...(accountNumber ? { accountNumber } : {}), fields: fields.toFields(values) };
    await form.send(
      async (remit, signal) => {
        const { recipientAccountId } = await remit.createRecipientAccount(recipient.id, request, { signal });
        const name = values["CARD_NICKNAME"];
        const ending = (accountNumber ?? phoneOf(values))?.slice(-4);
        checkout.change({ account: { id: recipientAccountId, ending, name: typeof name === "string" ? name : undefined } });
        if (!signal.aborted) app.go("review");
      },
      (problems) => !card && (view?.show(problems) ?? false),
      card && ((error) => card?.refuse(error, () => void create(values))),
    );
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
    panel: form.panel,
    actions: [button(() => t("action.back"), goBack), form.submit],
    enter: load,
    keep,
    leave() {
      keep();
      form.leave();
      card?.destroy();
    },
  };
}

/** The number of a wallet. */
function phoneOf(values: FieldValues): string | undefined {
  return Object.values(values).find((value): value is PhoneNumber => typeof value === "object" && value !== null && "number" in value)?.number;
}
