// What a call is passed, and what it must have sent.

import { asJson, NOT_JSON, parse, parseQuery, queryOf, same, withoutNulls } from "./json.mjs";
import { BASE_URL, TOKEN } from "./samples.mjs";
import { hostile } from "./values.mjs";

export const anyArguments = (chance, world) =>
  Array.from({ length: chance.between(0, 4) }, () => hostile(chance, world));

/** Returns `args` as a list, even where a change has made something else of it. */
export function listed(args) {
  try {
    const isList = Array.isArray(args) && Object.getPrototypeOf(args) === Array.prototype;
    if (isList && args.length < 10) return args;
  } catch {
    // A proxy that throws.
  }
  return [args];
}

/** Makes the last argument of a call: left out, valid, or anything. */
export function callOptions(chance, world) {
  const kind = chance.between(0, 9);
  if (kind < 5) return undefined;
  if (kind === 5) return { signal: undefined };
  if (kind >= 8) return kind === 8 ? { signal: hostile(chance, world, 0) } : hostile(chance, world, 0);
  const controller = new AbortController();
  const reason = hostile(chance, world, 0);
  if (kind === 6) controller.abort(reason);
  else queueMicrotask(() => controller.abort(reason));
  return { signal: controller.signal };
}

/** Returns how the requests of an operation's call differ from its arguments, if they do. */
export function differenceOf(operation, args, requests, outcome) {
  const { as, before, sample } = operation;
  const ids = args.slice(0, operation.ids.length);
  const given = args[operation.ids.length];
  const input = sample === undefined ? {} : asJson(given === undefined ? operation.default : given);
  const areTexts = ids.length === operation.ids.length && ids.every((id) => typeof id === "string");
  const path = areTexts ? operation.path.replace(/\{(\d)\}/g, (_, index) => ids[index]) : undefined;
  let sent = 0;
  for (const request of requests) {
    const where = `${request.method} ${request.path}`;
    const isGet = (path) => request.method === "GET" && request.path === path;
    const stray = strayOf(request);
    if (stray !== undefined) return stray;
    if (sample !== undefined && isUnusable(input)) return `${where} for what is not JSON`;
    if (isGet(before)) {
      const found = precedingDifference(request, input);
      if (found !== undefined) return found;
      continue;
    }
    // The token's sender is looked up before a body that names a sender.
    if (isGet("/v1/sender-id") && as === "body" && input.senderId !== undefined) continue;
    if (request.method !== operation.method || request.path !== path) {
      return `${where} instead of ${operation.method} ${path}`;
    }
    sent += 1;
    const query = as === "query" ? queryOf(input) : [];
    if (!isAsGiven(parseQuery(request.query), query)) return `${where}?${cut(request.query)}`;
    const isBodyRight = as === "body" ? isAsGiven(parse(request.body), input) : request.body === undefined;
    if (!isBodyRight) return `${where} with ${cut(request.body)}`;
  }
  return "value" in outcome && sent !== 1 ? `${sent} requests for one call` : undefined;
}

/** Whether an input can be sent at all. */
export const isUnusable = (input) => input === NOT_JSON || input === undefined;

/** What is sent for a member that is left out. */
const DEFAULTS = {
  transferMethod: "BANK_ACCOUNT",
  quoteBy: "SEND_AMOUNT",
  senderType: "PERSON",
  recipientType: "PERSON",
};

/** Of the names that inputs have, those of the interface's records: other requests leave them out. */
const OF_RECORDS = `amount fields quoteHistoryId recipientId dstCountryIso3Code transferMethod senderType
  userType`.split(/\s+/);

/** Whether a request has only given values and defaults, and lacks only nulls and members of records. */
function isAsGiven(sent, given) {
  if (same(sent, given)) return true;
  if (Array.isArray(sent)) {
    const isUnique = new Set(sent.map(([name]) => name)).size === sent.length;
    return isUnique && isAsGiven(Object.fromEntries(sent), Object.fromEntries(given));
  }
  if (typeof given !== "object" || given === null || Array.isArray(given)) return false;
  const isRight = (name) => {
    if ((given[name] ?? null) === null) return sent[name] === DEFAULTS[name] || sent[name] === null;
    return name === "fields" ? areFields(sent.fields, given.fields) : same(sent[name], given[name]);
  };
  const mayLack = (name) => Object.hasOwn(sent, name) || given[name] === null || OF_RECORDS.includes(name);
  return Object.keys(sent).every(isRight) && Object.keys(given).every(mayLack);
}

/** Records have a name and a type beside each value, which are not sent. */
function areFields(sent, given) {
  const isField = (field, index) => {
    const { name, type, ...rest } = given[index];
    return same(field, { value: null, ...rest }) || same(field, given[index]);
  };
  const areLists = Array.isArray(sent) && Array.isArray(given) && sent.length === given.length;
  return areLists && sent.every(isField);
}

/** Returns how a transfer's body differs from its input. The nonce may have been taken for it. */
export function transferDifference(input, body) {
  if (isUnusable(input)) return "a transfer for what is not JSON";
  const { nonce, ...sent } = parse(body);
  const { nonce: given = nonce, ...rest } = withoutNulls(input);
  return isAsGiven(sent, rest) && given === nonce ? undefined : `a transfer of ${cut(body)}`;
}

/** Returns what is wrong with a request's origin or token. */
export function strayOf(request) {
  if (request.origin !== BASE_URL) return `sent to ${request.origin}`;
  return request.bearer === `Bearer ${TOKEN}` ? undefined : "sent with another token";
}

function precedingDifference(request, input) {
  // The body of an account does not contain the recipient's type; members of records are left out.
  const partyType = request.path === "/v1/recipient-fields" ? input.userType : undefined;
  for (const [name, value] of parseQuery(request.query)) {
    const given = (name === "recipientType" ? partyType : input[name]) ?? DEFAULTS[name];
    if (given !== value) return `${request.path} was asked with ${name}=${cut(value)}`;
  }
  return undefined;
}

export const cut = (text) => String(text).slice(0, 300);
