import type { Transfer } from "remitkit";
import { t } from "../messages";
import { recipientOf } from "../sent_transfers";
import { button } from "../ui/button";
import { startAnother, type App, type Step } from "./step";
import { TransferView } from "./transfer_view";

/** The transfer that was made, and the way to the next one. */
export function doneStep(app: App, transfer: Transfer): Step {
  const { sent } = app.checkout.state;
  const view = new TransferView(transfer, sent, () => app.refreshTitle());
  const openTransfers = button(() => t("transfers.title"), () => app.go("transfers"));
  openTransfers.id = "open-transfers";
  const about = () => {
    const recipient = recipientOf(transfer, sent);
    if (view.outcome === ".bad") return t("done.about.bad");
    return view.outcome === ".complete" && recipient ? t("done.about.complete", { recipient }) : t("done.about");
  };
  return {
    title: () => t(`done.title${view.outcome}`),
    about,
    panel: view.element,
    actions: [openTransfers, button(() => t("done.another"), () => startAnother(app), "primary")],
    enter: () => view.start(),
    leave: () => view.stop(),
  };
}
