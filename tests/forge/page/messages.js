// What the form says, and when. Written for this test: the SDK's own rules would repeat its errors here.

export const START = "CARD_VALIDATION_START";
export const SUCCESS = "CARD_VALIDATION_STOP_SUCCESS";
export const FAIL = "CARD_VALIDATION_STOP_FAIL";
export const EXPIRED = "CARD_VALIDATION_STOP_EXPIRED";
export const ALL = [START, SUCCESS, FAIL, EXPIRED];

const AFTER_START = [SUCCESS, FAIL, EXPIRED];

/** The state of a form that was told to speak. */
export class Script {
  #last = "";

  get isVerifying() {
    return this.#last === START;
  }

  get isOver() {
    return this.#last === SUCCESS || this.#last === EXPIRED;
  }

  /** What the form may say now. */
  get legal() {
    if (this.isOver) return [];
    return this.isVerifying ? AFTER_START : [START, EXPIRED];
  }

  get illegal() {
    return ALL.filter((data) => !this.legal.includes(data));
  }

  say(data) {
    this.#last = data;
  }
}

/** Returns the messages of one session, failures and an end, in two parts, cut where the form is idle. */
export function dialogue(length, chance) {
  if (length === 0) return [[], []];
  const end = length % 2 === 1 ? chance.pick([[START], [EXPIRED]]) : [START, chance.pick(AFTER_START)];
  const failures = Array.from({ length: (length - end.length) / 2 }, () => [START, FAIL]);
  const cut = chance.between(0, failures.length);
  return [failures.slice(0, cut).flat(), [...failures.slice(cut).flat(), ...end]];
}

const HUGE = 1_000_000;

/** None of the four strings, although a careless reader could take it for one. */
const WRONG = [
  ...["", " ", "READY", "COMPLETED", "CARD_VALIDATION", "CARD_VALIDATION_STOP", "CARD_VALIDATION_STOP_"],
  ...["CARD_VALIDATION_STOP_SUCCES", `${SUCCESS}S`, START.toLowerCase(), JSON.stringify(SUCCESS)],
  ...[`${START} `, ` ${START}`, `${START}\n`, `${START}\0`, `\ufeff${START}`, "\ud800"],
  ...["CARD\u2010VALIDATION\u2010START", "\u0421ARD_VALIDATION_START"],
  ...[[START], [SUCCESS, SUCCESS], Object.assign([], { 0: START, length: 1 })],
  ...[{ type: SUCCESS }, { data: SUCCESS, type: "message" }, { toString: START, valueOf: SUCCESS }],
  ...[{ length: START.length, 0: "C" }, new String(SUCCESS), new Map([[START, SUCCESS]]), new Error(SUCCESS)],
  ...[new Date(0), new TextEncoder().encode(START), null, undefined, true, 0, 28, Number.NaN, 1n],
];

const WRONG_MAKERS = [
  () => START.repeat(HUGE / START.length),
  () => `${SUCCESS}${" ".repeat(HUGE)}`,
  () => new Blob([START]),
  () => {
    const self = { type: START };
    return Object.assign(self, { self });
  },
];

/** Returns data that is no message of the form. */
export function wrongData(chance) {
  return chance.happens(95) ? chance.pick(WRONG) : chance.pick(WRONG_MAKERS)();
}

/** Returns one of the four strings, mostly one that is legal now: a forger would choose that. */
export function forgedData(chance, script) {
  return chance.happens(75) && script.legal.length > 0 ? chance.pick(script.legal) : chance.pick(ALL);
}

/** Returns an object that becomes one of the strings when read as text; only a script of the page can. */
export function turningInto(data) {
  return { toString: () => data, [Symbol.toPrimitive]: () => data, toJSON: () => data };
}
