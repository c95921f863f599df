import type { Recipient } from "remitkit";
import { t } from "../messages";
import { corridorQuery } from "../routes";
import { asChosen, isComplete, missingIn, nameOf, newestFirst, readRecord, typeOf } from "../saved_records";
import type { RecipientType } from "../state";
import { h } from "../ui/dom";
import { notice } from "../ui/notice";
import { Tiles } from "../ui/tiles";
import { SavedChoice, type Saved } from "./saved_choice";
import { given, type App, type Step } from "./step";
import { StepForm } from "./step_form";

type SavedRecipient = Saved & { record: Recipient };

/** Who gets the money: a recipient of earlier transfers, or the fields that the service asks for. */
export function recipientStep(app: App): Step {
  const { checkout } = app;
  const route = given(app, "route");
  // Shown once it is known whether there are saved recipients, so that nothing moves.
  const head = h("div.stack", { hidden: true });
  const form = new StepForm(app, "recipient-form", finish, { head, back: "amount" });
  const types = new Tiles("recipient-type", () => t("recipient.type"), (value) => {
    form.keep();
    checkout.change({ recipientType: value as RecipientType });
    app.refreshTitle();
    void who.load();
  });
  const queryFor = (recipientType: RecipientType) => ({ ...corridorQuery(route), recipientType });
  const who = new SavedChoice<SavedRecipient>(app, form, {
    kind: "recipient",
    another: () => t("recipient.new"),
    fetchFields(options, keptAs, edited) {
      const query = queryFor(edited ? typeOf(edited.record) : checkout.state.recipientType);
      return form.fetchFields("recipient", { query, country: route.country, ...options }, keptAs);
    },
    async list(remit, signal) {
      // A new one can be entered even if they can't be read.
      const records = await remit.recipients({}, { signal }).catch(() => []);
      return newestFirst(records).map((record) => ({ id: record.recipientId, label: () => nameOf(record), record }));
    },
    first() {
      const { recipient } = checkout.state;
      return recipient?.isSaved ? recipient.id : undefined;
    },
    show,
    choose(chosen) {
      form.slot.clear();
      types.element.hidden = chosen !== undefined;
      if (form.fields) form.fields.element.hidden = chosen !== undefined;
    },
    remove: ({ id }, remit, signal) => remit.deleteRecipient(id, { signal }),
  });
  head.append(who.element, types.element);

  function show(): void {
    const tiles = [
      { value: "PERSON", label: () => t("recipient.person") },
      { value: "BUSINESS", label: () => t("recipient.business") },
    ];
    types.show(tiles, checkout.state.recipientType);
    types.element.hidden = who.edited !== undefined;
    form.show();
    if (!head.hidden) return;
    head.hidden = false;
    // Mounted again: browsers then don't count the skeleton's replacement as a layout shift.
    form.panel.append(head, form.body);
  }

  async function finish(): Promise<void> {
    if (who.chosen) return useSaved(who.chosen);
    const { recipientType, recipient } = checkout.state;
    const values = form.checkedValues();
    const { fields } = form;
    if (!fields || !values) return;
    const record = who.edited?.record;
    const missing = record ? missingIn(values, record) : [];
    if (fields.askAgain(missing)) return;
    const entered = JSON.stringify(values);
    if (recipient?.values === entered) return app.go("account");
    const userType = record ? typeOf(record) : recipientType;
    await form.send(async (remit, signal) => {
      const request = { ...corridorQuery(route), userType, fields: fields.form.toFields() };
      // What the service only masks, and this form does not have, would be lost: it is another recipient then.
      if (record && missing.length === 0) {
        request.fields = fields.allWith(readRecord(record).values);
        const replaced = await remit.replaceRecipient(record.recipientId, request, { signal });
        if (!signal.aborted) goOnWith(replaced);
        return;
      }
      const { recipientId } = await remit.createRecipient(request, { signal });
      const created = { id: recipientId, name: nameOf(request), values: entered };
      checkout.change({ recipientType: userType, recipient: created });
      if (!signal.aborted) app.go("account");
    });
  }

  /** Goes on with a saved recipient, or asks for what this route needs besides. */
  async function useSaved(saved: SavedRecipient): Promise<void> {
    const { record } = saved;
    await form.send(async (remit, signal) => {
      const fields = await remit.recipientFields(queryFor(typeOf(record)), { signal });
      if (signal.aborted) return;
      if (isComplete(fields, record)) return goOnWith(record);
      const title = () => t("recipient.complete.title", { name: saved.label() });
      who.edit(saved, notice({ tone: "info", title, text: () => t("recipient.complete.text") }));
    });
  }

  function goOnWith(record: Recipient): void {
    checkout.change(asChosen(record));
    app.go("account");
  }

  const about = () => {
    return t(checkout.state.recipientType === "BUSINESS" ? "recipient.about.business" : "recipient.about");
  };
  return form.step({ title: () => t("recipient.title"), about, enter: () => void who.load() });
}
