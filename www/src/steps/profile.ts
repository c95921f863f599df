import { isRemitError, type FieldForm, type FieldValues, type PhoneNumber, type Sender } from "remitkit";
import { NEEDED_AGAIN } from "../field_problems";
import { t } from "../messages";
import { kit } from "../remit";
import { button, isBusy, setBusy, submitButton } from "../ui/button";
import { h, on } from "../ui/dom";
import { FieldFormView } from "../ui/field_form";
import { errorNotice, notice } from "../ui/notice";
import { fetchInto } from "./fetching";
import type { App, Step } from "./step";

const FORM = "profile-form";

/** What the service knows of the customer, to be corrected by them. */
export function profileStep(app: App): Step {
  const slot = app.headSlot();
  const place = h("div", { class: "form-place" });
  const submit = submitButton(() => t("profile.save"), FORM);
  submit.hidden = true;
  const panel = on(h("form", { id: FORM, novalidate: true, class: "stack" }, slot.element, place), {
    submit: (event) => void finish(event),
  });
  const goBack = () => app.go(app.origin);
  const leaving = new AbortController();
  const { signal } = leaving;
  let sender: Sender | undefined;
  let form: FieldForm | undefined;
  let view: FieldFormView | undefined;
  let before: FieldValues = {};
  let masked: ReadonlyMap<string, string> = new Map();

  async function load(): Promise<void> {
    const fetching = { place, slot, rows: 6, goBack, signal };
    const fetched = await fetchInto(
      fetching,
      async (remit) => {
        const { senderId } = await remit.senderId({ signal });
        const known = await remit.getSender(senderId, { signal });
        return { known, form: await remit.senderFields({ senderType: known.senderType ?? "PERSON" }, { signal }) };
      },
      () => void load(),
    );
    if (!fetched) return;
    form = fetched.form;
    show(fetched.known);
  }

  function show(known: Sender): void {
    if (!form) return;
    sender = known;
    const record = readRecord(known);
    const { values } = record;
    before = values;
    masked = record.masked;
    const phone = Object.values(values).find((value): value is PhoneNumber => typeof value === "object");
    view = new FieldFormView(form, values, { countryIso3Code: phone?.countryIso3Code ?? "USA", phoneCode: phone?.countryPhoneCode ?? "1", isOwn: true }, masked);
    place.replaceChildren(view.element);
    submit.hidden = false;
  }

  async function finish(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (isBusy(submit) || !sender || !view || !form) return;
    slot.clear();
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
    slot.clear();
    setBusy(submit, true, () => t("action.saving"));
    try {
      const remit = await kit();
      const { senderId, senderType } = sender;
      const request = (fields: FieldValues) => ({ senderType: senderType ?? "PERSON", fields: form?.toFields(fields) ?? [] });
      const asked = new Set(view.asked());
      const kept = Object.fromEntries(Object.entries(before).filter(([id]) => !asked.has(id)));
      const now =
        emptied.length > 0
          ? await remit.replaceSender(senderId, request({ ...kept, ...values }), { signal })
          : await remit.updateSender(senderId, request(changed), { signal });
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
    actions: [button(() => t("profile.back"), goBack), submit],
    enter: () => void load(),
    leave: () => leaving.abort(),
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
