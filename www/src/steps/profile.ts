import { isRemitError, type FieldForm, type FieldValues, type PhoneNumber, type Sender } from "remitkit";
import { t } from "../messages";
import { kit } from "../remit";
import { button, isBusy, setBusy, submitButton } from "../ui/button";
import { h, on } from "../ui/dom";
import { FieldFormView } from "../ui/field_form";
import { endWaiting, showWaiting } from "../ui/loading";
import { errorNotice, notice, NoticeSlot } from "../ui/notice";
import type { App, Step } from "./step";

const FORM = "profile-form";

/** What the service knows of the customer, to be corrected by them. */
export function profileStep(app: App): Step {
  const slot = new NoticeSlot();
  const place = h("div", { class: "form-place" });
  const submit = submitButton(() => t("profile.save"), FORM);
  submit.hidden = true;
  const panel = on(h("form", { id: FORM, novalidate: true, class: "stack" }, place, slot.element), {
    submit: (event) => void finish(event),
  });
  const leaving = new AbortController();
  const { signal } = leaving;
  let sender: Sender | undefined;
  let form: FieldForm | undefined;
  let view: FieldFormView | undefined;
  let before: FieldValues = {};

  async function load(): Promise<void> {
    slot.clear();
    showWaiting(place, 6, () => app.go(app.origin));
    try {
      const remit = await kit();
      const { senderId } = await remit.senderId({ signal });
      const known = await remit.getSender(senderId, { signal });
      const fetched = await remit.senderFields({ senderType: known.senderType ?? "PERSON" }, { signal });
      if (signal.aborted) return;
      form = fetched;
      show(known);
    } catch (error) {
      if (signal.aborted) return;
      endWaiting();
      place.replaceChildren();
      slot.show(errorNotice(error, [{ label: () => t("action.again"), run: () => void load() }]));
    }
  }

  function show(known: Sender): void {
    if (!form) return;
    sender = known;
    const { values, masked } = readRecord(known);
    before = values;
    const phone = Object.values(values).find((value): value is PhoneNumber => typeof value === "object");
    view = new FieldFormView(form, values, { countryIso3Code: phone?.countryIso3Code ?? "USA", phoneCode: phone?.countryPhoneCode ?? "1" }, masked);
    place.replaceChildren(view.element);
    endWaiting();
    submit.hidden = false;
  }

  async function finish(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (isBusy(submit) || !sender || !view || !form || !view.check()) return;
    const values = view.values();
    // What is left out of an update stays as it is, so it is no way to take something away.
    const emptied = Object.keys(before).filter((id) => view?.has(id) && values[id] === undefined);
    if (emptied.length > 0) {
      view.show(emptied.map((fieldId) => ({ fieldId, code: "CannotBeEmptied", message: "" })));
      return;
    }
    const changed = Object.fromEntries(Object.entries(values).filter(([id, value]) => JSON.stringify(value) !== JSON.stringify(before[id])));
    if (Object.keys(changed).length === 0) {
      saved("profile.unchanged");
      return;
    }
    slot.clear();
    setBusy(submit, true, () => t("action.saving"));
    try {
      const remit = await kit();
      const request = { senderType: sender.senderType ?? "PERSON", fields: form.toFields(changed) };
      const now = await remit.updateSender(sender.senderId, request, { signal });
      show(now);
      saved("profile.saved");
    } catch (error) {
      if (signal.aborted) return;
      const atFields = isRemitError(error) && error.problems && view?.show(error.problems);
      if (!atFields) slot.show(errorNotice(error, [{ label: () => t("action.again"), run: () => panel.requestSubmit() }]));
    } finally {
      setBusy(submit, false, () => t("profile.save"));
    }
  }

  function saved(text: "profile.saved" | "profile.unchanged"): void {
    slot.show(notice({ tone: text === "profile.saved" ? "success" : "info", title: () => t(text) }));
  }

  return {
    title: () => t("profile.title"),
    about: () => t("profile.about"),
    panel,
    actions: [button(() => t("profile.back"), () => app.go(app.origin)), submit],
    enter: () => void load(),
    leave: () => leaving.abort(),
  };
}

/** The values of a record; those that the service shows in part only are told apart, for they are no values. */
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
