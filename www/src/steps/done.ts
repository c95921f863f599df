import { currentLocale, lookUp, t } from "../messages";
import { kit } from "../remit";
import { button, isBusy, setBusy } from "../ui/button";
import { follow, h, on, setText } from "../ui/dom";
import { icon } from "../ui/icons";
import { errorNotice, NoticeSlot } from "../ui/notice";
import type { App, Step } from "./step";

/** The transfer that the service has recorded. */
export function doneStep(app: App): Step {
  const { transfer, quote } = app.checkout.state;
  const slot = new NoticeSlot();
  const status = h("span", { class: "status-badge" });
  const check = on(h("button", { type: "button", class: "button quiet" }, h("span", { class: "button-label" }, () => t("done.check"))), {
    click: () => void refresh(),
  });
  const leaving = new AbortController();

  function showStatus(name: string | null | undefined): void {
    const key = (name ?? "Unknown").toUpperCase().replaceAll(" ", "_");
    status.setAttribute("data-status", key);
    setText(status, () => lookUp(`status.${key}`) ?? name ?? t("status.UNKNOWN"));
  }

  async function refresh(): Promise<void> {
    if (!transfer || isBusy(check)) return;
    setBusy(check, true, () => t("done.checking"));
    try {
      const remit = await kit();
      const now = await remit.getTransfer(transfer.transferId, { signal: leaving.signal });
      slot.clear();
      showStatus(now.status);
    } catch (error) {
      if (!leaving.signal.aborted) slot.show(errorNotice(error, []));
    } finally {
      setBusy(check, false, () => t("done.check"));
    }
  }

  function restart(): void {
    app.checkout.restart();
    app.go("amount");
  }

  showStatus(transfer?.status);
  const created = h("dd");
  follow(created, () => {
    const at = new Date(transfer?.createdAt ?? Number.NaN);
    created.textContent = Number.isNaN(at.valueOf())
      ? "\u2013"
      : at.toLocaleString(currentLocale(), { dateStyle: "long", timeStyle: "short" });
  });
  const arrives = quote?.deliverySLA?.name;
  const panel = h(
    "div",
    { class: "stack done" },
    h("div", { class: "done-mark" }, icon("check")),
    transfer?.recovered && h("p", { class: "muted" }, () => t("done.recovered")),
    h(
      "dl",
      { class: "facts" },
      h("div", { class: "fact" }, h("dt", {}, () => t("done.confirmation")), h("dd", { class: "code big", "data-confirmation": true }, String(transfer?.confirmationNumber ?? "\u2013"))),
      h("div", { class: "fact" }, h("dt", {}, () => t("done.status")), h("dd", {}, status, check)),
      arrives && h("div", { class: "fact" }, h("dt", {}, () => t("summary.arrives")), h("dd", {}, h("span", { class: "sentence" }, arrives))),
      h("div", { class: "fact" }, h("dt", {}, () => t("done.created")), created),
      h("div", { class: "fact" }, h("dt", {}, () => t("done.id")), h("dd", { class: "code", "data-transfer": true }, transfer?.transferId ?? "\u2013")),
    ),
    slot.element,
    h("p", { class: "muted" }, () => t("done.keep")),
  );

  return {
    title: () => t("done.title"),
    about: () => t("done.about"),
    panel,
    actions: [button(() => t("done.another"), restart, "primary")],
    leave: () => leaving.abort(),
  };
}
