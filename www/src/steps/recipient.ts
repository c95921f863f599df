import type { FieldForm, FieldValue, FieldValues, Recipient, RemitKit } from "remitkit";
import { t } from "../messages";
import { corridorQuery, type Route } from "../routes";
import { isComplete, isPhoneNumber, missingIn, readRecord, savedRecipients } from "../saved_records";
import { recipientName } from "../sent_transfers";
import type { RecipientType } from "../state";
import { h, type LiveText } from "../ui/dom";
import { notice } from "../ui/notice";
import { Tiles } from "../ui/tiles";
import { NEW, SavedChoice, type Saved } from "./saved_choice";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

interface SavedRecipient extends Saved {
  record: Recipient;
}

/** Who gets the money: a recipient of earlier transfers, or the fields that the service asks for. */
export function recipientStep(app: App): Step {
  const { checkout } = app;
  let saved: SavedRecipient[] = [];
  /** A saved recipient whose details are being changed, or completed for this route. */
  let edited: Recipient | undefined;
  const who = new SavedChoice<SavedRecipient>(app, {
    kind: "recipient",
    another: () => t("recipient.new"),
    choose,
    edit: ({ record }) => edit(record),
    remove: (item) => void remove(item),
  });
  const types = new Tiles("recipient-type", () => t("recipient.type"), (value) => {
    form.keep();
    checkout.change({ recipientType: value as RecipientType });
    app.refreshTitle();
    load();
  });
  // Shown once it is known whether there are saved recipients, so that nothing moves.
  const head = h("div.stack", { hidden: true }, who.element, types.element);
  const options = { head, back: "amount", keptAs: "recipient" } as const;
  const form = new StepForm(app, "recipient-form", finish, options);

  function load(done?: LiveText): void {
    const { route, recipientType, recipient, values } = checkout.state;
    if (!route) return;
    edited = undefined;
    form.keptAs = "recipient";
    const tiles = [
      { value: "PERSON", label: () => t("recipient.person") },
      { value: "BUSINESS", label: () => t("recipient.business") },
    ];
    types.show(tiles, recipientType);
    const fetchSaved = async (remit: RemitKit, signal: AbortSignal) => {
      const records = await savedRecipients(remit, signal);
      saved = records.map((record) => {
        const { recipientId: id, createdAt } = record;
        return { id, label: () => nameOf(record), createdAt, record };
      });
    };
    const options = { ...fieldsFor(route, recipientType), values: values.recipient };
    void form.loadFields("recipient", options, fetchSaved, () => {
      form.show();
      who.show(saved, recipient?.isSaved ? recipient.id : NEW);
      showHead();
      if (done) form.slot.show(notice({ tone: "success", title: done }));
    });
  }

  function showHead(): void {
    if (!head.hidden) return;
    head.hidden = false;
    // Mounted again: browsers then don't count the skeleton's replacement as a layout shift.
    form.panel.append(head, form.body);
  }

  function choose(chosen: SavedRecipient | undefined): void {
    form.slot.clear();
    types.element.hidden = chosen !== undefined;
    if (!chosen && edited) load();
    else if (form.fields) form.fields.element.hidden = chosen !== undefined;
  }

  async function finish(): Promise<void> {
    if (who.chosen) return useSaved(who.chosen.record);
    const { route, recipientType, recipient } = checkout.state;
    const values = form.checkedValues();
    const { fields } = form;
    if (!route || !fields || !values) return;
    const missing = edited ? missingIn(values, edited) : [];
    if (fields.askAgain(missing)) return;
    // What the service only masks, and this form does not have, would be lost: it is another recipient then.
    if (edited && missing.length === 0) return replace(edited, fields.allWith(readRecord(edited).values));
    const entered = JSON.stringify(values);
    if (recipient?.values === entered) return app.go("account");
    const userType = edited ? typeOf(edited) : recipientType;
    const request = { ...corridorQuery(route), userType, fields: fields.form.toFields() };
    await form.send(async (remit, signal) => {
      const { recipientId } = await remit.createRecipient(request, { signal });
      const created = { id: recipientId, name: nameIn(values), values: entered };
      checkout.change({ recipientType: userType, recipient: created });
      if (!signal.aborted) app.go("account");
    });
  }

  /** Goes on with a saved recipient, or asks for what this route needs besides. */
  async function useSaved(record: Recipient): Promise<void> {
    const { route } = checkout.state;
    if (!route) return;
    await form.send(async (remit, signal) => {
      const fields = await remit.recipientFields(fieldsFor(route, typeOf(record)).query, { signal });
      if (signal.aborted) return;
      if (isComplete(fields, record)) goOnWith(record);
      else edit(record, () => t("recipient.complete.title", { name: nameOf(record) }));
    });
  }

  /** Shows the details of a saved recipient to be changed, and `why` they have to be. */
  function edit(record: Recipient, why?: LiveText): void {
    const { route } = checkout.state;
    if (!route) return;
    edited = record;
    who.clear();
    // These are not the input of a new recipient.
    form.keptAs = undefined;
    const initial = (fields: FieldForm) => editable(fields.valuesOf(record), record, route);
    void form.loadFields("recipient", { ...fieldsFor(route, typeOf(record)), initial }, undefined, () => {
      form.show();
      types.element.hidden = true;
      if (why) form.slot.show(notice({ tone: "info", title: why, text: () => t("recipient.complete.text") }));
      else form.fields?.form.focus();
    });
  }

  async function replace(record: Recipient, fields: FieldValue[]): Promise<void> {
    const { route } = checkout.state;
    const request = { ...(route && corridorQuery(route)), userType: typeOf(record), fields };
    await form.send(async (remit, signal) => {
      const replaced = await remit.replaceRecipient(record.recipientId, request, { signal });
      if (!signal.aborted) goOnWith(replaced);
    });
  }

  async function remove(item: SavedRecipient): Promise<void> {
    const { id, label } = item;
    await form.send(
      async (remit, signal) => {
        await remit.deleteRecipient(id, { signal });
        if (checkout.state.recipient?.id === id) checkout.change({ recipient: undefined });
        if (!signal.aborted) load(() => t("recipient.removed", { name: label() }));
      },
      (error) => form.showError(error, () => void remove(item)),
    );
  }

  function goOnWith(record: Recipient): void {
    const { recipientId: id } = record;
    const recipient = { id, name: nameOf(record), values: "", isSaved: true };
    checkout.change({ recipientType: typeOf(record), recipient });
    app.go("account");
  }

  const about = () => {
    return t(checkout.state.recipientType === "BUSINESS" ? "recipient.about.business" : "recipient.about");
  };
  return form.step({ title: () => t("recipient.title"), about, enter: () => load() });
}

function fieldsFor(route: Route, recipientType: RecipientType) {
  return { query: { ...corridorQuery(route), recipientType }, country: route.country };
}

/** Returns the values that the form can show: not those masked, nor phone numbers of another country. */
function editable(values: FieldValues, record: Recipient, { country }: Route): FieldValues {
  const { masked } = readRecord(record);
  const isShown = ([id, value]: [string, FieldValues[string]]) => {
    return !(id in masked) && (!isPhoneNumber(value) || value.countryIso3Code === country.iso3Code);
  };
  return Object.fromEntries(Object.entries(values).filter(isShown));
}

function typeOf({ recipientType }: Recipient): RecipientType {
  return recipientType === "BUSINESS" ? "BUSINESS" : "PERSON";
}

function nameOf(record: Recipient): string {
  return recipientName(record) ?? nameIn(readRecord(record).values);
}

/** Returns the recipient's name, under either set of field ids that services use. */
function nameIn(values: FieldValues): string {
  const read = (...ids: string[]) => String(ids.map((id) => values[id]).find(Boolean) ?? "");
  const person = `${read("FIRST_NAME", "firstName")} ${read("LAST_NAME", "lastName")}`.trim();
  return read("COMPANY_NAME", "companyName") || person;
}
