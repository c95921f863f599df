import type { FieldValues, PhoneNumber } from "remitkit";
import { countryInSentence, currencyInSentence } from "../amounts";
import { t } from "../messages";
import { corridorQuery } from "../routes";
import { action, notice } from "../ui/notice";
import { CardEntry } from "./card_entry";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

/** The field ids of an account number, which requests carry beside the fields. */
const NUMBER_FIELDS = ["BANK_ACCOUNT_NUMBER", "ACCOUNT_NUMBER"];

/** Where the money arrives: the card form if a card is required, else the account's fields. */
export function accountStep(app: App): Step {
  const { checkout } = app;
  const form = new StepForm(app, "account-form", finish, { back: "recipient", keptAs: "account" });
  let card: CardEntry | undefined;
  let cardId: string | undefined;

  function load(): void {
    const { route, recipientType, values, quote } = checkout.state;
    if (!route) return;
    const query = { ...corridorQuery(route), recipientType };
    const options = {
      values: values.account,
      countryIso3Code: route.country.iso3Code,
      phoneCode: quote?.destinationCountry?.phoneCode,
    };
    const show = () => (form.fields?.requiresCard ? showCard() : form.show());
    void form.loadFields((remit, signal) => remit.recipientAccountFields(query, { signal }), options, show);
  }

  function showCard(): void {
    if (checkout.state.account) {
      const title = () => t("card.kept.title");
      const actions = [action("card.another", useAnotherCard)];
      form.show(notice({ tone: "success", title, text: () => t("card.kept.text"), actions }));
      return;
    }
    card = new CardEntry({
      holder: checkout.state.recipient?.name ?? "",
      verified(id) {
        cardId = id;
        form.submit.hidden = id === undefined;
        if (id !== undefined) form.panel.requestSubmit();
      },
      useOtherMethod: () => app.go("amount"),
    });
    // The fields stand above the card form, as a verified card leads straight on.
    form.show(...(form.view && !form.view.isEmpty ? [form.view.element] : []), card.element);
    form.submit.hidden = true;
    void card.open();
  }

  function useAnotherCard(): void {
    checkout.change({ account: undefined });
    showCard();
  }

  async function finish(): Promise<void> {
    const { account } = checkout.state;
    if (account && form.fields?.requiresCard) return app.go("review");
    const values = form.checkedValues();
    if (!values) return;
    if (form.fields?.requiresCard) {
      if (cardId) await createAccount({ ...values, CARD_ID: cardId });
    } else if (account?.values === JSON.stringify(values)) app.go("review");
    else await createAccount(values);
  }

  async function createAccount(values: FieldValues): Promise<void> {
    const { route, recipient } = checkout.state;
    if (!route || !recipient || !form.fields) return;
    const number = NUMBER_FIELDS.map((id) => values[id]).find((value) => typeof value === "string");
    const fields = form.fields.toFields(values);
    const request = { ...corridorQuery(route), ...(number ? { accountNumber: number } : {}), fields };
    await form.send(
      async (remit, signal) => {
        const { recipientAccountId } = await remit.createRecipientAccount(recipient.id, request, { signal });
        const ending = (number ?? phoneNumberIn(values))?.slice(-4);
        const { CARD_NICKNAME: nickname } = values;
        const name = typeof nickname === "string" ? nickname : undefined;
        const entered = JSON.stringify(values);
        const bank = form.view?.chosenText("BANK_ID");
        checkout.change({ account: { id: recipientAccountId, ending, name, bank, values: entered } });
        if (!signal.aborted) app.go("review");
      },
      card && ((error) => card?.showError(error, () => void createAccount(values))),
    );
  }

  const isCard = () => checkout.state.route?.transferMethod === "PUSH_TO_CARD";
  return form.step({
    title() {
      const name = checkout.state.recipient?.name ?? "";
      return isCard() ? t("account.title.card", { name }) : t("account.title");
    },
    about() {
      const { route } = checkout.state;
      if (!route || !isCard()) return t("account.about");
      const currency = currencyInSentence(route.destination);
      return t("account.about.card", { currency, country: countryInSentence(route.country) });
    },
    enter: load,
    leave() {
      form.leave();
      card?.close();
    },
  });
}

/** Returns the phone number that identifies a wallet. */
function phoneNumberIn(values: FieldValues): string | undefined {
  const isPhone = (value: unknown): value is PhoneNumber => typeof value === "object" && value !== null;
  return Object.values(values).find(isPhone)?.number;
}
