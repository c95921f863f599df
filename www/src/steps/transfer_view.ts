import type { Amount, Quote, Transfer } from "remitkit";
import { money } from "../amounts";
import { momentWords } from "../delivery";
import { adjustmentName, currentLocale, t } from "../messages";
import { wayWords } from "../methods";
import { downloadReceipt } from "../receipt";
import { kit } from "../remit";
import { recipientName, type Sent } from "../sent";
import { isFinal, Tracking, statusKey, type Statuses } from "../tracking";
import { busyButton, isBusy, setBusy } from "../ui/button";
import { follow, h, setText, type LiveText } from "../ui/dom";
import { icon } from "../ui/icons";
import { errorNotice, NoticeSlot } from "../ui/notice";
import { statusName, Timeline } from "../ui/timeline";

const ABSENT = "\u2013";
const AGAIN_MS = 5_000;
export const ENDED_BADLY = new Set(["FAILED", "CANCELED"]);

type ShownTransfer = Transfer & { recovered?: boolean };

/** What is shown of a transfer, and the life of it on the page. */
export interface TransferView {
  readonly element: HTMLElement;
  /** The key of its status; empty until one is known. */
  readonly status: string;
  start(): void;
  stop(): void;
}

/** Shows a recorded transfer and its progress. Calls `changed` when its status changes. */
export function transferView(transfer: ShownTransfer | undefined, sent: Sent | undefined, changed: () => void): TransferView {
  const slot = new NoticeSlot();
  const mark = h("div", { class: "done-mark", "aria-hidden": "true" });
  const badge = h("span", { class: "status-badge" });
  const spoken = h("p", { class: "visually-hidden", role: "status" });
  const timeline = new Timeline();
  const check = busyButton(() => t("done.check"), () => void refresh());
  const receipt = busyButton(() => t("done.receipt"), () => void download());
  const leaving = new AbortController();
  const tracking = transfer && new Tracking(transfer.transferId, show);
  const number = h("dd", { class: "code big", "data-confirmation": true });
  const facts = h("dl", { class: "facts" });
  let known = transfer;
  let again: ReturnType<typeof setTimeout> | undefined;
  let status = "";

  /** Without a connection the SDK may know only that it was made: the rest is read when the service answers. */
  async function complete(): Promise<void> {
    if (!known || known.confirmationNumber) return;
    try {
      const remit = await kit();
      known = await remit.getTransfer(known.transferId, { signal: leaving.signal });
      fill();
    } catch {
      if (!leaving.signal.aborted) again = setTimeout(() => void complete(), AGAIN_MS);
    }
  }

  function fill(): void {
    number.textContent = String(known?.confirmationNumber ?? ABSENT);
    facts.replaceChildren(...factsOf(known, sent, isFinal(status)));
  }

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
    if (isFinal(key)) fill();
    setText(badge, () => statusName(key, last));
    mark.replaceChildren(icon(ENDED_BADLY.has(key) ? "alert" : "check"));
    mark.toggleAttribute("data-bad", ENDED_BADLY.has(key));
    // The heading has said it already when the step began.
    if (first) return;
    setText(spoken, () => `${t("done.status")}: ${statusName(key, last)}`);
    changed();
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
      await downloadReceipt(transfer.transferId, `${t("done.receipt.file")}-${known?.confirmationNumber ?? transfer.transferId}`, leaving.signal);
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

  if (transfer) show([{ status: transfer.status ?? "Unknown", changedDate: transfer.createdAt ?? null }]);
  fill();
  const element = h(
    "div",
    { class: "stack done" },
    h("div", { class: "done-head" }, mark, h("dl", {}, fact(() => t("done.confirmation"), number))),
    transfer?.recovered && h("p", { class: "muted" }, () => t("done.recovered")),
    h("div", { class: "done-status spread" }, h("h2", {}, () => t("done.status"), " ", badge), check),
    timeline.element,
    spoken,
    slot.element,
    facts,
    h("p", { class: "muted" }, () => t("done.keep")),
    receipt,
  );

  return {
    element,
    get status() {
      return status;
    },
    start() {
      tracking?.start(failed);
      void complete();
    },
    stop() {
      tracking?.stop();
      clearTimeout(again);
      leaving.abort();
    },
  };
}

function factsOf(transfer: Transfer | undefined, sent: Sent | undefined, isOver: boolean): HTMLElement[] {
  const created = h("dd");
  follow(created, () => {
    const at = new Date(transfer?.createdAt ?? Number.NaN);
    created.textContent = Number.isNaN(at.valueOf()) ? ABSENT : at.toLocaleString(currentLocale(), { dateStyle: "medium", timeStyle: "short" });
  });
  const { quote, recipientDetails, recipientAccountDetails } = transfer ?? {};
  const name = sent?.recipient ?? recipientName(texts(recipientDetails));
  const ending = sent?.ending ?? endingOf(recipientAccountDetails);
  const method = quote?.transferMethod;
  const available = new Date(transfer?.dateAvailable ?? Number.NaN);
  return [
    name && fact(() => t("review.recipient"), h("dd", {}, name), "recipient"),
    method && fact(() => t("review.account"), h("dd", {}, () => wayWords(method, { ending, name: cardNameOf(recipientAccountDetails) })), "way"),
    ...amountsOf(quote, sent).map(({ key, label, amount }) => fact(label, h("dd", {}, () => money(amount)), key)),
    !isOver && !Number.isNaN(available.valueOf()) && fact(() => t("delivery.by"), h("dd", {}, () => momentWords(available)), "by"),
    fact(() => t("done.created"), created),
    fact(() => t("done.id"), h("dd", { class: "code", "data-transfer": true }, transfer?.transferId ?? ABSENT)),
  ].filter((row) => row instanceof HTMLElement);
}

function fact(label: LiveText, value: HTMLElement, name?: string): HTMLElement {
  return h("div", { class: "fact", "data-fact": name }, h("dt", {}, label), value);
}

function amountsOf(quote: Quote | null | undefined, sent: Sent | undefined): { key: string; label: LiveText; amount: Amount }[] {
  const all = [
    { key: "send", label: () => t("summary.send"), amount: quote?.sendAmount ?? sent?.amount },
    ...(quote?.adjustments ?? []).map((fee) => ({ key: "fee", label: () => adjustmentName(fee), amount: fee.amount })),
    { key: "total", label: () => t("summary.total"), amount: quote?.totalCost },
    { key: "receive", label: () => t("summary.receive"), amount: quote?.receiveAmount },
  ];
  return all.flatMap(({ amount, ...rest }) => (amount ? [{ ...rest, amount }] : []));
}

// The interface leaves open what the service says of a recipient and an account; what is there is used.
function endingOf(details: unknown): string | undefined {
  const phone = fieldsOf(details).map(({ value }) => texts(value)["number"]).find(Boolean);
  return /(\w{4})$/.exec(texts(details)["accountNumber"] ?? phone ?? "")?.[1];
}

function cardNameOf(details: unknown): string | undefined {
  return fieldsOf(details).map((field) => texts(field)).find(({ id }) => id === "CARD_NICKNAME")?.["value"];
}

function fieldsOf(details: unknown): { value?: unknown }[] {
  const { fields } = (details ?? {}) as { fields?: unknown };
  return Array.isArray(fields) ? fields.filter((field) => typeof field === "object" && field !== null) : [];
}

function texts(details: unknown): Record<string, string> {
  if (typeof details !== "object" || details === null) return {};
  return Object.fromEntries(Object.entries(details).filter(([, value]) => typeof value === "string"));
}
