import type { FieldValues, RemitKit } from "remitkit";
import { countryInSentence, currencyInSentence } from "../amounts";
import { formatDate } from "../delivery";
import { lookUp, t } from "../messages";
import { deliveryLabel, methodIcon } from "../methods";
import { corridorQuery } from "../routes";
import { accountEnding, NUMBER_FIELDS, phoneNumberIn } from "../saved_records";
import { savedAccounts, type SavedAccount } from "../saved_records";
import { h } from "../ui/dom";
import type { Fields, FieldsOptions } from "../ui/fields";
import { action, notice } from "../ui/notice";
import { Tiles } from "../ui/tiles";
import { CardEntry } from "./card_entry";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

const NEW = "new";
/** The field that a verified card fills in. */
const CARD_ID = "CARD_ID";

/**
 * Where the money arrives: an account that the recipient already has, or a new one. That is the card form if
 * a card is required, else the account's fields.
 */
export function accountStep(app: App): Step {
  const { checkout } = app;
  const form = new StepForm(app, "account-form", finish, { back: "recipient", keptAs: "account" });
  let card: CardEntry | undefined;
  let cardId: string | undefined;
  let saved: SavedAccount[] = [];
  const choice = new Tiles("account", () => t("account.saved"), choose);
  /** Where the card form is. It stays where it is, as a frame that moves starts again. */
  const cardPlace = h("div");
  const requiresCard = () => form.fields?.form.definition?.requiresCard;

  function load(): void {
    const { route, recipientType, recipient, values } = checkout.state;
    if (!route) return;
    const options: FieldsOptions = {
      query: { ...corridorQuery(route), recipientType },
      country: route.country,
      values: values.account,
      // The card form has it.
      filter: ({ fieldId }) => fieldId !== CARD_ID,
    };
    const fetchSaved = async (remit: RemitKit, signal: AbortSignal, fields: Promise<Fields>) => {
      if (!recipient?.isSaved) return;
      saved = await savedAccounts(remit, recipient.id, route, await (await fields).ready, signal);
    };
    void form.loadFields("recipientAccount", options, fetchSaved, () => {
      if (!form.fields) return;
      form.show(...(saved.length > 0 ? [choice.element] : []), form.fields.element, cardPlace);
      if (saved.length > 0) showSaved();
      else showNew();
    });
  }

  function showSaved(): void {
    const method = checkout.state.route?.transferMethod ?? "";
    const tiles = saved.map((account) => ({
      value: account.id,
      label: () => deliveryLabel(method, account),
      about: () => t("recipient.saved.on", { date: formatDate(new Date(account.createdAt ?? Number.NaN)) }),
      icon: methodIcon(method),
    }));
    const another = () => lookUp(`account.new.${method}`) ?? t("account.new");
    const { account } = checkout.state;
    const isNew = account !== undefined && !saved.some(({ id }) => id === account.id);
    const chosen = isNew ? NEW : (account?.id ?? saved[0]?.id ?? NEW);
    choice.show([...tiles, { value: NEW, label: another }], chosen);
    choose(chosen);
  }

  function choose(value: string): void {
    card?.close();
    card = undefined;
    cardPlace.replaceChildren();
    if (value === NEW) return showNew();
    checkout.change({ account: saved.find(({ id }) => id === value) });
    showFields(false);
    form.submit.hidden = false;
  }

  /** Shows the form of a new account, below the choice of those that there are. */
  function showNew(): void {
    if (saved.some(({ id }) => id === checkout.state.account?.id)) checkout.change({ account: undefined });
    if (requiresCard()) showCard();
    else showFields(true);
  }

  function showFields(isShown: boolean): void {
    if (form.fields) form.fields.element.hidden = !isShown || form.fields.isEmpty;
  }

  function showCard(): void {
    showFields(!checkout.state.account);
    if (checkout.state.account) {
      const title = () => t("card.kept.title");
      const actions = [action("card.another", useAnotherCard)];
      cardPlace.replaceChildren(notice({ tone: "success", title, text: () => t("card.kept.text"), actions }));
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
    cardPlace.replaceChildren(card.element);
    form.submit.hidden = true;
    void card.open();
  }

  function useAnotherCard(): void {
    checkout.change({ account: undefined });
    showCard();
  }

  async function finish(): Promise<void> {
    const { account } = checkout.state;
    const isSaved = saved.some(({ id }) => id === account?.id);
    if (isSaved || (account && requiresCard())) return app.go("review");
    const values = form.checkedValues();
    if (!values) return;
    if (requiresCard()) {
      if (cardId) await createAccount({ ...values, [CARD_ID]: cardId });
    } else if (account?.values === JSON.stringify(values)) app.go("review");
    else await createAccount(values);
  }

  async function createAccount(values: FieldValues): Promise<void> {
    const { route, recipient } = checkout.state;
    const { form: fields } = form.fields ?? {};
    if (!route || !recipient || !fields?.definition) return;
    const number = NUMBER_FIELDS.map((id) => values[id]).find((value) => typeof value === "string");
    const sent = fields.definition.toFields(values);
    const request = { ...corridorQuery(route), ...(number ? { accountNumber: number } : {}), fields: sent };
    await form.send(
      async (remit, signal) => {
        const { recipientAccountId } = await remit.createRecipientAccount(recipient.id, request, { signal });
        const ending = accountEnding(number ?? phoneNumberIn(values));
        const { CARD_NICKNAME: nickname } = values;
        const name = typeof nickname === "string" ? nickname : undefined;
        const entered = JSON.stringify(values);
        const bank = values["BANK_ID"] ? fields.valueText("BANK_ID") : undefined;
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
      if (route?.transferMethod === "MOBILE_WALLET") return t("account.about.wallet");
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
