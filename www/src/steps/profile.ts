import type { FieldForm, FieldValues, Sender } from "remitkit";
import { NEEDED_AGAIN } from "../field_problems";
import { t } from "../messages";
import { isPhoneNumber, readRecord } from "../saved_records";
import { notice } from "../ui/notice";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

/** The customer's own details at the service. */
export function profileStep(app: App): Step {
  const options = { label: () => t("profile.save"), back: "origin" } as const;
  const form = new StepForm(app, "profile-form", finish, options);
  let sender: Sender | undefined;
  let before: FieldValues = {};
  let masked: ReadonlyMap<string, string> = new Map();

  function load(): void {
    void form.load(
      6,
      async (remit, signal) => {
        const { senderId } = await remit.senderId({ signal });
        const known = await remit.getSender(senderId, { signal });
        return { known, fields: await remit.senderFields({ senderType: typeOf(known) }, { signal }) };
      },
      ({ known, fields }) => show(known, fields),
    );
  }

  function show(known: Sender, fields: FieldForm): void {
    sender = known;
    ({ values: before, masked } = readRecord(known));
    const phone = Object.values(before).find(isPhoneNumber);
    const { countryIso3Code = "USA", countryPhoneCode: phoneCode = "1" } = phone ?? {};
    form.setFields(fields, { values: before, masked, countryIso3Code, phoneCode, isOwn: true });
    form.show();
  }

  async function finish(): Promise<void> {
    const { view, fields } = form;
    const values = form.checkedValues();
    if (!sender || !view || !fields || !values) return;
    const ids = view.fieldIds();
    const isRemoving = ids.some((id) => before[id] !== undefined && values[id] === undefined);
    const isChanged = (id: string) => JSON.stringify(values[id]) !== JSON.stringify(before[id]);
    const changed = Object.fromEntries(Object.entries(values).filter(([id]) => isChanged(id)));
    if (!isRemoving && Object.keys(changed).length === 0) return report("info", "profile.unchanged");
    // An update keeps what it leaves out. To remove a value, the whole record has to be replaced, which takes
    // all of its values.
    const isUnknown = (id: string) => masked.has(id) && values[id] === undefined;
    const unknown = isRemoving ? view.fieldIds(true).filter(isUnknown) : [];
    if (unknown.length > 0) {
      view.show(unknown.map((fieldId) => ({ fieldId, code: NEEDED_AGAIN, message: "" })));
      return;
    }
    const hidden = Object.fromEntries(Object.entries(before).filter(([id]) => !ids.includes(id)));
    const sent = fields.toFields(isRemoving ? { ...hidden, ...values } : changed);
    const { senderId } = sender;
    const record = { senderType: typeOf(sender), fields: sent };
    await form.send(async (remit, signal) => {
      const saved = isRemoving
        ? await remit.replaceSender(senderId, record, { signal })
        : await remit.updateSender(senderId, record, { signal });
      show(saved, fields);
      report("success", "profile.saved");
    });
  }

  function report(tone: "success" | "info", text: "profile.saved" | "profile.unchanged"): void {
    form.slot.show(notice({ tone, title: () => t(text) }));
  }

  return form.step({ title: () => t("profile.title"), about: () => t("profile.about"), enter: load });
}

function typeOf({ senderType }: Sender) {
  return senderType ?? "PERSON";
}
