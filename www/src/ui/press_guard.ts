/** A press sooner after a change was meant for what stood there before. */
const SETTLE_MS = 1_000;

/**
 * Tells which presses count: those that began once the figures had stood on the screen for a second. A key
 * that is held down presses once.
 */
export class PressGuard {
  #isSettling = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the press that is under way counts. One without events, as by assistive software, has none. */
  #press: boolean | undefined;

  /** Calls `settled` whenever presses count again. Ends with the signal. */
  constructor(
    private readonly settled: () => void,
    signal: AbortSignal,
  ) {
    const begin = (counts: boolean) => {
      this.#press = counts && !this.#isSettling;
    };
    const end = () => {
      this.#press = undefined;
    };
    const capture = { capture: true, signal };
    addEventListener("pointerdown", () => begin(true), capture);
    addEventListener("pointercancel", end, capture);
    addEventListener("keydown", ({ key, repeat }) => [" ", "Enter"].includes(key) && begin(!repeat), capture);
    // The space bar clicks as it is released.
    addEventListener("keyup", () => setTimeout(end), capture);
    addEventListener("click", end, { signal });
    signal.addEventListener("abort", () => clearTimeout(this.#timer));
    const restartIfSettling = () => this.#isSettling && !document.hidden && this.restart();
    document.addEventListener("visibilitychange", restartIfSettling, { signal });
  }

  get isSettling(): boolean {
    return this.#isSettling;
  }

  /** Whether the click that is being handled counts. */
  get takesPress(): boolean {
    return this.#press ?? !this.#isSettling;
  }

  /** Has to be called when the figures change. */
  restart(): void {
    this.#isSettling = true;
    if (this.#press) this.#press = false;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      // Nobody has seen it yet.
      if (document.hidden) return;
      this.#isSettling = false;
      this.settled();
    }, SETTLE_MS);
  }
}
