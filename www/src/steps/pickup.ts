import type { FieldChoice } from "remitkit/fields";
import { money, payoutRangeText } from "../amounts";
import { limitProblem, pickupLimits } from "../limits";
import { t } from "../messages";
import { corridorQuery } from "../routes";
import type { FieldsOptions } from "../ui/fields";
import { notice, NoticeSlot } from "../ui/notice";
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
  /** The names of the choices by their ids; what customers read has the range too. */
  const names = new Map<unknown, string>();
  /** Beside the fields, where it stays while their problems are shown. */
  const noneSlot = new NoticeSlot();

  function load(): void {
    const { route, values } = checkout.state;
    if (!route) return;
    const options: FieldsOptions = {
      query: corridorQuery(route),
      values: values.pickup,
      country: route.country,
      filter: (_, { fieldSetId }) => fieldSetId === PICKUP_SET,
      options: (_, choices) => offer(choices),
    };
    const show = () => form.fields && form.show(noneSlot.element, form.fields.element);
    void form.loadFields("transfer", options, undefined, show);
  }

  /** Lists all pickup points, but offers only those that pay out the amount. */
  function offer(choices: readonly FieldChoice[]): readonly FieldChoice[] {
    const offered = choices.map((choice: FieldChoice & { description?: unknown }) => {
      const { id, name = id, description } = choice;
      names.set(id, name);
      if (typeof description !== "string") return choice;
      const range = payoutRangeText(description, checkout.state.quote);
      return { ...choice, name: `${name} (${range})`, disabled: !paysOut(description) };
    });
    if (offered.some(({ description }) => description)) sayIfNone(offered.every(({ disabled }) => disabled));
    return offered;
  }

  function paysOut(description: string): boolean {
    const sent = amount();
    const limits = sent && pickupLimits(description, sent.currency);
    return !limits || limitProblem(sent, limits) === undefined;
  }

  /** The choices are read again with each change of the form. */
  function sayIfNone(isNone: boolean): void {
    if (isNone !== noneSlot.isEmpty) return;
    const title = () => t("pickup.none", { amount: money(amount()) });
    if (isNone) noneSlot.put(notice({ tone: "warning", title }));
    else noneSlot.clear();
  }

  function finish(): void {
    const values = form.checkedValues();
    if (!values) return;
    const address = ADDRESS.map((id) => names.get(values[id])).filter(Boolean).join(", ");
    checkout.change({ pickup: { values, address } });
    app.go("review");
  }

  return form.step({
    title: () => t("pickup.title"),
    about: () => t("pickup.about", { amount: money(amount()) }),
    enter: load,
  });
}
