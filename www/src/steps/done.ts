import { t } from "../messages";
import { recipientOf } from "../sent_transfers";
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
    if (view.status === "PENDING") return ".pending";
    return view.status === "COMPLETE" ? ".complete" : "";
  };
  const about = () => {
    const recipient = transfer && recipientOf(transfer, sent);
    if (outcome() === ".bad") return t("done.about.bad");
    return outcome() === ".complete" && recipient ? t("done.about.complete", { recipient }) : t("done.about");
  };
  return {
    title: () => t(`done.title${outcome()}`),
    about,
    panel: view.element,
    actions: [openTransfers, button(() => t("done.another"), restart, "primary")],
    enter: () => view.start(),
    leave: () => view.stop(),
  };
}
