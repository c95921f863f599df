import type { Amount, CorridorFieldsQuery, Quote, RecipientAccount, Transfer } from "remitkit";
import { UNKNOWN, money } from "../amounts";
import { formatArrival, formatDateTime } from "../delivery";
import { adjustmentName, t } from "../messages";
import { deliveryLabel, isPickup, type AccountLabel } from "../methods";
import { downloadReceipt } from "../receipt";
import { kit } from "../remit";
import { bankOf, labelOf } from "../saved_records";
import { recipientOf, textsIn, type SentTransfer } from "../sent_transfers";
import { isFinal, statusKey, Tracking, type Statuses } from "../tracking";
import { button, isBusy, whileBusy } from "../ui/button";
import { Disclosures } from "../ui/disclosures";
import { h, setText, type LiveText } from "../ui/dom";
import { icon } from "../ui/icons";
import { action, errorNotice, NoticeSlot, retry, type Action } from "../ui/notice";
import { statusName, timeline } from "../ui/timeline";

const RETRY_MS = 5_000;
export const NOT_DELIVERED = new Set(["FAILED", "CANCELED"]);

export interface TransferView {
  readonly element: HTMLElement;
  /** The key of the current status; empty until one is known. */
  readonly status: string;
  start(): void;
  stop(): void;
}

/** Shows a transfer and its progress. Calls `changed` when its status changes. */
export function transferView(
  transfer: (Transfer & { recovered?: boolean }) | undefined,
  sent: SentTransfer | undefined,
  changed: () => void,
): TransferView {
  const slot = new NoticeSlot();
  const mark = h("div.done-mark", { "aria-hidden": "true" });
  const badge = h("span.status-badge");
  const spoken = h("p.visually-hidden", { role: "status" });
  const course = h("div");
  const check = button(() => t("done.check"), () => void refresh(), "quiet");
  const receipt = button(() => t("done.receipt"), () => void download(), "quiet");
  // The service's receipt is in English and UTC; the page is in the customer's language and zone.
  const printed = button(() => t("done.print"), () => print(), "quiet");
  const leaving = new AbortController();
  const { signal } = leaving;
  const tracking = transfer && new Tracking(transfer.transferId, showStatuses);
  const number = h("dd.code.big", { "data-confirmation": true });
  const facts = h("dl.facts");
  const disclaimers = new Disclosures("transfer", () => t("done.disclaimers"));
  let known = transfer;
  let account = sent?.account ?? labelOf(detailsOf(transfer));
  let timer: ReturnType<typeof setTimeout> | undefined;
  let status = "";

  /** Reads the details of a transfer of which the SDK only learned that it was made. */
  async function readDetails(): Promise<void> {
    if (!known || known.confirmationNumber) return;
    try {
      known = await (await kit()).getTransfer(known.transferId, { signal });
      showDetails();
      void readAccount();
    } catch {
      if (!signal.aborted) timer = setTimeout(() => void readDetails(), RETRY_MS);
    }
  }

  /** Reads the name of the bank, of which the transfer has an id, unless this browser has sent it. */
  async function readAccount(): Promise<void> {
    if (!known?.quote || sent?.account) return;
    const details = detailsOf(known);
    account = { ...labelOf(details), bank: await bankNameOf(known, signal).catch(() => undefined) };
    if (!signal.aborted) showDetails();
  }

  function showDetails(): void {
    number.textContent = String(known?.confirmationNumber ?? UNKNOWN);
    facts.replaceChildren(...factsOf(known, sent, account, isFinal(status)));
    disclaimers.show(known?.disclaimers);
  }

  function showStatuses(statuses: Statuses): void {
    course.replaceChildren(timeline(statuses));
    const last = statuses.at(-1)?.status;
    const key = statusKey(last);
    if (key === status) return;
    const isFirst = status === "";
    status = key;
    badge.setAttribute("data-status", key);
    if (isFinal(key) && document.activeElement === check) receipt.focus();
    check.classList.toggle("gone", isFinal(key));
    if (isFinal(key)) showDetails();
    setText(badge, () => statusName(key, last));
    mark.replaceChildren(icon(NOT_DELIVERED.has(key) ? "alert" : "check"));
    mark.toggleAttribute("data-bad", NOT_DELIVERED.has(key));
    // The heading of the step announces the first status.
    if (isFirst) return;
    setText(spoken, () => `${t("done.status")}: ${statusName(key, last)}`);
    changed();
  }

  async function refresh(): Promise<void> {
    if (!tracking || isBusy(check)) return;
    const work = () => tracking.refresh().then(() => slot.clear());
    await whileBusy(check, () => t("done.checking"), work).catch(trackingFailed);
  }

  function trackingFailed(error: unknown): void {
    showError(error, action("done.check", () => void refresh()));
  }

  async function download(): Promise<void> {
    if (!transfer || isBusy(receipt)) return;
    const { transferId } = transfer;
    const name = `${t("done.receipt.file")}-${known?.confirmationNumber ?? transferId}`;
    const work = () => downloadReceipt(transferId, name, signal).then(() => slot.clear());
    await whileBusy(receipt, () => t("done.receipt.fetching"), work).catch((error: unknown) => {
      showError(error, retry(() => void download()));
    });
  }

  function showError(error: unknown, way: Action): void {
    if (!signal.aborted) slot.show(errorNotice(error, [way]));
  }

  if (transfer) {
    const { status: first, createdAt } = transfer;
    showStatuses([{ status: first ?? "Unknown", changedDate: createdAt ?? null }]);
  }
  showDetails();
  const element = h("div.stack.done", [
    h("div.done-head", mark, h("dl", fact(() => t("done.confirmation"), number))),
    transfer?.recovered && h("p.muted", () => t("done.recovered")),
    h("div.done-status.spread", h("h2", () => t("done.status"), " ", badge), check),
    course,
    spoken,
    slot.element,
    facts,
    disclaimers.element,
    h("p.muted", () => t("done.keep")),
    h("div.button-row", printed, receipt),
  ]);
  return {
    element,
    get status() {
      return status;
    },
    start() {
      tracking?.start(trackingFailed);
      void readDetails();
      void readAccount();
    },
    stop() {
      tracking?.stop();
      clearTimeout(timer);
      leaving.abort();
    },
  };
}

function factsOf(
  transfer: Transfer | undefined,
  sent: SentTransfer | undefined,
  account: AccountLabel,
  isOver: boolean,
) {
  const { quote, createdAt, dateAvailable } = transfer ?? {};
  const text = (label: LiveText, value: LiveText, name?: string) => fact(label, h("dd", value), name);
  const recipient = transfer && recipientOf(transfer, sent);
  const method = quote?.transferMethod;
  const id = h("dd.code", { "data-transfer": true }, transfer?.transferId ?? UNKNOWN);
  const pickup = isPickup(method) && sent?.pickup;
  const by = new Date(dateAvailable ?? Number.NaN);
  return [
    ...(recipient ? [text(() => t("steps.recipient"), () => recipient, "recipient")] : []),
    ...(method ? [text(() => t("amount.method"), () => deliveryLabel(method, account), "way")] : []),
    ...(pickup ? [text(() => t("review.pickup"), () => pickup, "pickup")] : []),
    ...(!isOver && isPickup(method) ? [text(() => t("done.bring"), () => t("done.bring.what"), "bring")] : []),
    ...amountsOf(quote, sent).map(({ name, label, amount }) => text(label, () => money(amount), name)),
    ...(!isOver && dateAvailable ? [text(() => t("delivery.by"), () => formatArrival(by), "by")] : []),
    text(() => t("done.created"), () => formatDateTime(new Date(createdAt ?? Number.NaN))),
    fact(() => t("done.id"), id),
  ];
}

function fact(label: LiveText, value: HTMLElement, name?: string): HTMLElement {
  return h("div.fact", { "data-fact": name }, h("dt", label), value);
}

function amountsOf(quote: Quote | null | undefined, sent: SentTransfer | undefined) {
  const summary = (name: "send" | "total" | "receive", amount: Amount | null | undefined) =>
    amount ? [{ name: name as string, label: () => t(`summary.${name}`), amount }] : [];
  const fees = quote?.adjustments ?? [];
  return [
    ...summary("send", quote?.sendAmount ?? sent?.amount),
    ...fees.map((fee) => ({ name: "fee", label: () => adjustmentName(fee), amount: fee.amount })),
    ...summary("total", quote?.totalCost),
    ...summary("receive", quote?.receiveAmount),
  ];
}

/** Returns the account of a transfer. The interface does not define its shape: this is what the service sends. */
function detailsOf(transfer: Transfer | undefined): Partial<RecipientAccount> {
  return transfer?.recipientAccountDetails ?? {};
}

async function bankNameOf(transfer: Transfer, signal: AbortSignal): Promise<string | undefined> {
  const { destinationCountry, receiveAmount, transferMethod } = transfer.quote ?? {};
  if (transferMethod !== "BANK_ACCOUNT" || !destinationCountry || !receiveAmount) return undefined;
  const query: CorridorFieldsQuery = {
    dstCountryIso3Code: destinationCountry.iso3Code,
    dstCurrencyIso3Code: receiveAmount.currency.iso3Code,
    transferMethod,
    recipientType: textsIn(transfer.recipientDetails)["recipientType"] === "BUSINESS" ? "BUSINESS" : "PERSON",
  };
  const fields = await (await kit()).recipientAccountFields(query, { signal });
  return bankOf(detailsOf(transfer), fields, signal);
}
