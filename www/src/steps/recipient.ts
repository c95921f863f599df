import type { FieldValues } from "remitkit";
import { t } from "../messages";
import { corridorQuery } from "../routes";
import type { RecipientType } from "../state";
import { Tiles } from "../ui/tiles";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

/** Who gets the money: the fields that the service asks for on this route. */
export function recipientStep(app: App): Step {
  const { checkout } = app;
  const types = new Tiles("recipient-type", () => t("recipient.type"), (value) => {
    form.keep();
    checkout.change({ recipientType: value as RecipientType });
    load();
  });
  const options = { head: types.element, back: "amount", keptAs: "recipient" } as const;
  const form = new StepForm(app, "recipient-form", finish, options);

  function load(): void {
    const { route, recipientType, values, quote } = checkout.state;
    if (!route) return;
    const query = { ...corridorQuery(route), recipientType };
    void form.loadFields((remit, signal) => remit.recipientFields(query, { signal }), {
      values: values.recipient,
      countryIso3Code: route.country.iso3Code,
      phoneCode: quote?.destinationCountry?.phoneCode,
    });
  }

  async function finish(): Promise<void> {
    const { route, recipientType, recipient } = checkout.state;
    const values = form.checkedValues();
    if (!route || !form.fields || !values) return;
    const entered = JSON.stringify(values);
    if (recipient?.values === entered) return app.go("account");
    const fields = form.fields.toFields(values);
    const request = { ...corridorQuery(route), userType: recipientType, fields };
    await form.send(async (remit, signal) => {
      const { recipientId } = await remit.createRecipient(request, { signal });
      checkout.change({ recipient: { id: recipientId, name: nameOf(values), values: entered } });
      if (!signal.aborted) app.go("account");
    });
  }

  return form.step({
    title: () => t("recipient.title"),
    about: () => t("recipient.about"),
    enter() {
      const tiles = [
        { value: "PERSON", label: () => t("recipient.person") },
        { value: "BUSINESS", label: () => t("recipient.business") },
      ];
      types.show(tiles, checkout.state.recipientType);
      load();
    },
  });
}

/** Returns the recipient's name, under either set of field ids that services use. */
function nameOf(values: FieldValues): string {
  const read = (...ids: string[]) => String(ids.map((id) => values[id]).find(Boolean) ?? "");
  const person = `${read("FIRST_NAME", "firstName")} ${read("LAST_NAME", "lastName")}`.trim();
  return read("COMPANY_NAME", "companyName") || person;
}
