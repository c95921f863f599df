import type { RemitKit } from "remitkit";
import { currencyInSentence } from "../amounts";
import { submitForm } from "../compat";
import { lookUp, t } from "../messages";
import { methodIcon } from "../methods";
import { corridorQuery } from "../routes";
import { labelOf, missingIn, readRecord, savedAccounts, type SavedAccount } from "../saved_records";
import { h } from "../ui/dom";
import type { FieldsOptions } from "../ui/fields";
import { action, plainNotice } from "../ui/notice";
import { CardEntry } from "./card_entry";
import { SavedChoice } from "./saved_choice";
import { given, type App, type Step } from "./step";
import { StepForm } from "./step_form";

/** The field that a verified card fills in. */
const CARD_ID = "CARD_ID";
/** The field ids of an account number, which requests carry beside the fields. */
const NUMBER_FIELDS = ["BANK_ACCOUNT_NUMBER", "ACCOUNT_NUMBER"];

/**
 * Where the money arrives: an account that the recipient already has, or a new one. That is the card form if
 * a card is required, else the account's fields.
 */
export function accountStep(app: App): Step {
  const { checkout } = app;
  const [route, recipient] = [given(app, "route"), given(app, "recipient")];
  const method = route.transferMethod;
  const form = new StepForm(app, "account-form", finish, { back: "recipient" });
  let card: CardEntry | undefined;
  let cardId: string | undefined;
  const choice = new SavedChoice<SavedAccount>(app, form, {
    kind: "account",
    another: () => lookUp(`account.new.${method}`) ?? t("account.new"),
    icon: methodIcon(method),
    fetchFields(options, keptAs) {
      const query = { ...corridorQuery(route), recipientType: checkout.state.recipientType };
      // The card form has the card.
      const filter: FieldsOptions["filter"] = ({ fieldId }) => fieldId !== CARD_ID;
      const own = { query, country: route.country, filter };
      return form.fetchFields("recipientAccount", { ...own, ...options }, keptAs);
    },
    async list(remit, signal, fields) {
      return recipient.isSaved ? savedAccounts(remit, recipient.id, route, await fields, signal) : [];
    },
    first(saved) {
      const { account } = checkout.state;
      return account ? saved.find(({ id }) => id === account.id)?.id : saved[0]?.id;
    },
    show() {
      if (form.fields) form.show(choice.element, form.fields.element, cardPlace);
    },
    choose,
    remove: ({ id }, remit, signal) => remit.deleteRecipientAccount(recipient.id, id, { signal }),
  });
  /** Where the card form is. It stays where it is, as a frame that moves starts again. */
  const cardPlace = h("div");
  const requiresCard = () => form.fields?.form.definition?.requiresCard;
  function choose(chosen: SavedAccount | undefined): void {
    closeCard();
    const { account } = checkout.state;
    if (chosen) checkout.change({ account: chosen });
    else if (choice.items.some(({ id }) => id === account?.id)) checkout.change({ account: undefined });
    form.submit.hidden = false;
    if (!chosen && requiresCard()) showCard();
    else showFields(!chosen);
  }

  function showFields(isShown: boolean): void {
    if (form.fields) form.fields.element.hidden = !isShown || form.fields.isEmpty;
  }

  function showCard(): void {
    showFields(!checkout.state.account);
    if (checkout.state.account) {
      const actions = [action("card.another", useAnotherCard)];
      return cardPlace.replaceChildren(plainNotice("success", "card.kept.title", "card.kept.text", actions));
    }
    card = new CardEntry({
      holder: recipient.name,
      verified(id) {
        cardId = id;
        form.submit.hidden = id === undefined;
        if (id !== undefined) submitForm(form.panel);
      },
      useOtherMethod: () => app.go("amount"),
    });
    // The fields stand above the card form, as a verified card leads straight on.
    cardPlace.replaceChildren(card.element);
    form.submit.hidden = true;
    void card.open();
  }

  function closeCard(): void {
    card?.close();
    card = undefined;
    cardPlace.replaceChildren();
  }

  function useAnotherCard(): void {
    checkout.change({ account: undefined });
    showCard();
  }

  async function finish(): Promise<void> {
    const { account } = checkout.state;
    const replaced = choice.edited?.record;
    if (choice.chosen || (account && requiresCard() && !replaced)) return app.go("review");
    const values = form.checkedValues();
    const { fields } = form;
    if (!values || !fields || (requiresCard() && !cardId && !replaced)) return;
    if (replaced && fields.askAgain(missingIn(values, replaced))) return;
    const entered = JSON.stringify(values);
    if (!replaced && account?.values === entered) return app.go("review");
    const number = NUMBER_FIELDS.map((id) => values[id]).find((value) => typeof value === "string");
    const known = replaced ? readRecord(replaced).values : {};
    const cardField = { id: CARD_ID, value: replaced ? known[CARD_ID] : cardId };
    const request = {
      ...corridorQuery(route),
      ...(number ? { accountNumber: number } : {}),
      fields: [...fields.allWith(known), ...(requiresCard() ? [cardField] : [])],
    };
    const save = async (remit: RemitKit, signal: AbortSignal) => {
      const { recipientAccountId: id } = replaced
        ? await remit.replaceRecipientAccount(recipient.id, replaced.recipientAccountId, request, { signal })
        : await remit.createRecipientAccount(recipient.id, request, { signal });
      const bank = values["BANK_ID"] ? fields.form.valueText("BANK_ID") : undefined;
      checkout.change({ account: { id, ...labelOf(request), bank, values: entered } });
      if (!signal.aborted) app.go("review");
    };
    await form.send(save, card && ((error) => card?.showError(error, () => submitForm(form.panel))));
  }

  return form.step({
    title() {
      return method === "PUSH_TO_CARD" ? t("account.title.card", { name: recipient.name }) : t("account.title");
    },
    about() {
      if (method === "MOBILE_WALLET") return t("account.about.wallet");
      if (method !== "PUSH_TO_CARD") return t("account.about");
      return t("account.about.card", { currency: currencyInSentence(route.destination) });
    },
    enter: () => void choice.load(),
    leave() {
      form.leave();
      card?.close();
    },
  });
}
