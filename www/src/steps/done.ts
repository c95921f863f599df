import { t } from "../messages";
import { button } from "../ui/button";
import type { App, Step } from "./step";
import { NOT_DELIVERED, transferView } from "./transfer_view";

/** The transfer that was made, and the way to the next one. */
export function doneStep(app: App): Step {
  const { transfer, sent } = app.checkout.state;
  const view = transferView(transfer, sent, () => app.refreshTitle());
  const openTransfers = button(() => t("transfers.title"), () => app.go("transfers"));
  openTransfers.id = "open-transfers";
  const restart = () => {
    app.checkout.restart();
    app.go("amount");
  };
  const outcome = () => {
    if (NOT_DELIVERED.has(view.status)) return ".bad";
    return view.status === "COMPLETE" ? ".complete" : "";
  };
  return {
    title: () => t(`done.title${outcome()}`),
    about: () => t(outcome() === ".bad" ? "done.about.bad" : "done.about"),
    panel: view.element,
    actions: [openTransfers, button(() => t("done.another"), restart, "primary")],
    enter: () => view.start(),
    leave: () => view.stop(),
  };
}
