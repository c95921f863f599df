import type { FieldChoice } from "remitkit/fields";
import { money, payoutRange } from "../amounts";
import { t } from "../messages";
import { corridorQuery } from "../routes";
import type { FieldsOptions } from "../ui/fields";
import { notice, NoticeSlot } from "../ui/notice";
import { given, type App, type Step } from "./step";
import { StepForm } from "./step_form";

/** The transfer's field set that names the pickup point; the review asks for the others. */
export const PICKUP_SET = "PAYER_INFORMATION";
/** The fields of a pickup point, in the order of an address. */
const ADDRESS = ["PAYER_LOCATION", "PAYER", "PAYER_CITY"];

/** Where the recipient collects the money: a pickup point that pays out the amount. */
export function pickupStep(app: App): Step {
  const { checkout } = app;
  const route = given(app, "route");
  const form = new StepForm(app, "pickup-form", finish, { back: "recipient" });
  const amount = () => money(checkout.state.quote?.sendAmount);
  /** The names of the choices by their ids; what customers read has the range too. */
  const names = new Map<unknown, string>();
  /** Beside the fields, where it stays while their problems are shown. */
  const noneSlot = new NoticeSlot();

  function load(): void {
    const options: FieldsOptions = {
      query: corridorQuery(route),
      country: route.country,
      filter: (_, { fieldSetId }) => fieldSetId === PICKUP_SET,
      options: (_, choices) => offer(choices),
    };
    void form.load(() => form.fetchFields("transfer", options, "pickup"), () => {
      if (form.fields) form.show(noneSlot.element, form.fields.element);
    });
  }

  /** Lists all pickup points, but offers only those that pay out the amount. */
  function offer(choices: readonly FieldChoice[]): readonly FieldChoice[] {
    const offered = choices.map((choice: FieldChoice & { description?: unknown }) => {
      const { id, name = id, description } = choice;
      names.set(id, name);
      if (typeof description !== "string") return choice;
      const { text, isCovering } = payoutRange(description, checkout.state.quote);
      return { ...choice, name: `${name} (${text})`, disabled: !isCovering };
    });
    if (offered.some(({ description }) => description)) sayIfNone(offered.every(({ disabled }) => disabled));
    return offered;
  }

  /** The choices are read again with each change of the form. */
  function sayIfNone(isNone: boolean): void {
    if (isNone !== noneSlot.isEmpty) return;
    const title = () => t("pickup.none", { amount: amount() });
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
    about: () => t("pickup.about", { amount: amount() }),
    enter: load,
  });
}
