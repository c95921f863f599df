import type { FieldForm, FieldValues, Recipient, RemitKit } from "remitkit";
import { formatDate } from "../delivery";
import { t } from "../messages";
import { corridorQuery, type Route } from "../routes";
import { isComplete, isPhoneNumber, readRecord, savedRecipients } from "../saved_records";
import { recipientName } from "../sent_transfers";
import type { RecipientType } from "../state";
import { button } from "../ui/button";
import { h, setText } from "../ui/dom";
import { notice } from "../ui/notice";
import { Tiles } from "../ui/tiles";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

const NEW = "new";
/** How many saved recipients are in sight at first. */
const RECENT = 4;

/** Who gets the money: a recipient of earlier transfers, or the fields that the service asks for. */
export function recipientStep(app: App): Step {
  const { checkout } = app;
  let saved: Recipient[] = [];
  let chosen: Recipient | undefined;
  /** A saved recipient whose details are being completed for this route. */
  let completed: Recipient | undefined;
  const who = new Tiles("saved-recipient", () => t("recipient.saved"), choose);
  const types = new Tiles("recipient-type", () => t("recipient.type"), (value) => {
    form.keep();
    checkout.change({ recipientType: value as RecipientType });
    app.refreshTitle();
    load();
  });
  const more = button(() => "", showAll, "quiet");
  // Shown once it is known whether there are saved recipients, so that nothing moves.
  const head = h("div.stack", { hidden: true }, who.element, more, types.element);
  const options = { head, back: "amount", keptAs: "recipient" } as const;
  const form = new StepForm(app, "recipient-form", finish, options);

  function load(): void {
    const { route, recipientType, recipient } = checkout.state;
    if (!route) return;
    completed = undefined;
    form.keptAs = "recipient";
    const tiles = [
      { value: "PERSON", label: () => t("recipient.person") },
      { value: "BUSINESS", label: () => t("recipient.business") },
    ];
    types.show(tiles, recipientType);
    const fetch = async (remit: RemitKit, signal: AbortSignal) => {
      const [fields, recipients] = await Promise.all([
        fieldsOf(remit, route, recipientType, signal),
        savedRecipients(remit, signal),
      ]);
      saved = recipients;
      return fields;
    };
    void form.loadFields(fetch, formOptions(checkout.state.values.recipient), () => {
      const at = saved.findIndex(({ recipientId }) => recipient?.isSaved && recipientId === recipient.id);
      choose(saved[at]?.recipientId ?? NEW);
      showSaved(at < RECENT ? RECENT : saved.length);
      showHead();
    });
  }

  function showHead(): void {
    if (!head.hidden) return;
    head.hidden = false;
    // Mounted again: browsers then don't count the skeleton's replacement as a layout shift.
    form.panel.append(head, form.body);
  }

  function fieldsOf(remit: RemitKit, route: Route, recipientType: RecipientType, signal: AbortSignal) {
    return remit.recipientFields({ ...corridorQuery(route), recipientType }, { signal });
  }

  function formOptions(values: FieldValues) {
    const { route, quote } = checkout.state;
    const { phoneCode } = quote?.destinationCountry ?? {};
    return { values, countryIso3Code: route?.country.iso3Code ?? "", phoneCode };
  }

  function showAll(): void {
    showSaved(saved.length);
    who.element.querySelectorAll("input")[RECENT]?.focus();
  }

  function showSaved(count: number): void {
    const tiles = saved.slice(0, count).map((one) => ({
      value: one.recipientId,
      label: () => nameOf(one),
      about: () => t("recipient.saved.on", { date: formatDate(new Date(one.createdAt ?? Number.NaN)) }),
    }));
    who.show([...tiles, { value: NEW, label: () => t("recipient.new") }], chosen?.recipientId ?? NEW);
    who.element.hidden = saved.length === 0;
    more.hidden = saved.length <= count;
    setText(more, () => t("recipient.saved.more", { count: saved.length }));
  }

  function choose(value: string): void {
    form.slot.clear();
    chosen = saved.find(({ recipientId }) => recipientId === value);
    types.element.hidden = chosen !== undefined;
    if (chosen) form.show(h("div"));
    else if (completed) load();
    else form.show();
  }

  async function finish(): Promise<void> {
    if (chosen) return useSaved(chosen);
    const { route, recipientType, recipient } = checkout.state;
    const values = form.checkedValues();
    if (!route || !form.fields || !values) return;
    if (completed && losesNothing(completed, values)) return complete(completed, route, form.fields, values);
    const entered = JSON.stringify(values);
    if (recipient?.values === entered) return app.go("account");
    const userType = completed ? typeOf(completed) : recipientType;
    const request = { ...corridorQuery(route), userType, fields: form.fields.toFields(values) };
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
    const recipientType = typeOf(record);
    await form.send(async (remit, signal) => {
      const fields = await fieldsOf(remit, route, recipientType, signal);
      if (signal.aborted) return;
      if (isComplete(fields, record)) return goOnWith(record);
      const { masked } = readRecord(record);
      form.setFields(fields, formOptions(editable(fields.valuesOf(record), masked, route)));
      chosen = undefined;
      completed = record;
      // These are not the input of a new recipient.
      form.keptAs = undefined;
      form.show();
      const name = nameOf(record);
      const title = () => t("recipient.complete.title", { name });
      form.slot.show(notice({ tone: "info", title, text: () => t("recipient.complete.text") }));
    });
  }

  /** Whether a record can be replaced: the service shows only a part of some values, and would lose them. */
  function losesNothing(record: Recipient, values: FieldValues): boolean {
    return [...readRecord(record).masked.keys()].every((id) => values[id] !== undefined);
  }

  /** Saves the details of a recipient again, with those that were missing. */
  async function complete(
    record: Recipient,
    route: Route,
    fields: FieldForm,
    values: FieldValues,
  ): Promise<void> {
    const sent = fields.toFields({ ...readRecord(record).values, ...values });
    const request = { ...corridorQuery(route), userType: typeOf(record), fields: sent };
    await form.send(async (remit, signal) => {
      const replaced = await remit.replaceRecipient(record.recipientId, request, { signal });
      if (!signal.aborted) goOnWith(replaced);
    });
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
  return form.step({ title: () => t("recipient.title"), about, enter: load });
}

/** Returns the values that the form can show: not those masked, nor phone numbers of another country. */
function editable(values: FieldValues, masked: ReadonlyMap<string, string>, { country }: Route): FieldValues {
  const isShown = ([id, value]: [string, FieldValues[string]]) => {
    return !masked.has(id) && (!isPhoneNumber(value) || value.countryIso3Code === country.iso3Code);
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
