import type { FieldForm, FieldValues, Recipient, RemitKit } from "remitkit";
import { formatDate } from "../delivery";
import { t } from "../messages";
import { corridorQuery, type Route } from "../routes";
import { isComplete, isPhoneNumber, readRecord, savedRecipients } from "../saved_records";
import { recipientName } from "../sent_transfers";
import type { RecipientType } from "../state";
import { button } from "../ui/button";
import { h, setText, type LiveText } from "../ui/dom";
import type { Fields } from "../ui/fields";
import { action, notice } from "../ui/notice";
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
  /** A saved recipient whose details are being changed, or completed for this route. */
  let edited: Recipient | undefined;
  const who = new Tiles("saved-recipient", () => t("recipient.saved"), choose);
  const types = new Tiles("recipient-type", () => t("recipient.type"), (value) => {
    form.keep();
    checkout.change({ recipientType: value as RecipientType });
    app.refreshTitle();
    load();
  });
  const more = button(() => "", showAll, "quiet");
  const tools = h("div.button-row", [
    button(() => t("recipient.edit"), () => chosen && edit(chosen), "quiet"),
    button(() => t("recipient.remove"), () => chosen && askRemoval(chosen), "quiet"),
  ]);
  // Shown once it is known whether there are saved recipients, so that nothing moves.
  const head = h("div.stack", { hidden: true }, who.element, more, tools, types.element);
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
      saved = await savedRecipients(remit, signal);
    };
    const options = { ...fieldsFor(route, recipientType), values: values.recipient };
    void form.loadFields("recipient", options, fetchSaved, () => {
      const at = saved.findIndex(({ recipientId }) => recipient?.isSaved && recipientId === recipient.id);
      form.show();
      choose(saved[at]?.recipientId ?? NEW);
      showSaved(at < RECENT ? RECENT : saved.length);
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
    showTools();
    if (!chosen && edited) load();
    else if (form.fields) form.fields.element.hidden = chosen !== undefined;
  }

  function showTools(): void {
    tools.hidden = chosen === undefined;
    types.element.hidden = chosen !== undefined || edited !== undefined;
  }

  async function finish(): Promise<void> {
    if (chosen) return useSaved(chosen);
    const { route, recipientType, recipient } = checkout.state;
    const values = form.checkedValues();
    if (!route || !form.fields || !values) return;
    if (edited && (await replace(edited, route, form.fields))) return;
    const entered = JSON.stringify(values);
    if (recipient?.values === entered) return app.go("account");
    const userType = edited ? typeOf(edited) : recipientType;
    const request = { ...corridorQuery(route), userType, fields: form.fields.form.toFields() };
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
    chosen = undefined;
    // These are not the input of a new recipient.
    form.keptAs = undefined;
    const initial = (fields: FieldForm) => editable(fields.valuesOf(record), record, route);
    void form.loadFields("recipient", { ...fieldsFor(route, typeOf(record)), initial }, undefined, () => {
      form.show();
      showTools();
      if (why) form.slot.show(notice({ tone: "info", title: why, text: () => t("recipient.complete.text") }));
      else form.fields?.form.focus();
    });
  }

  /**
   * Saves the details of a recipient. Returns false if that would lose values of which the service shows only
   * a part, and this form does not have.
   */
  async function replace(record: Recipient, route: Route, fields: Fields): Promise<boolean> {
    const { values: known, masked } = readRecord(record);
    const { values } = fields;
    const lost = Object.keys(masked).filter((id) => values[id] === undefined);
    if (lost.length > 0) return fields.askAgain(lost);
    const request = { ...corridorQuery(route), userType: typeOf(record), fields: fields.allWith(known) };
    await form.send(async (remit, signal) => {
      const replaced = await remit.replaceRecipient(record.recipientId, request, { signal });
      if (!signal.aborted) goOnWith(replaced);
    });
    return true;
  }

  function askRemoval(record: Recipient): void {
    const title = () => t("recipient.remove.title", { name: nameOf(record) });
    const keep = action("recipient.remove.keep", () => form.slot.clear());
    const actions = [action("recipient.remove.yes", () => void remove(record)), keep];
    form.slot.show(notice({ tone: "warning", title, text: () => t("recipient.remove.text"), actions }));
  }

  async function remove(record: Recipient): Promise<void> {
    const { recipientId } = record;
    await form.send(
      async (remit, signal) => {
        await remit.deleteRecipient(recipientId, { signal });
        if (checkout.state.recipient?.id === recipientId) checkout.change({ recipient: undefined });
        if (!signal.aborted) load(() => t("recipient.removed", { name: nameOf(record) }));
      },
      (error) => form.showError(error, () => void remove(record)),
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
