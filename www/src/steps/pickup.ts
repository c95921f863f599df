import { money } from "../amounts";
import { limitProblem, pickupLimits } from "../limits";
import { t } from "../messages";
import { corridorQuery } from "../routes";
import { button, submitButton } from "../ui/button";
import { h, on } from "../ui/dom";
import { FieldFormView } from "../ui/field_form";
import { fetchInto } from "./fetching";
import type { App, Step } from "./step";

const FORM = "pickup-form";
/** The transfer's field set that says where the money is collected; the review asks for the others. */
export const PICKUP_SET = "PAYER_INFORMATION";
// From the point to the city, as an address is written.
const POINT = ["PAYER_LOCATION", "PAYER", "PAYER_CITY"];

/** Where the money is collected, of the points that pay out so much. */
export function pickupStep(app: App): Step {
  const { checkout } = app;
  const slot = app.headSlot();
  const place = h("div", { class: "stack" });
  const submit = submitButton(() => t("action.continue"), FORM);
  submit.hidden = true;
  const panel = on(h("form", { id: FORM, novalidate: true, class: "stack" }, slot.element, place), { submit: finish });
  const goBack = () => app.go("recipient");
  const leaving = new AbortController();
  const { signal } = leaving;
  let view: FieldFormView | undefined;

  async function load(): Promise<void> {
    const { route, pickupValues } = checkout.state;
    if (!route) return;
    const fetching = { place, slot, rows: 4, goBack, signal };
    const form = await fetchInto(fetching, (remit) => remit.transferFields(corridorQuery(route), { signal }), () => void load());
    if (!form) return;
    const options = { shows: (set: string) => set === PICKUP_SET, fits, unfit: () => t("pickup.none", { amount: money(amount()) }) };
    view = new FieldFormView(form, pickupValues, { countryIso3Code: route.country.iso3Code }, undefined, options);
    place.replaceChildren(view.element);
    submit.hidden = false;
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

  function finish(event: SubmitEvent): void {
    event.preventDefault();
    if (!view?.check()) return;
    const words = POINT.map((id) => view?.chosen(id)?.name).filter(Boolean).join(", ");
    checkout.change({ pickup: { values: view.values(), words } });
    app.go("review");
  }

  return {
    title: () => t("pickup.title"),
    about: () => t("pickup.about", { amount: money(amount()) }),
    panel,
    actions: [button(() => t("action.back"), goBack), submit],
    enter: () => void load(),
    keep,
    leave() {
      keep();
      leaving.abort();
    },
  };
}
