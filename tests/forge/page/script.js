// What the form says, and when. Written for this test: reusing the SDK's own would reproduce its errors here.

export const START = "CARD_VALIDATION_START";
export const SUCCESS = "CARD_VALIDATION_STOP_SUCCESS";
export const FAIL = "CARD_VALIDATION_STOP_FAIL";
export const EXPIRED = "CARD_VALIDATION_STOP_EXPIRED";
export const ALL = [START, SUCCESS, FAIL, EXPIRED];

const AFTER_START = [SUCCESS, FAIL, EXPIRED];
const BEFORE_START = [START, EXPIRED];

/** How far a form is, as it was told to speak. */
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
    return this.isVerifying ? AFTER_START : BEFORE_START;
  }

  get illegal() {
    return ALL.filter((data) => !this.legal.includes(data));
  }

  say(data) {
    this.#last = data;
  }
}

/** So many messages of one session, cut where the form is idle: any number of failures, then an end. */
export function dialogue(length, chance) {
  if (length === 0) return [];
  const end = length % 2 === 1 ? chance.pick([[START], [EXPIRED]]) : [START, chance.pick(AFTER_START)];
  const failures = Array.from({ length: (length - end.length) / 2 }, () => [START, FAIL]);
  const cut = chance.between(0, failures.length);
  return [failures.slice(0, cut).flat(), [...failures.slice(cut).flat(), ...end]];
}
