import type { FieldForm, FieldValues, RemitKit } from "remitkit";
import { countryInSentence, currencyInSentence } from "../amounts";
import { lookUp, t } from "../messages";
import { deliveryLabel, methodIcon } from "../methods";
import { corridorQuery } from "../routes";
import { accountEnding, missingIn, NUMBER_FIELDS, phoneNumberIn, readRecord } from "../saved_records";
import { savedAccounts, type SavedAccount } from "../saved_records";
import { h, type LiveText } from "../ui/dom";
import type { Fields, FieldsOptions } from "../ui/fields";
import { action, notice } from "../ui/notice";
import { CardEntry } from "./card_entry";
import { NEW, SavedChoice, type Saved } from "./saved_choice";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

/** The field that a verified card fills in. */
const CARD_ID = "CARD_ID";

/**
 * Where the money arrives: an account that the recipient already has, or a new one. That is the card form if
 * a card is required, else the account's fields.
 */
export function accountStep(app: App): Step {
  const { checkout } = app;
  const form = new StepForm(app, "account-form", finish, { back: "recipient", keptAs: "account" });
  const method = () => checkout.state.route?.transferMethod ?? "";
  let card: CardEntry | undefined;
  let cardId: string | undefined;
  let saved: (SavedAccount & Saved)[] = [];
  /** A saved account whose details are being changed. */
  let edited: SavedAccount | undefined;
  const choice = new SavedChoice<SavedAccount & Saved>(app, {
    kind: "account",
    another: () => lookUp(`account.new.${method()}`) ?? t("account.new"),
    icon: () => methodIcon(method()),
    choose,
    edit,
    remove: (account) => void remove(account),
  });
  /** Where the card form is. It stays where it is, as a frame that moves starts again. */
  const cardPlace = h("div");
  const requiresCard = () => form.fields?.form.definition?.requiresCard;

  function load(done?: LiveText): void {
    const { recipient, account, values, route } = checkout.state;
    if (!route) return;
    edited = undefined;
    form.keptAs = "account";
    const fetchSaved = async (remit: RemitKit, signal: AbortSignal, fields: Promise<Fields>) => {
      if (!recipient?.isSaved) return;
      const accounts = await savedAccounts(remit, recipient.id, route, await (await fields).ready, signal);
      saved = accounts.map((one) => {
        return { ...one, label: () => deliveryLabel(method(), one), createdAt: one.record.createdAt };
      });
    };
    void loadFields({ values: values.account }, fetchSaved, () => {
      const isNew = account !== undefined && !isSaved(account.id);
      choice.show(saved, isNew ? NEW : (account?.id ?? saved[0]?.id ?? NEW));
      if (done) form.slot.show(notice({ tone: "success", title: done }));
    });
  }

  function loadFields(
    values: Partial<FieldsOptions>,
    fetch: Parameters<StepForm["loadFields"]>[2],
    show: () => void,
  ): Promise<void> {
    const { route, recipientType } = checkout.state;
    if (!route) return Promise.resolve();
    const query = { ...corridorQuery(route), recipientType };
    // The card form has the card.
    const filter: FieldsOptions["filter"] = ({ fieldId }) => fieldId !== CARD_ID;
    return form.loadFields("recipientAccount", { query, country: route.country, filter, ...values }, fetch, () => {
      if (!form.fields) return;
      form.show(...(saved.length > 0 ? [choice.element] : []), form.fields.element, cardPlace);
      show();
    });
  }

  const isSaved = (id: string | undefined) => saved.some((account) => account.id === id);

  function choose(chosen: SavedAccount | undefined): void {
    closeCard();
    if (!chosen && edited) return load();
    if (!chosen) return showNew();
    checkout.change({ account: chosen });
    showFields(false);
    form.submit.hidden = false;
  }

  /** Shows the form of a new account, below the choice of those that there are. */
  function showNew(): void {
    if (isSaved(checkout.state.account?.id)) checkout.change({ account: undefined });
    if (requiresCard()) showCard();
    else showFields(true);
  }

  function showFields(isShown: boolean): void {
    if (form.fields) form.fields.element.hidden = !isShown || form.fields.isEmpty;
  }

  /** Shows the details of a saved account to be changed. */
  function edit(account: SavedAccount): void {
    edited = account;
    choice.clear();
    // These are not the input of a new account.
    form.keptAs = undefined;
    const { masked } = readRecord(account.record);
    const initial = (fields: FieldForm) => {
      const values = Object.entries(fields.valuesOf(account.record));
      return Object.fromEntries(values.filter(([id]) => !(id in masked)));
    };
    void loadFields({ initial, masked }, undefined, () => form.fields?.form.focus());
  }

  async function remove(account: SavedAccount & Saved): Promise<void> {
    const { recipient } = checkout.state;
    if (!recipient) return;
    await form.send(
      async (remit, signal) => {
        await remit.deleteRecipientAccount(recipient.id, account.id, { signal });
        if (checkout.state.account?.id === account.id) checkout.change({ account: undefined });
        if (!signal.aborted) load(() => t("account.removed", { name: account.label() }));
      },
      (error) => form.showError(error, () => void remove(account)),
    );
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
    if (choice.chosen || (account && requiresCard() && !edited)) return app.go("review");
    const values = form.checkedValues();
    if (!values || !form.fields || (requiresCard() && !cardId && !edited)) return;
    if (edited && form.fields.askAgain(missingIn(values, edited.record))) return;
    if (!edited && account?.values === JSON.stringify(values)) return app.go("review");
    await save(values, form.fields);
  }

  /** Creates the account, or replaces the edited one. */
  async function save(values: FieldValues, fields: Fields): Promise<void> {
    const { route, recipient } = checkout.state;
    if (!route || !recipient) return;
    const number = NUMBER_FIELDS.map((id) => values[id]).find((value) => typeof value === "string");
    const known = edited ? readRecord(edited.record).values : {};
    const cardField = { id: CARD_ID, value: edited ? known[CARD_ID] : cardId };
    const request = {
      ...corridorQuery(route),
      ...(number ? { accountNumber: number } : {}),
      fields: [...fields.allWith(known), ...(requiresCard() ? [cardField] : [])],
    };
    await form.send(
      async (remit, signal) => {
        const { recipientAccountId: id } = edited
          ? await remit.replaceRecipientAccount(recipient.id, edited.id, request, { signal })
          : await remit.createRecipientAccount(recipient.id, request, { signal });
        const ending = accountEnding(number ?? phoneNumberIn(values));
        const { CARD_NICKNAME: nickname } = values;
        const name = typeof nickname === "string" ? nickname : undefined;
        const bank = values["BANK_ID"] ? fields.form.valueText("BANK_ID") : undefined;
        checkout.change({ account: { id, ending, name, bank, values: JSON.stringify(values) } });
        if (!signal.aborted) app.go("review");
      },
      card && ((error) => card?.showError(error, () => void save(values, fields))),
    );
  }

  return form.step({
    title() {
      const name = checkout.state.recipient?.name ?? "";
      return method() === "PUSH_TO_CARD" ? t("account.title.card", { name }) : t("account.title");
    },
    about() {
      const { route } = checkout.state;
      if (method() === "MOBILE_WALLET") return t("account.about.wallet");
      if (!route || method() !== "PUSH_TO_CARD") return t("account.about");
      const currency = currencyInSentence(route.destination);
      return t("account.about.card", { currency, country: countryInSentence(route.country) });
    },
    enter: () => load(),
    leave() {
      form.leave();
      card?.close();
    },
  });
}
