import { money, payoutRangeText } from "../amounts";
import { limitProblem, pickupLimits } from "../limits";
import { t } from "../messages";
import { corridorQuery } from "../routes";
import type { Option } from "../ui/remote_select";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";

/** The transfer's field set that names the pickup point; the review asks for the others. */
export const PICKUP_SET = "PAYER_INFORMATION";
/** The fields of a pickup point, in the order of an address. */
const ADDRESS = ["PAYER_LOCATION", "PAYER", "PAYER_CITY"];

/** Where the recipient collects the money: a pickup point that pays out the amount. */
export function pickupStep(app: App): Step {
  const { checkout } = app;
  const form = new StepForm(app, "pickup-form", finish, { back: "recipient", keptAs: "pickup" });
  const amount = () => checkout.state.quote?.sendAmount;

  function load(): void {
    const { route, values } = checkout.state;
    if (!route) return;
    void form.loadFields((remit, signal) => remit.transferFields(corridorQuery(route), { signal }), {
      values: values.pickup,
      countryIso3Code: route.country.iso3Code,
      shows: (fieldSetId) => fieldSetId === PICKUP_SET,
      accepts: paysOut,
      describe: (description) => payoutRangeText(description, checkout.state.quote),
      noneAccepted: () => t("pickup.none", { amount: money(amount()) }),
    });
  }

  function paysOut({ description }: Option): boolean {
    const sent = amount();
    const limits = sent && pickupLimits(description, sent.currency);
    return !limits || limitProblem(sent, limits) === undefined;
  }

  function finish(): void {
    const values = form.checkedValues();
    if (!values) return;
    const address = ADDRESS.map((id) => form.view?.chosenOption(id)?.name).filter(Boolean).join(", ");
    checkout.change({ pickup: { values, address } });
    app.go("review");
  }

  return form.step({
    title: () => t("pickup.title"),
    about: () => t("pickup.about", { amount: money(amount()) }),
    enter: load,
  });
}
