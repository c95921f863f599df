import { money } from "../amounts";
import { limitProblem, pickupLimits } from "../limits";
import { t } from "../messages";
import { corridorQuery } from "../routes";
import { button } from "../ui/button";
import { FieldFormView } from "../ui/field_form";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

/** The transfer's field set that says where the money is collected; the review asks for the others. */
export const PICKUP_SET = "PAYER_INFORMATION";
// From the point to the city, as an address is written.
const POINT = ["PAYER_LOCATION", "PAYER", "PAYER_CITY"];

/** Where the money is collected, of the points that pay out so much. */
export function pickupStep(app: App): Step {
  const { checkout } = app;
  const goBack = () => app.go("recipient");
  const form = new StepForm(app, "pickup-form", finish, { goBack });
  let view: FieldFormView | undefined;

  function load(): void {
    const { route, pickupValues } = checkout.state;
    if (!route) return;
    void form.load(4, (remit, signal) => remit.transferFields(corridorQuery(route), { signal }), (fetched) => {
      const part = { shows: (set: string) => set === PICKUP_SET, fits, unfit: () => t("pickup.none", { amount: money(amount()) }) };
      view = new FieldFormView(fetched, pickupValues, { countryIso3Code: route.country.iso3Code }, undefined, part);
      form.ask(view.element);
    });
  }

  function amount() {
    return checkout.state.quote?.sendAmount;
  }

  function fits({ description }: { description?: unknown }): boolean {
    const sent = amount();
    const limits = sent && pickupLimits(description, sent.currency);
    return !limits || limitProblem(sent, limits) === undefined;
  }

  function keep(): void {
    if (view) checkout.change({ pickupValues: view.values() });
  }

  function finish(): void {
    if (!view?.check()) return;
    const words = POINT.map((id) => view?.chosen(id)?.name).filter(Boolean).join(", ");
    checkout.change({ pickup: { values: view.values(), words } });
    app.go("review");
  }

  return {
    title: () => t("pickup.title"),
    about: () => t("pickup.about", { amount: money(amount()) }),
    panel: form.panel,
    actions: [button(() => t("action.back"), goBack), form.submit],
    enter: load,
    keep,
    leave() {
      keep();
      form.leave();
    },
  };
}
