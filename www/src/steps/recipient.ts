import type { FieldForm, FieldValues } from "remitkit";
import { t } from "../messages";
import { corridorQuery } from "../routes";
import type { RecipientType } from "../state";
import { button } from "../ui/button";
import { FieldFormView } from "../ui/field_form";
import { Tiles } from "../ui/tiles";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

/** Who gets the money: a form made from what the service asks for on this route now. */
export function recipientStep(app: App): Step {
  const { checkout } = app;
  const goBack = () => app.go("amount");
  const types = new Tiles("recipient-type", () => t("recipient.type"), (value) => {
    keep();
    checkout.change({ recipientType: value as RecipientType });
    load();
  });
  const form = new StepForm(app, "recipient-form", finish, { head: types.element, goBack });
  let fields: FieldForm | undefined;
  let view: FieldFormView | undefined;

  function load(): void {
    const { route, recipientType, recipientValues, quote } = checkout.state;
    if (!route) return;
    view = undefined;
    const query = { ...corridorQuery(route), recipientType };
    void form.load(4, (remit, signal) => remit.recipientFields(query, { signal }), (fetched) => {
      fields = fetched;
      view = new FieldFormView(fetched, recipientValues, {
        countryIso3Code: route.country.iso3Code,
        phoneCode: quote?.destinationCountry?.phoneCode ?? undefined,
      });
      form.ask(view.element);
    });
  }

  function keep(): void {
    if (view) checkout.change({ recipientValues: { ...checkout.state.recipientValues, ...view.values() } });
  }

  async function finish(): Promise<void> {
    const { route, recipientType, recipient } = checkout.state;
    const asked = fields;
    if (!route || !view || !asked) return;
    form.slot.clear();
    if (!view.check()) return;
    const values = view.values();
    const entered = JSON.stringify(values);
    checkout.change({ recipientValues: values });
    if (recipient?.values === entered) {
      app.go("account");
      return;
    }
    await form.send(
      async (remit, signal) => {
        const request = { ...corridorQuery(route), userType: recipientType, fields: asked.toFields(values) };
        const { recipientId } = await remit.createRecipient(request, { signal });
        checkout.change({ recipient: { id: recipientId, name: nameOf(values), values: entered } });
        if (!signal.aborted) app.go("account");
      },
      (problems) => view?.show(problems) ?? false,
    );
  }

  return {
    title: () => t("recipient.title"),
    about: () => t("recipient.about"),
    panel: form.panel,
    actions: [button(() => t("action.back"), goBack), form.submit],
    enter() {
      types.show(
        [
          { value: "PERSON", label: () => t("recipient.person") },
          { value: "BUSINESS", label: () => t("recipient.business") },
        ],
        checkout.state.recipientType,
      );
      load();
    },
    keep,
    leave() {
      keep();
      form.leave();
    },
  };
}

/** The recipient's name, by whichever ids the service asked for it. */
export function nameOf(values: FieldValues): string {
  const read = (...ids: string[]) => ids.map((id) => values[id]).find((value) => typeof value === "string") ?? "";
  const person = `${read("FIRST_NAME", "firstName")} ${read("LAST_NAME", "lastName")}`.trim();
  return String(read("COMPANY_NAME", "companyName")) || person;
}
