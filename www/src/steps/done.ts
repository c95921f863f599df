import { money } from "../amounts";
import { momentWords } from "../delivery";
import { currentLocale, t } from "../messages";
import { downloadReceipt } from "../receipt";
import { isFinal, Tracking, statusKey, type Statuses } from "../tracking";
import { busyButton, button, isBusy, setBusy } from "../ui/button";
import { follow, h, setText, type LiveText } from "../ui/dom";
import { icon } from "../ui/icons";
import { errorNotice, NoticeSlot } from "../ui/notice";
import { statusName, Timeline } from "../ui/timeline";
import type { App, Step } from "./step";

const ENDED_BADLY = new Set(["FAILED", "CANCELED"]);

/** The transfer that the service has recorded, and how far it is. */
export function doneStep(app: App): Step {
  const { transfer, sent } = app.checkout.state;
  const slot = new NoticeSlot();
  const mark = h("div", { class: "done-mark", "aria-hidden": "true" });
  const badge = h("span", { class: "status-badge" });
  const spoken = h("p", { class: "visually-hidden", role: "status" });
  const timeline = new Timeline();
  const check = busyButton(() => t("done.check"), () => void refresh());
  const receipt = busyButton(() => t("done.receipt"), () => void download());
  const leaving = new AbortController();
  const tracking = transfer && new Tracking(transfer.transferId, show);
  let status = "";

  function show(statuses: Statuses): void {
    timeline.show(statuses);
    const last = statuses.at(-1)?.status;
    const key = statusKey(last);
    if (key === status) return;
    const first = status === "";
    status = key;
    badge.setAttribute("data-status", key);
    // The button keeps its room, so that the course below stays where it is.
    if (isFinal(key) && document.activeElement === check) receipt.focus();
    check.classList.toggle("gone", isFinal(key));
    setText(badge, () => statusName(key, last));
    mark.replaceChildren(icon(ENDED_BADLY.has(key) ? "alert" : "check"));
    mark.toggleAttribute("data-bad", ENDED_BADLY.has(key));
    // The heading has said it already when the step began.
    if (first) return;
    setText(spoken, () => `${t("done.status")}: ${statusName(key, last)}`);
    app.retitle();
  }

  async function refresh(): Promise<void> {
    if (!tracking || isBusy(check)) return;
    setBusy(check, true, () => t("done.checking"));
    try {
      await tracking.ask();
      slot.clear();
    } catch (error) {
      failed(error);
    } finally {
      setBusy(check, false, () => t("done.check"));
    }
  }

  async function download(): Promise<void> {
    if (!transfer || isBusy(receipt)) return;
    setBusy(receipt, true, () => t("done.receipt.fetching"));
    try {
      await downloadReceipt(transfer.transferId, `${t("done.receipt.file")}-${transfer.confirmationNumber ?? transfer.transferId}`, leaving.signal);
      slot.clear();
    } catch (error) {
      if (!leaving.signal.aborted) slot.show(errorNotice(error, [{ label: () => t("action.again"), run: () => void download() }]));
    } finally {
      setBusy(receipt, false, () => t("done.receipt"));
    }
  }

  function failed(error: unknown): void {
    if (!leaving.signal.aborted) slot.show(errorNotice(error, [{ label: () => t("done.check"), run: () => void refresh() }]));
  }

  function restart(): void {
    app.checkout.restart();
    app.go("amount");
  }

  if (transfer) show([{ status: transfer.status ?? "Unknown", changedDate: transfer.createdAt ?? null }]);
  const created = h("dd");
  follow(created, () => {
    const at = new Date(transfer?.createdAt ?? Number.NaN);
    created.textContent = Number.isNaN(at.valueOf())
      ? "\u2013"
      : at.toLocaleString(currentLocale(), { dateStyle: "medium", timeStyle: "short" });
  });
  const available = new Date(transfer?.dateAvailable ?? Number.NaN);
  const panel = h(
    "div",
    { class: "stack done" },
    h("div", { class: "done-head" }, mark, h("dl", {}, fact(() => t("done.confirmation"), h("dd", { class: "code big", "data-confirmation": true }, String(transfer?.confirmationNumber ?? "\u2013"))))),
    transfer?.recovered && h("p", { class: "muted" }, () => t("done.recovered")),
    h("div", { class: "done-status" }, h("h2", {}, () => t("done.status"), " ", badge), check),
    timeline.element,
    spoken,
    slot.element,
    h(
      "dl",
      { class: "facts" },
      sent?.recipient && fact(() => t("review.recipient"), h("dd", {}, sent.recipient)),
      sent && fact(() => t("summary.send"), h("dd", {}, () => money(sent.amount))),
      !Number.isNaN(available.valueOf()) && fact(() => t("delivery.by"), h("dd", {}, () => momentWords(available))),
      fact(() => t("done.created"), created),
      fact(() => t("done.id"), h("dd", { class: "code", "data-transfer": true }, transfer?.transferId ?? "\u2013")),
    ),
    h("p", { class: "muted" }, () => t("done.keep")),
    receipt,
  );

  return {
    title: () => t(ENDED_BADLY.has(status) ? "done.title.bad" : status === "COMPLETE" ? "done.title.complete" : "done.title"),
    about: () => t(ENDED_BADLY.has(status) ? "done.about.bad" : "done.about"),
    panel,
    actions: [button(() => t("done.another"), restart, "primary")],
    enter: () => tracking?.start(failed),
    leave() {
      tracking?.stop();
      leaving.abort();
    },
  };
}

function fact(label: LiveText, value: HTMLElement): HTMLElement {
  return h("div", { class: "fact" }, h("dt", {}, label), value);
}
