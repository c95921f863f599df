import type { Transfer, TransferAttempt } from "remitkit";
import { explain } from "./errors";
import { t } from "./messages";
import { kit } from "./remit";
import { forgetSent, knownTransfers, noteKnown, noteTold, recipientName, sentOf, sentTransfers, sentWords, shownTransfer, type Sent } from "./sent";
import { connectionBack, isOpen } from "./sending";
import { h, type LiveText } from "./ui/dom";
import { notice, type Action, type Tone } from "./ui/notice";

type State = "asking" | "unknown" | "made" | "refused";

interface Earlier {
  readonly id: string;
  sent: Sent | undefined;
  attempt?: TransferAttempt | undefined;
  state: State;
  transfer?: Transfer | undefined;
  error?: unknown;
  /** Ends the pause before the next question. A question is never aborted: leaving must not resend. */
  pause: AbortController;
}

/** The transfer that the customer is about to send beside an earlier one. */
export interface Another {
  words: LiveText;
  send: () => void;
}

const TONES: Record<State, Tone> = { asking: "info", unknown: "warning", made: "success", refused: "error" };
const DESCRIBE_MS = 3_000;

/**
 * The transfers whose end this page did not see: a reload interrupted them, or another tab has them. They are
 * settled unasked, and until then, or until the customer wants both, nothing else is sent.
 */
export class EarlierTransfers {
  readonly element = h("div", { class: "notice-slot" });
  readonly #all = new Map<string, Earlier>();
  readonly #listeners = new Set<() => void>();
  readonly #show: (transfer: Transfer, sent: Sent | undefined) => void;
  #another: Another | undefined;

  /** `show` leads to the page of a transfer. */
  constructor(show: (transfer: Transfer, sent: Sent | undefined) => void) {
    this.#show = show;
  }

  /** Whether something has to be settled, or confirmed, before another transfer is sent. */
  get isBlocking(): boolean {
    return this.#blocking().length > 0;
  }

  /** Calls `listener` after each change, until the returned function is called. */
  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Finds open transfers in the journal and in the shop's own storage. `isAlone` says that no other page is
   * sending. Rejects if they cannot be learnt.
   */
  async look(isAlone = false): Promise<void> {
    const remit = await kit();
    const pending = await remit.pendingTransfers();
    const sent = sentTransfers();
    const shown = shownTransfer();
    // Who wanted both knows only that there is another, and not how it ended.
    const isUntold = ({ isShown, transferId }: Sent) => !isShown && !(shown && transferId === shown);
    const known = knownTransfers().filter((id) => !sent.some((one) => one.quoteHistoryId === id && isUntold(one)));
    for (const attempt of pending) {
      const { quoteHistoryId: id, state } = attempt;
      if (state === "PREPARED") {
        // It never left its page, which is gone, and to resume it would send it.
        if (isAlone && sent.some((one) => one.quoteHistoryId === id)) await attempt.discard().then(() => forgetSent(id), () => {});
      } else if (known.includes(id)) {
        if (state === "CREATED") void attempt.acknowledge().catch(() => {});
      } else {
        this.#take(id, sent.find((one) => one.quoteHistoryId === id), attempt);
      }
    }
    for (const one of sentTransfers()) {
      const { quoteHistoryId: id } = one;
      if (!known.includes(id) && !pending.some((attempt) => attempt.quoteHistoryId === id)) this.#take(id, one);
    }
  }

  /** Looks when the page begins. What turns out within `patienceMs` to have been made is shown at once. */
  async begin(patienceMs: number): Promise<void> {
    const remembered = sentTransfers().filter(({ isShown }) => !isShown);
    await this.look().catch(() => {
      // Whose the transfers are cannot be learnt now; what the shop remembers is asked for until it is.
      for (const one of remembered) this.#take(one.quoteHistoryId, one);
    });
    const open = [...this.#all.values()].find(({ state }) => state === "asking");
    if (!open) return;
    const isSettled = await new Promise<boolean>((resolve) => {
      setTimeout(resolve, patienceMs, false);
      this.watch(() => open.state !== "asking" && resolve(true));
    });
    if (isSettled && open.state === "made") void this.#open(open);
  }

  /** Says beside each notice that another transfer is about to be sent, and lets the customer want both. */
  offer(another: Another | undefined): void {
    if (this.#another === another) return;
    this.#another = another;
    this.#changed();
  }

  /** Leads to what Send waits for. */
  lead(): void {
    const shown = this.element.querySelector<HTMLElement>(".notice");
    shown?.scrollIntoView({ block: "center" });
    shown?.focus({ preventScroll: true });
  }

  /** Takes away what has ended without a transfer: a new one is on its way. */
  dropRefused(): void {
    for (const { id, state } of this.#all.values()) if (state === "refused") this.#all.delete(id);
    this.#changed();
  }

  /** Drops a transfer whose page has been shown. */
  drop(id: string): void {
    this.#all.delete(id);
    this.#changed();
  }

  #blocking(): Earlier[] {
    const known = knownTransfers();
    return [...this.#all.values()].filter(({ id, state }) => state !== "refused" && !known.includes(id));
  }

  #take(id: string, sent: Sent | undefined, attempt?: TransferAttempt): void {
    const before = this.#all.get(id);
    if (before && before.state !== "refused") return;
    const isShown = sent?.isShown ?? false;
    const earlier: Earlier = { id, sent, attempt, state: isShown ? "made" : "asking", pause: new AbortController() };
    this.#all.set(id, earlier);
    if (!sent && attempt) void this.#describe(earlier, attempt);
    if (!isShown) void this.#settle(earlier);
    this.#changed();
  }

  async #settle(earlier: Earlier): Promise<void> {
    for (let turn = 0; ; turn += 1) {
      const state = await this.#ask(earlier);
      // Another page has shown it, or this one.
      if (this.#all.get(earlier.id) !== earlier) return;
      if (state === undefined) {
        this.drop(earlier.id);
        return;
      }
      if (state === "refused") forgetSent(earlier.id);
      if (state !== earlier.state) {
        earlier.state = state;
        this.#changed();
      }
      if (state !== "unknown") return;
      await connectionBack(turn, earlier.pause.signal);
      earlier.pause = new AbortController();
    }
  }

  /** Asks once; gives nothing where there is no such transfer under way. */
  async #ask(earlier: Earlier): Promise<State | undefined> {
    try {
      const remit = await kit();
      earlier.attempt ??= (await remit.pendingTransfers()).find(({ quoteHistoryId }) => quoteHistoryId === earlier.id);
      if (earlier.attempt?.state === "PREPARED") return undefined;
      if (earlier.attempt) return await resume(earlier, earlier.attempt);
      // The journal drops settled attempts; the page that settled this one went away before it could say so.
      const { transferRecordStatus, transferId } = await remit.transferProgress(earlier.id);
      if (transferRecordStatus === "Initializing") return "unknown";
      if (!transferId) return "refused";
      earlier.transfer = await remit.getTransfer(transferId);
      return "made";
    } catch {
      return "unknown";
    }
  }

  async #describe(earlier: Earlier, { createdAt, sendAmount, recipientId }: TransferAttempt): Promise<void> {
    const signal = AbortSignal.timeout(DESCRIBE_MS);
    if (sendAmount) earlier.sent = { quoteHistoryId: earlier.id, at: createdAt, amount: sendAmount };
    try {
      const remit = await kit();
      const recipient = recipientId === undefined ? undefined : recipientName(await remit.getRecipient(recipientId, { signal }));
      earlier.sent = sentOf(await remit.getQuote(earlier.id, { signal }), createdAt, recipient);
      this.#changed();
    } catch {
      // Then it is spoken of by what the attempt itself says, if anything.
    }
  }

  async #open(earlier: Earlier): Promise<void> {
    try {
      const remit = await kit();
      const transferId = earlier.transfer?.transferId ?? earlier.sent?.transferId;
      earlier.transfer ??= transferId === undefined ? undefined : await remit.getTransfer(transferId);
      if (earlier.transfer) this.#show(earlier.transfer, earlier.sent);
    } catch (error) {
      earlier.error = error;
      this.#changed();
    }
  }

  #dismiss(earlier: Earlier): void {
    const { id, sent, state, transfer } = earlier;
    if (state === "made" && transfer) noteTold(transfer.transferId, sent);
    this.drop(id);
  }

  #wantBoth(another: Another): void {
    for (const { id, sent, state, transfer } of this.#blocking()) {
      noteKnown(id);
      if (state !== "made") continue;
      if (transfer) noteTold(transfer.transferId, sent);
      this.#all.delete(id);
    }
    this.#changed();
    another.send();
  }

  #changed(): void {
    const known = knownTransfers();
    // What another tab has shown is spoken of only where it may be sent again.
    const shown = [...this.#all.values()].filter(({ sent, id }) => (sent?.isShown ? this.#another && !known.includes(id) : true));
    const focused = this.element.querySelector<HTMLElement>(".notice:focus-within")?.dataset["quote"];
    this.element.replaceChildren(...shown.map((earlier) => this.#view(earlier)));
    if (focused) this.element.querySelector<HTMLElement>(`.notice[data-quote="${focused}"]`)?.focus({ preventScroll: true });
    for (const listener of this.#listeners) listener();
  }

  #view(earlier: Earlier): HTMLElement {
    const { state, sent, error, id } = earlier;
    const another = state !== "refused" && !knownTransfers().includes(id) ? this.#another : undefined;
    const reason = error === undefined ? undefined : explain(error);
    const actions: (Action | false | undefined)[] = [
      state === "unknown" && { label: () => t("unsettled.ask"), run: () => earlier.pause.abort() },
      state === "made" && { label: () => t("earlier.show"), run: () => void this.#open(earlier) },
      another && { label: () => t(state === "made" ? "earlier.also" : "earlier.both"), run: () => this.#wantBoth(another) },
      (state === "refused" || (state === "made" && !another)) && { label: () => t("action.dismiss"), run: () => this.#dismiss(earlier) },
    ];
    return notice({
      tone: TONES[state],
      title: () => t(`earlier.${state}.title`),
      text: sent && (() => sentWords(sent)),
      advice: () => [t(`earlier.${state}.text`), reason?.text()].filter(Boolean).join(" "),
      reference: reason?.reference,
      quote: id,
      extra: another && h("p", {}, () => t("earlier.another", { what: another.words() })),
      actions: actions.filter((action) => action !== false && action !== undefined),
    });
  }
}

async function resume(earlier: Earlier, attempt: TransferAttempt): Promise<State> {
  try {
    earlier.transfer = await attempt.resume();
    return "made";
  } catch (error) {
    if (isOpen(error)) return "unknown";
    earlier.error = error;
    return "refused";
  }
}
