import type { Amount, RecipientAccount, Transfer } from "remitkit";
import { UNKNOWN, money } from "../amounts";
import { formatArrival, formatDate } from "../delivery";
import { adjustmentName, t, type TextKey } from "../messages";
import { deliveryLabel, isPickup, type AccountLabel } from "../methods";
import { kit } from "../remit";
import { corridorQuery } from "../routes";
import { bankOf, labelOf, typeOf } from "../saved_records";
import { recipientOf, textsIn, type SentTransfer } from "../sent_transfers";
import { button, isBusy, whileBusy } from "../ui/button";
import { Disclosures } from "../ui/disclosures";
import { downloadFile, figure, h, setText, showAll, type LiveText } from "../ui/dom";
import { icon } from "../ui/icons";
import { action, errorNotice, NoticeSlot } from "../ui/notice";
import { isFinal, lastOf, statusKey, statusName, timeline, type Statuses } from "../ui/timeline";

const RETRY_S = 5;
/** Frequent at first, when most happens; after the last pause the customer has to ask. */
const PAUSES_S = [2, 2, 3, 4, 5, 5, 10, 10, 15, 15, 30, 30, 60, 60];
const NOT_DELIVERED = ["FAILED", "CANCELED"];

type AmountName = "send" | "fee" | "total" | "receive";

export class TransferView {
  readonly element: HTMLElement;
  readonly #slot = new NoticeSlot();
  readonly #mark = h("div.done-mark", { "aria-hidden": "true" });
  readonly #badge = h("span.status-badge");
  readonly #spoken = h("p.visually-hidden", { role: "status" });
  readonly #course = h("div");
  readonly #check = this.#button("done.check", "done.checking", "done.check", () => this.#readStatuses());
  readonly #receipt = this.#button("done.receipt", "done.receipt.fetching", "action.again", () => this.#download());
  readonly #number = figure(h("dd.code.big", { "data-confirmation": true }));
  readonly #facts = h("dl.facts");
  readonly #disclaimers = new Disclosures("transfer", () => t("done.disclaimers"));
  readonly #leaving = new AbortController();
  readonly #signal = this.#leaving.signal;
  #account: AccountLabel;
  #status = "";

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
      this.#showError(error, action("done.check", () => this.#check.click()));
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
    setText(this.#number, String(confirmationNumber ?? UNKNOWN));
    showAll(this.#facts, factsOf(this.transfer, this.sent, this.#account, isFinal(this.#status)));
    this.#disclaimers.show(disclaimers);
  }

  #showStatuses(statuses: Statuses): void {
    showAll(this.#course, [timeline(statuses)]);
    const last = lastOf(statuses)?.status;
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

  async #download(): Promise<void> {
    const { transferId, confirmationNumber } = this.transfer;
    const receipt = await (await kit()).transferReceipt(transferId, { signal: this.#signal });
    downloadFile(receipt, `${t("done.receipt.file")}-${confirmationNumber ?? transferId}.pdf`);
  }

  /** Creates a button that is busy while it works. If that fails, the notice offers `again`. */
  #button(label: TextKey, busyLabel: TextKey, again: TextKey, work: () => Promise<void>): HTMLButtonElement {
    const press = async () => {
      if (isBusy(pressed)) return;
      try {
        await whileBusy(pressed, () => t(busyLabel), work);
        this.#slot.clear();
      } catch (error) {
        this.#showError(error, action(again, () => void press()));
      }
    };
    const pressed = button(() => t(label), () => void press(), "quiet");
    return pressed;
  }

  #showError(error: unknown, way: HTMLElement): void {
    if (!this.#signal.aborted) this.#slot.show(errorNotice(error, [way]));
  }

  #wait(seconds: number): Promise<void> {
    return new Promise((resolve) => setTimeout(resolve, seconds * 1_000));
  }
}

function factsOf(transfer: Transfer, sent: SentTransfer | undefined, account: AccountLabel, isOver: boolean) {
  const { quote, createdAt, dateAvailable, transferId } = transfer;
  const text = (name: string | undefined, label: LiveText, value: LiveText) => fact(label, h("dd", value), name);
  const amount = (name: AmountName, one: Amount | null | undefined, label = () => t(`summary.${name}`)) => {
    return one && fact(label, figure(h("dd", () => money(one))), name);
  };
  const recipient = recipientOf(transfer, sent);
  const method = quote?.transferMethod;
  const isToCollect = isPickup(method);
  const pickup = isToCollect && sent?.pickup;
  const facts = [
    recipient && fact(() => t("steps.recipient"), figure(h("dd", recipient)), "recipient"),
    method && text("way", () => t("amount.method"), () => deliveryLabel(method, account)),
    pickup && text("pickup", () => t("review.pickup"), () => pickup),
    !isOver && isToCollect && text("bring", () => t("done.bring"), () => t("done.bring.what")),
    amount("send", quote?.sendAmount ?? sent?.amount),
    ...(quote?.adjustments ?? []).map((fee) => amount("fee", fee.amount, () => adjustmentName(fee))),
    amount("total", quote?.totalCost),
    amount("receive", quote?.receiveAmount),
    !isOver && dateAvailable && text("by", () => t("delivery.by"), () => formatArrival(dateAvailable)),
    text(undefined, () => t("done.created"), () => formatDate(createdAt, "short")),
    fact(() => t("done.id"), figure(h("dd.code", { "data-transfer": true }, transferId))),
  ];
  return facts.filter((one) => one instanceof HTMLElement);
}

function fact(label: LiveText, value: HTMLElement, name?: string): HTMLElement {
  return h("div.fact", { "data-fact": name }, h("dt", label), value);
}

/** Returns the account of a transfer. The interface does not define its shape: this is what the service sends. */
function accountIn(transfer: Transfer): Partial<RecipientAccount> {
  return transfer.recipientAccountDetails ?? {};
}

async function bankNameOf(transfer: Transfer, signal: AbortSignal): Promise<string | undefined> {
  const { destinationCountry: country, receiveAmount, transferMethod } = transfer.quote ?? {};
  if (transferMethod !== "BANK_ACCOUNT" || !country || !receiveAmount) return undefined;
  const corridor = corridorQuery({ country, transferMethod, destination: receiveAmount.currency });
  const recipientType = typeOf(textsIn(transfer.recipientDetails));
  const fields = await (await kit()).recipientAccountFields({ ...corridor, recipientType }, { signal });
  return bankOf(accountIn(transfer), fields, signal);
}
