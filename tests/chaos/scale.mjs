/** Returns the layout of a run of so many transfers. In a small run faults come more often. */
export function scaleOf(transfers) {
  if (transfers <= 100) {
    return { ...COMMON, customers: 4, pauseMs: [700, 2_500], downMs: [1_000, 2_000], troubleMs: 7_000, calledOff: 0 };
  }
  if (transfers <= 1_000) return { ...COMMON, customers: 6, pauseMs: [2_500, 8_000], downMs: [1_000, 3_000] };
  return { ...COMMON, customers: 9, pauseMs: [4_000, 14_000], downMs: [1_000, 5_000] };
}

const COMMON = {
  /** How many transfers each tab makes at once. */
  parallel: 4,
  /** How long the service is up before it is killed (then down for `downMs`; tabs rest for `pauseMs`). */
  upMs: [2_500, 7_000],
  /** How long the trouble lasts at least. */
  troubleMs: 10_000,
  /**
   * The share of intents, the first ones, that customers may call off: it can take half a minute to settle.
   */
  calledOff: 0.5,
};

/** A customer's browser, in turn: its journal, its tabs. Each has connections and storage of its own. */
export const CUSTOMERS = [
  { journal: "local", tabs: 2 },
  { journal: "session", tabs: 1 },
  { journal: "local", tabs: 1 },
];
