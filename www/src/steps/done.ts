import { t } from "../messages";
import { button } from "../ui/button";
import type { App, Step } from "./step";
import { ENDED_BADLY, transferView } from "./transfer_view";

/** The transfer that was made, and the way to the next one. */
export function doneStep(app: App): Step {
  const { transfer, sent } = app.checkout.state;
  const view = transferView(transfer, sent, () => app.retitle());

  const open = button(() => t("transfers.open"), () => app.go("transfers"));
  open.id = "open-transfers";

  function restart(): void {
    app.checkout.restart();
    app.go("amount");
  }

  return {
    title: () => t(ENDED_BADLY.has(view.status) ? "done.title.bad" : view.status === "COMPLETE" ? "done.title.complete" : "done.title"),
    about: () => t(ENDED_BADLY.has(view.status) ? "done.about.bad" : "done.about"),
    panel: view.element,
    actions: [open, button(() => t("done.another"), restart, "primary")],
    enter: () => view.start(),
    leave: () => view.stop(),
  };
}
