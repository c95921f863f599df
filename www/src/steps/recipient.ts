import { isRemitError, type FieldForm, type FieldValues } from "remitkit";
import { t } from "../messages";
import { kit } from "../remit";
import { corridorQuery } from "../routes";
import type { RecipientType } from "../state";
import { button, isBusy, setBusy, submitButton } from "../ui/button";
import { h, on } from "../ui/dom";
import { FieldFormView } from "../ui/field_form";
import { endWaiting, showWaiting } from "../ui/loading";
import { errorNotice } from "../ui/notice";
import { Tiles } from "../ui/tiles";
import type { App, Step } from "./step";

const FORM = "recipient-form";

/** Who gets the money: a form made from what the service asks for on this route now. */
export function recipientStep(app: App): Step {
  const { checkout } = app;
  const slot = app.headSlot();
  const place = h("div", { class: "form-place" });
  const submit = submitButton(() => t("action.continue"), FORM);
  const types = new Tiles("recipient-type", () => t("recipient.type"), (value) => {
    keep();
    checkout.change({ recipientType: value as RecipientType });
    void load();
  });
  const panel = on(h("form", { id: FORM, novalidate: true, class: "stack" }, slot.element, types.element, place), {
    submit: (event) => void finish(event),
  });

  let leaving = new AbortController();
  let form: FieldForm | undefined;
  let view: FieldFormView | undefined;

  async function load(): Promise<void> {
    const { route, recipientType, recipientValues, quote } = checkout.state;
    if (!route) return;
    leaving.abort();
    leaving = new AbortController();
    const { signal } = leaving;
    slot.clear();
    view = undefined;
    showWaiting(place, 4, () => app.go("amount"));
    try {
      const remit = await kit();
      const fetched = await remit.recipientFields({ ...corridorQuery(route), recipientType }, { signal });
      if (signal.aborted) return;
      form = fetched;
      view = new FieldFormView(fetched, recipientValues, {
        countryIso3Code: route.country.iso3Code,
        phoneCode: quote?.destinationCountry?.phoneCode ?? undefined,
      });
      place.replaceChildren(view.element);
      submit.hidden = false;
      endWaiting();
    } catch (error) {
      if (signal.aborted) return;
      endWaiting();
      place.replaceChildren();
      submit.hidden = true;
      slot.show(errorNotice(error, [{ label: () => t("action.again"), run: () => void load() }]));
    }
  }

  function keep(): void {
    if (view) checkout.change({ recipientValues: { ...checkout.state.recipientValues, ...view.values() } });
  }

  async function finish(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { route, recipientType, recipient } = checkout.state;
    if (isBusy(submit) || !route || !view || !form) return;
    slot.clear();
    if (!view.check()) return;
    const { signal } = leaving;
    const values = view.values();
    const entered = JSON.stringify(values);
    checkout.change({ recipientValues: values });
    if (recipient?.values === entered) {
      app.go("account");
      return;
    }
    setBusy(submit, true, () => t("action.saving"));
    try {
      const remit = await kit();
      const made = await remit.createRecipient(
        { ...corridorQuery(route), userType: recipientType, fields: form.toFields(values) },
        { signal },
      );
      checkout.change({ recipient: { id: made.recipientId, name: nameOf(values), values: entered } });
      if (!signal.aborted) app.go("account");
    } catch (error) {
      if (signal.aborted) return;
      const atFields = isRemitError(error) && error.problems && view.show(error.problems);
      if (!atFields) slot.show(errorNotice(error, [{ label: () => t("action.again"), run: () => panel.requestSubmit() }]));
    } finally {
      setBusy(submit, false, () => t("action.continue"));
    }
  }

  return {
    title: () => t("recipient.title"),
    about: () => t("recipient.about"),
    panel,
    actions: [button(() => t("action.back"), () => app.go("amount")), submit],
    enter() {
      types.show(
        [
          { value: "PERSON", label: () => t("recipient.person") },
          { value: "BUSINESS", label: () => t("recipient.business") },
        ],
        checkout.state.recipientType,
      );
      void load();
    },
    keep,
    leave() {
      keep();
      leaving.abort();
    },
  };
}

/** The recipient's name, by whichever ids the service asked for it. */
export function nameOf(values: FieldValues): string {
  const read = (...ids: string[]) => ids.map((id) => values[id]).find((value) => typeof value === "string") ?? "";
  const person = `${read("FIRST_NAME", "firstName")} ${read("LAST_NAME", "lastName")}`.trim();
  return String(read("COMPANY_NAME", "companyName")) || person;
}
