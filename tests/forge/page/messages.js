// What the form says, and when. Written for this test: the SDK's own rules would repeat its errors here.

export const START = "CARD_VALIDATION_START";
export const SUCCESS = "CARD_VALIDATION_STOP_SUCCESS";
export const FAIL = "CARD_VALIDATION_STOP_FAIL";
export const EXPIRED = "CARD_VALIDATION_STOP_EXPIRED";
export const ALL = [START, SUCCESS, FAIL, EXPIRED];

const AFTER_START = [SUCCESS, FAIL, EXPIRED];

/** Returns what a form may say after its last message. */
export function legalAfter(last) {
  if (last === SUCCESS || last === EXPIRED) return [];
  return last === START ? AFTER_START : [START, EXPIRED];
}

/** How a session may end, after failures. */
export const ENDS = [[START, SUCCESS], [START], [EXPIRED], [START, EXPIRED], [START, FAIL]];

/** At least so many genuine messages are said for each forged one that is asked for. */
export const GENUINE_SHARE = 0.4;

const HUGE = 1_000_000;
const CYCLE = { type: START };
CYCLE.self = CYCLE;

/** None of the four strings, although a careless reader could take it for one. */
export const WRONG = [
  ...["", " ", "READY", "COMPLETED", "CARD_VALIDATION", "CARD_VALIDATION_STOP"],
  ...[START.slice(0, -1), EXPIRED.slice(0, -1)],
  ...[`${START}S`, START.toLowerCase(), JSON.stringify(START), "START", "\ud800", CYCLE],
  ...[`${START} `, ` ${START}`, `${START}\n`, `${START}\0`, `\ufeff${START}`],
  ...["CARD\u2010VALIDATION\u2010START", "\u0421ARD_VALIDATION_START"],
  ...[[START], [START, START], Object.assign([], { 0: START, length: 1 })],
  ...[{ type: START }, { data: START, type: "message" }, { toString: START, valueOf: START }],
  ...[{ length: START.length, 0: "C" }, new String(START), new Map([[START, START]]), new Error(START)],
  ...[new Date(0), new TextEncoder().encode(START), null, undefined, true, 0, 28, Number.NaN, 1n],
  ...[START.repeat(HUGE / START.length), `${START}${" ".repeat(HUGE)}`, new Blob([START])],
];

/** Returns one of the four strings, mostly one that is legal now: a forger would choose that. */
export function forgedData(chance, last) {
  const legal = legalAfter(last);
  return chance.happens(75) && legal.length > 0 ? chance.pick(legal) : chance.pick(ALL);
}

/** Returns an object that becomes the string when it is read as text. */
export function turningInto(data) {
  return { toString: () => data, [Symbol.toPrimitive]: () => data, toJSON: () => data };
}
