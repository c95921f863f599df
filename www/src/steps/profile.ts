import type { FieldValue, RemitKit, Sender } from "remitkit";
import { t } from "../messages";
import { isPhoneNumber, missingIn, readRecord } from "../saved_records";
import { plainNotice } from "../ui/notice";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

/** The customer's own details at the service. */
export function profileStep(app: App): Step {
  const options = { label: () => t("profile.save"), back: "origin" } as const;
  const form = new StepForm(app, "profile-form", finish, options);
  let sender: Sender | undefined;
  let before: FieldValue[] = [];

  function load(saved?: Sender): void {
    const fetch = async (remit: RemitKit, signal: AbortSignal) => {
      sender = saved ?? (await remit.getSender((await remit.senderId({ signal })).senderId, { signal }));
      const { values, masked } = readRecord(sender);
      const phoneCountry = Object.values(values).find(isPhoneNumber)?.countryIso3Code ?? "USA";
      const query = { senderType: sender.senderType ?? "PERSON" };
      await form.fetchFields("sender", { query, initial: values, masked, phoneCountry });
    };
    const show = () => {
      before = form.fields?.form.toFields() ?? [];
      form.show();
      if (saved) form.slot.show(plainNotice("success", "profile.saved"));
    };
    void form.load(fetch, show, 6);
  }

  async function finish(): Promise<void> {
    const values = form.checkedValues();
    const { fields } = form;
    if (!sender || !fields || !values) return;
    const isSame = (one: FieldValue) => before.some((other) => JSON.stringify(one) === JSON.stringify(other));
    const changed = fields.form.toFields().filter((one) => !isSame(one));
    const isRemoving = before.some(({ id }) => values[id] === undefined);
    if (!isRemoving && changed.length === 0) return form.slot.show(plainNotice("info", "profile.unchanged"));
    // An update keeps what it leaves out. To remove a value, the whole record has to be replaced, which takes
    // all of its values.
    if (isRemoving && fields.askAgain(missingIn(values, sender))) return;
    const { senderId } = sender;
    const senderType = sender.senderType ?? "PERSON";
    const whole = fields.allWith(readRecord(sender).values);
    await form.send(async (remit, signal) => {
      load(
        isRemoving
          ? await remit.replaceSender(senderId, { senderType, fields: whole }, { signal })
          : await remit.updateSender(senderId, { senderType, fields: changed }, { signal }),
      );
    });
  }

  return form.step({ title: () => t("profile.title"), about: () => t("profile.about"), enter: () => load() });
}
