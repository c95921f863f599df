import type { FieldForm, FieldValues, PhoneNumber, Sender } from "remitkit";
import { NEEDED_AGAIN } from "../field_problems";
import { t } from "../messages";
import { button } from "../ui/button";
import { FieldFormView } from "../ui/field_form";
import { notice } from "../ui/notice";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

/** What the service knows of the customer, to be corrected by them. */
export function profileStep(app: App): Step {
  const goBack = () => app.go(app.origin);
  const form = new StepForm(app, "profile-form", finish, { label: () => t("profile.save"), goBack });
  let sender: Sender | undefined;
  let fields: FieldForm | undefined;
  let view: FieldFormView | undefined;
  let before: FieldValues = {};
  let masked: ReadonlyMap<string, string> = new Map();

  function load(): void {
    void form.load(
      6,
      async (remit, signal) => {
        const { senderId } = await remit.senderId({ signal });
        const known = await remit.getSender(senderId, { signal });
        fields = await remit.senderFields({ senderType: known.senderType ?? "PERSON" }, { signal });
        return known;
      },
      show,
    );
  }

  function show(known: Sender): void {
    if (!fields) return;
    sender = known;
    const record = readRecord(known);
    const { values } = record;
    before = values;
    masked = record.masked;
    const phone = Object.values(values).find((value): value is PhoneNumber => typeof value === "object");
    view = new FieldFormView(fields, values, { countryIso3Code: phone?.countryIso3Code ?? "USA", phoneCode: phone?.countryPhoneCode ?? "1", isOwn: true }, masked);
    form.ask(view.element);
  }

  async function finish(): Promise<void> {
    if (!sender || !view || !fields) return;
    form.slot.clear();
    if (!view.check()) return;
    const values = view.values();
    const emptied = view.asked().filter((id) => before[id] !== undefined && values[id] === undefined);
    const changed = Object.fromEntries(Object.entries(values).filter(([id, value]) => JSON.stringify(value) !== JSON.stringify(before[id])));
    if (emptied.length === 0 && Object.keys(changed).length === 0) {
      saved("profile.unchanged");
      return;
    }
    // Removing a value means replacing the whole record, all of it known: an update keeps what it leaves out.
    const unknown = emptied.length > 0 ? view.shown().filter((id) => masked.has(id) && values[id] === undefined) : [];
    if (unknown.length > 0) {
      view.show(unknown.map((fieldId) => ({ fieldId, code: NEEDED_AGAIN, message: "" })));
      return;
    }
    const { senderId, senderType } = sender;
    const asked = new Set(view.asked());
    const kept = Object.fromEntries(Object.entries(before).filter(([id]) => !asked.has(id)));
    const record = { senderType: senderType ?? "PERSON", fields: fields.toFields(emptied.length > 0 ? { ...kept, ...values } : changed) };
    await form.send(
      async (remit, signal) => {
        show(emptied.length > 0 ? await remit.replaceSender(senderId, record, { signal }) : await remit.updateSender(senderId, record, { signal }));
        saved("profile.saved");
      },
      (problems) => view?.show(problems) ?? false,
    );
  }

  function saved(text: "profile.saved" | "profile.unchanged"): void {
    form.slot.show(notice({ tone: text === "profile.saved" ? "success" : "info", title: () => t(text) }));
  }

  return {
    title: () => t("profile.title"),
    about: () => t("profile.about"),
    panel: form.panel,
    actions: [button(() => t("profile.back"), goBack), form.submit],
    enter: load,
    leave: () => form.leave(),
  };
}

/** Returns a record's values. Those that the service masks are kept apart: they are not values. */
function readRecord(known: Sender): { values: FieldValues; masked: Map<string, string> } {
  const values: FieldValues = {};
  const masked = new Map<string, string>();
  for (const { id, value } of known.fields ?? []) {
    if (typeof value === "string" && value.startsWith("*")) masked.set(id, value);
    else if (typeof value === "string") values[id] = value;
    else if (isPhoneNumber(value)) {
      // In the order in which the form gives them, so that what is the same looks the same.
      const { number, countryIso3Code, countryPhoneCode } = value;
      values[id] = { number, countryIso3Code, countryPhoneCode };
    }
  }
  return { values, masked };
}

function isPhoneNumber(value: unknown): value is PhoneNumber {
  return typeof value === "object" && value !== null && "number" in value && "countryPhoneCode" in value;
}
