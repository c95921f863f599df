import type { Amount, CorridorFieldsQuery, Quote, RecipientAccount, Transfer } from "remitkit";
import { UNKNOWN, money } from "../amounts";
import { formatArrival, formatDateTime } from "../delivery";
import { adjustmentName, t } from "../messages";
import { deliveryLabel, isPickup, type AccountLabel } from "../methods";
import { downloadReceipt } from "../receipt";
import { kit } from "../remit";
import { bankOf, labelOf } from "../saved_records";
import { recipientOf, textsIn, type SentTransfer } from "../sent_transfers";
import { button, isBusy, whileBusy } from "../ui/button";
import { Disclosures } from "../ui/disclosures";
import { h, setText, type LiveText } from "../ui/dom";
import { icon } from "../ui/icons";
import { action, errorNotice, NoticeSlot, retry, type Action } from "../ui/notice";
import { isFinal, statusKey, statusName, timeline, type Statuses } from "../ui/timeline";

const RETRY_S = 5;
/** Frequent at first, when most happens; after the last pause the customer has to ask. */
const PAUSES_S = [2, 2, 3, 4, 5, 5, 10, 10, 15, 15, 30, 30, 60, 60];
const NOT_DELIVERED = ["FAILED", "CANCELED"];

/** Shows a transfer and its progress. */
export class TransferView {
  readonly element: HTMLElement;
  readonly #slot = new NoticeSlot();
  readonly #mark = h("div.done-mark", { "aria-hidden": "true" });
  readonly #badge = h("span.status-badge");
  readonly #spoken = h("p.visually-hidden", { role: "status" });
  readonly #course = h("div");
  readonly #check = button(() => t("done.check"), () => void this.#checkAgain(), "quiet");
  readonly #receipt = button(() => t("done.receipt"), () => void this.#download(), "quiet");
  readonly #number = h("dd.code.big", { "data-confirmation": true });
  readonly #facts = h("dl.facts");
  readonly #disclaimers = new Disclosures("transfer", () => t("done.disclaimers"));
  readonly #leaving = new AbortController();
  readonly #signal = this.#leaving.signal;
  #account: AccountLabel;
  #status = "";

  /** Calls `changed` when the status changes. */
  constructor(
    private transfer: Transfer & { recovered?: boolean },
    private readonly sent: SentTransfer | undefined,
    private readonly changed: () => void,
  ) {
    const { status, createdAt, recovered } = transfer;
    this.#account = sent?.account ?? labelOf(accountIn(transfer));
    this.#showStatuses([{ status: status ?? "Unknown", changedDate: createdAt ?? null }]);
    this.#showDetails();
    this.element = h("div.stack.done", [
      h("div.done-head", this.#mark, h("dl", fact(() => t("done.confirmation"), this.#number))),
      recovered && h("p.muted", () => t("done.recovered")),
      h("div.done-status.spread", h("h2", () => t("done.status"), " ", this.#badge), this.#check),
      this.#course,
      this.#spoken,
      this.#slot.element,
      this.#facts,
      this.#disclaimers.element,
      h("p.muted", () => t("done.keep")),
      // The service's receipt is in English and UTC; the page is in the customer's language and zone.
      h("div.button-row", button(() => t("done.print"), () => print(), "quiet"), this.#receipt),
    ]);
  }

  /** What the transfer has come to, as the titles tell it. */
  get outcome(): ".bad" | ".complete" | ".pending" | "" {
    if (NOT_DELIVERED.includes(this.#status)) return ".bad";
    if (this.#status === "COMPLETE") return ".complete";
    return this.#status === "PENDING" ? ".pending" : "";
  }

  start(): void {
    void this.#follow();
    void this.#readDetails();
  }

  stop(): void {
    this.#leaving.abort();
  }

  /** Asks for the statuses until one is final. */
  async #follow(): Promise<void> {
    try {
      await this.#readStatuses();
      for (const pause of PAUSES_S) {
        if (isFinal(this.#status)) return;
        do await this.#wait(pause);
        while (document.hidden && !this.#signal.aborted);
        await this.#readStatuses();
      }
    } catch (error) {
      this.#showError(error, action("done.check", () => void this.#checkAgain()));
    }
  }

  async #readStatuses(): Promise<void> {
    const { transferId } = this.transfer;
    const { statuses } = await (await kit()).transferStatuses(transferId, { signal: this.#signal });
    if (!this.#signal.aborted) this.#showStatuses(statuses);
  }

  /** Reads what the page was not told: details, if the SDK only learned that it was made, and the bank. */
  async #readDetails(): Promise<void> {
    const signal = this.#signal;
    while (!this.transfer.confirmationNumber && !signal.aborted) {
      try {
        this.transfer = await (await kit()).getTransfer(this.transfer.transferId, { signal });
      } catch {
        await this.#wait(RETRY_S);
      }
    }
    if (signal.aborted) return;
    this.#showDetails();
    if (this.sent?.account) return;
    // The transfer has an id of the bank.
    const bank = await bankNameOf(this.transfer, signal).catch(() => undefined);
    this.#account = { ...labelOf(accountIn(this.transfer)), bank };
    if (!signal.aborted) this.#showDetails();
  }

  #showDetails(): void {
    const { confirmationNumber, disclaimers } = this.transfer;
    this.#number.textContent = String(confirmationNumber ?? UNKNOWN);
    this.#facts.replaceChildren(...factsOf(this.transfer, this.sent, this.#account, isFinal(this.#status)));
    this.#disclaimers.show(disclaimers);
  }

  #showStatuses(statuses: Statuses): void {
    this.#course.replaceChildren(timeline(statuses));
    const last = statuses.at(-1)?.status;
    const key = statusKey(last);
    if (key === this.#status) return;
    const isFirst = this.#status === "";
    this.#status = key;
    const name = () => statusName(key, last);
    this.#badge.setAttribute("data-status", key);
    setText(this.#badge, name);
    if (isFinal(key) && document.activeElement === this.#check) this.#receipt.focus();
    this.#check.classList.toggle("gone", isFinal(key));
    this.#mark.replaceChildren(icon(this.outcome === ".bad" ? "alert" : "check"));
    this.#mark.toggleAttribute("data-bad", this.outcome === ".bad");
    // The heading of the step announces the first status.
    if (isFirst) return;
    this.#showDetails();
    setText(this.#spoken, () => `${t("done.status")}: ${name()}`);
    this.changed();
  }

  async #checkAgain(): Promise<void> {
    const failed = action("done.check", () => void this.#checkAgain());
    await this.#work(this.#check, () => t("done.checking"), () => this.#readStatuses(), failed);
  }

  async #download(): Promise<void> {
    const { transferId, confirmationNumber } = this.transfer;
    const name = `${t("done.receipt.file")}-${confirmationNumber ?? transferId}`;
    const work = () => downloadReceipt(transferId, name, this.#signal);
    await this.#work(this.#receipt, () => t("done.receipt.fetching"), work, retry(() => void this.#download()));
  }

  async #work(pressed: HTMLButtonElement, label: LiveText, work: () => Promise<void>, failed: Action) {
    if (isBusy(pressed)) return;
    try {
      await whileBusy(pressed, label, work);
      this.#slot.clear();
    } catch (error) {
      this.#showError(error, failed);
    }
  }

  #showError(error: unknown, way: Action): void {
    if (!this.#signal.aborted) this.#slot.show(errorNotice(error, [way]));
  }

  #wait(seconds: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  }
}

function factsOf(transfer: Transfer, sent: SentTransfer | undefined, account: AccountLabel, isOver: boolean) {
  const { quote, createdAt, dateAvailable, transferId } = transfer;
  const text = (label: LiveText, value: LiveText, name?: string) => fact(label, h("dd", value), name);
  const recipient = recipientOf(transfer, sent);
  const method = quote?.transferMethod;
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
    fact(() => t("done.id"), h("dd.code", { "data-transfer": true }, transferId)),
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
function accountIn(transfer: Transfer): Partial<RecipientAccount> {
  return transfer.recipientAccountDetails ?? {};
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
  return bankOf(accountIn(transfer), fields, signal);
}
