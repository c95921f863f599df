// What a call must have sent.

import { queryOf, read, readQuery, same, said, UNSAYABLE, withoutNulls } from "./said.mjs";
import { BASE_URL, TOKEN } from "./samples.mjs";
import { hostile } from "./values.mjs";

export function anyArguments(chance, world) {
  return Array.from({ length: chance.between(0, 4) }, () => hostile(chance, world));
}

/** Arguments that may have become something else on the whole. */
export function listed(args) {
  try {
    if (Array.isArray(args) && Object.getPrototypeOf(args) === Array.prototype && args.length < 10) return args;
  } catch {
    // It cannot even be asked.
  }
  return [args];
}

/** The last argument of a call: left out, right, or anything. */
export function callOptions(chance, world) {
  const kind = chance.between(0, 9);
  if (kind < 5) return undefined;
  if (kind === 5) return { signal: undefined };
  if (kind < 8) {
    const controller = new AbortController();
    const reason = hostile(chance, world, 0);
    const abort = () => {
      try {
        controller.abort(reason);
      } catch {
        // Node looks into some reasons; a page does not.
      }
    };
    if (kind === 6) abort();
    else queueMicrotask(abort);
    return { signal: controller.signal };
  }
  return kind === 8 ? { signal: hostile(chance, world, 0) } : hostile(chance, world, 0);
}

/** In what the requests of an operation's call differ from what was passed to it. */
export function differenceOf(operation, args, requests, outcome) {
  const ids = args.slice(0, operation.ids.length);
  const given = args[operation.ids.length];
  const input = operation.sample === undefined ? {} : said(given === undefined ? operation.default : given);
  const isText = ids.length === operation.ids.length && ids.every((id) => typeof id === "string");
  const path = isText ? operation.path.replace(/\{(\d)\}/g, (_, index) => ids[index]) : undefined;
  let sent = 0;
  for (const request of requests) {
    const where = `${request.method} ${request.path}`;
    const stray = strayOf(request);
    if (stray !== undefined) return stray;
    if (operation.sample !== undefined && (input === UNSAYABLE || input === undefined)) return `${where} for what cannot be said`;
    if (request.method === "GET" && request.path === operation.before) {
      const found = precedingDifference(request, input);
      if (found !== undefined) return found;
      continue;
    }
    // Whose the token is, before a body that names a sender.
    if (request.method === "GET" && request.path === "/v1/sender-id" && operation.as === "body" && input.senderId !== undefined) continue;
    if (request.method !== operation.method || request.path !== path) return `${where} instead of ${operation.method} ${path}`;
    sent += 1;
    const query = operation.as === "query" ? queryOf(input) : [];
    if (!isAsGiven(readQuery(request.query), query)) return `${where}?${request.query}`.slice(0, 400);
    if (operation.as === "body" ? !isAsGiven(read(request.body), input) : request.body !== undefined) return `${where} with ${cut(request.body)}`;
  }
  if ("value" in outcome && sent !== 1) return `${sent} requests for one call`;
  return undefined;
}

/** What is sent where it is left out. */
const DEFAULTS = { transferMethod: "BANK_ACCOUNT", quoteBy: "SEND_AMOUNT", senderType: "PERSON", recipientType: "PERSON" };

/** What the records of the interface have: in a request that does not, it is left out. */
const NEARBY = new Set(
  `destinationCountry sourceCurrency destinationCurrency transferMethod quoteBy dstCountryIso3Code srcCurrencyIso3Code dstCurrencyIso3Code amount
  recipientAccountId sendAmount quoteHistoryId receiveAmount rate adjustments totalCost deliverySLA disclosures senderId customerId expirationDate
  senderType fields senderGroupId firstName lastName companyName kycStatus createdAt isDeactivated userType recipientId recipientType accountNumber
  customerHold nonce purposeOfRemittance sourceOfFunds sourceTransferMethod sourceAccountId transferId confirmationNumber status quote senderDetails
  recipientDetails recipientAccountDetails disclaimers dateAvailable customer destinationCountryISO3Code destinationCurrencyISO3Code
  sourceCurrencyIso3Code transferRequestId`.split(/\s+/),
);

/** Whether the request holds only given values and defaults, and lacks only nulls and records' members. */
function isAsGiven(sent, given) {
  if (same(sent, given)) return true;
  if (Array.isArray(sent)) return new Set(sent.map(([name]) => name)).size === sent.length && isAsGiven(Object.fromEntries(sent), Object.fromEntries(given));
  if (typeof given !== "object" || given === null || Array.isArray(given)) return false;
  const isSent = (name) => Object.hasOwn(sent, name);
  const isRight = (name) =>
    (given[name] ?? null) === null ? sent[name] === DEFAULTS[name] || sent[name] === null : name === "fields" ? areFields(sent.fields, given.fields) : same(sent[name], given[name]);
  return Object.keys(sent).every(isRight) && Object.keys(given).every((name) => isSent(name) || given[name] === null || NEARBY.has(name));
}

/** Records carry a name and a type beside each value, which are not sent. */
function areFields(sent, given) {
  const isField = (field, index) => {
    const { name, type, ...rest } = given[index];
    return same(field, { value: null, ...rest }) || same(field, given[index]);
  };
  return Array.isArray(sent) && Array.isArray(given) && sent.length === given.length && sent.every(isField);
}

/** Of a transfer: its nonce may have been taken for it, and what is null is left out. */
export function transferDifference(input, body) {
  if (input === UNSAYABLE || input === undefined) return "a transfer for what cannot be said";
  const { nonce, ...sent } = read(body);
  const { nonce: given = nonce, ...rest } = withoutNulls(input);
  return isAsGiven(sent, rest) && given === nonce ? undefined : `a transfer of ${cut(body)}`;
}

/** What is wrong with where a request goes, or with its token. */
export function strayOf(request) {
  if (request.origin !== BASE_URL) return `sent to ${request.origin}`;
  if (request.bearer !== `Bearer ${TOKEN}`) return "sent with another token";
  return undefined;
}

function precedingDifference(request, input) {
  // The body of an account does not say what its recipient is; what it has of a record nearby is left out.
  const partyType = request.path === "/v1/recipient-fields" ? input.userType : undefined;
  for (const [name, value] of readQuery(request.query)) {
    const given = (name === "recipientType" ? partyType : input[name]) ?? DEFAULTS[name];
    if (given !== value) return `${request.path} was asked with ${name}=${cut(value)}`;
  }
  return undefined;
}

export const cut = (text) => String(text).slice(0, 300);
