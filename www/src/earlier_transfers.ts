import type { Transfer, TransferAttempt } from "remitkit";
import { explain } from "./errors";
import { t } from "./messages";
import { kit } from "./remit";
import { retryPause } from "./sending";
import * as store from "./sent_transfers";
import type { SentTransfer } from "./sent_transfers";
import { figure, h, type LiveText } from "./ui/dom";
import { action, notice, type Tone } from "./ui/notice";

type State = "asking" | "unknown" | "made" | "refused";

interface EarlierTransfer {
  readonly sent: SentTransfer;
  attempt?: TransferAttempt | undefined;
  state: State;
  transfer?: Transfer | undefined;
  error?: unknown;
  /** Ends the pause before the next request. A request itself is never aborted: leaving must not resend. */
  pause: AbortController;
}

export interface NextTransfer {
  description: LiveText;
  send: () => void;
}

const TONES: Record<State, Tone> = { asking: "info", unknown: "warning", made: "success", refused: "error" };

/**
 * The transfers whose outcome this page did not see: a reload interrupted them, or another tab sent them.
 * They are reconciled in the background. Until then Send is blocked, unless the customer wants both. Dispatches
 * `change` after each change.
 */
export class EarlierTransfers extends EventTarget {
  readonly element = h("div.notice-slot");
  readonly #all = new Map<string, EarlierTransfer>();
  #next: NextTransfer | undefined;

  constructor(private readonly showTransfer: (transfer: Transfer, sent: SentTransfer) => void) {
    super();
  }

  /** Whether a transfer has to be reconciled or confirmed before the next one is sent. */
  get isBlocking(): boolean {
    return [...this.#all.values()].some(mayBeRepeated);
  }

  /** Whether a transfer may still be sent again. */
  get isSettling(): boolean {
    return [...this.#all.values()].some(({ state }) => state === "asking" || state === "unknown");
  }

  /**
   * Finds open transfers in the SDK's journal and in the shop's storage. `isLocked` says that no other page
   * is sending. Rejects if the journal can't tell.
   */
  async refresh(isLocked = false): Promise<void> {
    const pending = await (await kit()).pendingTransfers();
    const sent = store.sentTransfers();
    const shown = store.shownTransfer();
    // A customer who wanted both knows that there is another transfer, but not how it ended.
    const hasNews = (id: string) =>
      sent.some((one) => one.quoteHistoryId === id && !one.isShown && (!shown || one.transferId !== shown));
    const isKnown = (id: string) => store.isKnown(id) && !hasNews(id);
    for (const attempt of pending) {
      const { quoteHistoryId: id, createdAt: at, sendAmount: amount } = attempt;
      const own = sent.find((one) => one.quoteHistoryId === id);
      // The page that prepared it is gone, and resuming would send it.
      if (attempt.state === "PREPARED" && isLocked && own) await this.#discard(attempt);
      const { state } = attempt;
      if (state === "PREPARED" || state === "DISCARDED") continue;
      if (!isKnown(id)) this.#add(own ?? { quoteHistoryId: id, at, amount }, attempt);
      else if (state === "CREATED") void attempt.acknowledge().catch(() => {});
    }
    const isPending = (id: string) => pending.some(({ quoteHistoryId }) => quoteHistoryId === id);
    for (const one of store.sentTransfers()) {
      const { quoteHistoryId: id } = one;
      if (!isKnown(id) && !isPending(id)) this.#add(one);
    }
  }

  /** Discards an attempt, unless the service knows that it was sent. Rejects if that is not known. */
  async #discard(attempt: TransferAttempt): Promise<void> {
    try {
      await attempt.discard();
      store.forgetSent(attempt.quoteHistoryId);
    } catch (error) {
      if (attempt.state === "PREPARED") throw error;
    }
  }

  /** Looks for transfers when the page opens. Shows at once what turns out within `timeoutMs` to be made. */
  async start(timeoutMs: number): Promise<void> {
    await this.refresh().catch(() => {
      // The journal can't tell yet: keep asking for what the shop itself remembers.
      for (const one of store.sentTransfers()) if (!one.isShown) this.#add(one);
    });
    const open = [...this.#all.values()].find(({ state }) => state === "asking");
    if (!open) return;
    await new Promise<void>((resolve) => {
      setTimeout(resolve, timeoutMs);
      this.addEventListener("change", () => open.state !== "asking" && resolve());
    });
    if (open.state === "made") void this.#open(open);
  }

  /**
   * Asks for the outcome of a transfer that this page has sent, until it is known: the transfer, or the error if
   * it was not made. Returns undefined if the customer has seen it meanwhile. `error` says why it is not known.
   */
  async settle(attempt: TransferAttempt, sent: SentTransfer, error: unknown) {
    const { quoteHistoryId: id } = sent;
    const open: EarlierTransfer = { sent, attempt, state: "unknown", error, pause: new AbortController() };
    this.#all.set(id, open);
    this.#changed();
    this.focus();
    if (!(await this.#settle(open))) return undefined;
    this.drop(id);
    return open;
  }

  /** Offers to send `next` beside the earlier transfers. */
  offer(next: NextTransfer | undefined): void {
    if (this.#next === next) return;
    this.#next = next;
    this.#changed();
  }

  focus(): void {
    const shown = this.element.querySelector<HTMLElement>(".notice");
    shown?.scrollIntoView({ block: "center" });
    shown?.focus({ preventScroll: true });
  }

  /** Removes the transfers that were not made: a new one replaces them. */
  dropRefused(): void {
    for (const [id, { state }] of this.#all) if (state === "refused") this.#all.delete(id);
    this.#changed();
  }

  drop(id: string): void {
    this.#all.delete(id);
    this.#changed();
  }

  #add(sent: SentTransfer, attempt?: TransferAttempt): void {
    const { quoteHistoryId: id } = sent;
    const existing = this.#all.get(id);
    if (existing && existing.state !== "refused") return;
    const state = sent.isShown ? "made" : "asking";
    const earlier: EarlierTransfer = { sent, attempt, state, pause: new AbortController() };
    this.#all.set(id, earlier);
    if (state === "asking") void this.#settle(earlier);
    this.#changed();
  }

  /** Asks until the outcome is known. Returns false if the customer has seen it meanwhile. */
  async #settle(earlier: EarlierTransfer): Promise<boolean> {
    const { quoteHistoryId: id } = earlier.sent;
    for (let turn = 0; ; turn += 1) {
      const state = await this.#ask(earlier);
      if (this.#all.get(id) !== earlier) return false;
      if (state === "refused") store.forgetSent(id);
      if (state === undefined) this.drop(id);
      else if (state !== earlier.state) {
        earlier.state = state;
        this.#changed();
      }
      if (state !== "unknown") return true;
      await retryPause(turn, earlier.pause.signal);
      earlier.pause = new AbortController();
    }
  }

  /** Asks for the outcome once; returns undefined if nothing was sent. */
  async #ask(earlier: EarlierTransfer): Promise<State | undefined> {
    const { quoteHistoryId: id } = earlier.sent;
    try {
      const remit = await kit();
      earlier.attempt ??= (await remit.pendingTransfers()).find((one) => one.quoteHistoryId === id);
      const { attempt } = earlier;
      if (attempt && attempt.state !== "PREPARED") {
        earlier.transfer = await attempt.resume();
        return "made";
      }
      // The journal drops settled attempts. The page that settled this one closed before it could show it; or
      // a copy of this tab has sent it.
      const { transferRecordStatus, transferId } = await remit.transferProgress(id);
      if (transferRecordStatus === "Initializing") return "unknown";
      if (!transferId) {
        // That the outcome was not known is no reason why nothing was sent.
        earlier.error = undefined;
        return attempt ? undefined : "refused";
      }
      earlier.transfer = await remit.getTransfer(transferId);
      return "made";
    } catch (error) {
      if (earlier.attempt?.state !== "REFUSED") return "unknown";
      earlier.error = error;
      return "refused";
    }
  }

  async #open(earlier: EarlierTransfer): Promise<void> {
    try {
      const transferId = earlier.transfer?.transferId ?? earlier.sent.transferId;
      if (transferId !== undefined) earlier.transfer ??= await (await kit()).getTransfer(transferId);
      if (earlier.transfer) this.showTransfer(earlier.transfer, earlier.sent);
    } catch (error) {
      earlier.error = error;
      this.#changed();
    }
  }

  #dismiss({ sent, state, transfer }: EarlierTransfer): void {
    if (state === "made" && transfer) store.rememberMade(sent, transfer.transferId, true);
    this.drop(sent.quoteHistoryId);
  }

  #confirmBoth(next: NextTransfer): void {
    for (const earlier of [...this.#all.values()].filter(mayBeRepeated)) {
      store.markKnown(earlier.sent.quoteHistoryId);
      if (earlier.state === "made") this.#dismiss(earlier);
    }
    this.#changed();
    next.send();
  }

  #changed(): void {
    // What another tab has shown matters only if this tab might send it again.
    const matters = (one: EarlierTransfer) => !one.sent.isShown || (this.#next && mayBeRepeated(one));
    const shown = [...this.#all.values()].filter(matters);
    const focused = this.element.querySelector<HTMLElement>(".notice:focus-within")?.dataset["quote"];
    this.element.replaceChildren(...shown.map((earlier) => this.#view(earlier)));
    if (focused) {
      const notice = this.element.querySelector<HTMLElement>(`.notice[data-quote="${focused}"]`);
      notice?.focus({ preventScroll: true });
    }
    this.dispatchEvent(new Event("change"));
  }

  #view(earlier: EarlierTransfer): HTMLElement {
    const { state, sent, error } = earlier;
    const next = mayBeRepeated(earlier) ? this.#next : undefined;
    const reason = error === undefined ? undefined : explain(error);
    const why = state === "unknown" ? undefined : reason?.text;
    const actions: HTMLElement[] = [];
    if (state === "unknown") actions.push(action("unsettled.ask", () => earlier.pause.abort()));
    if (state === "made") actions.push(action("earlier.show", () => void this.#open(earlier)));
    const both = state === "made" ? "earlier.also" : "earlier.both";
    if (next) actions.push(action(both, () => this.#confirmBoth(next)));
    else if (state === "made" || state === "refused") {
      actions.push(action("action.dismiss", () => this.#dismiss(earlier)));
    }
    return notice({
      tone: TONES[state],
      title: () => t(state === "unknown" ? "unsettled.title" : `earlier.${state}.title`),
      text: figure(h("p", () => store.describeSent(sent))),
      advice: () => [t(`earlier.${state}.text`), why?.()].filter(Boolean).join(" "),
      reference: reason?.reference,
      quote: sent.quoteHistoryId,
      extra: next && h("p", () => t("earlier.another", { what: next.description() })),
      actions,
    });
  }
}

/** Whether the next Send could repeat a transfer that the customer does not know of. */
function mayBeRepeated({ state, sent }: EarlierTransfer): boolean {
  return state !== "refused" && !store.isKnown(sent.quoteHistoryId);
}
