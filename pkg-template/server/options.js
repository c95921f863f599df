// Reads the options of `remitkit/server`. Errors never quote a value: it may be the secret.

import { invalid, isRemitError } from "../errors/errors.js";
import { readKnown } from "../input/known-options.js";
import { isLoopback } from "../input/loopback.js";
import { Memory } from "./memory.js";

const CODE = "InvalidConfiguration";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MAX_CREDENTIAL_LENGTH = 4096;
const MAX_SECRETS = 10;
const PRINT_PAUSE_MS = 5_000;

/** Returns the members of `options`. Refuses unknown ones. */
export const readOptions = (options, known) => readKnown(options, known, CODE);

/** Returns what kind of value this is, for messages, which never quote one: it may be the secret. */
export function kindOf(value) {
  if (value === null) return "null";
  if (Array.isArray(value)) return value.length === 0 ? "an empty list" : "a list";
  if (typeof value?.then === "function") return "a promise";
  if (value === "") return "empty text";
  const kinds = { string: "text", object: "an object", undefined: "undefined" };
  return kinds[typeof value] ?? `a ${typeof value}`;
}

/** Returns hosts that may be reached by http although they are not this machine. */
export function readInsecureHosts(value = []) {
  const isHost = (text) => typeof text === "string" && /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)$/.test(text);
  if (!Array.isArray(value) || !value.every(isHost)) {
    const expected = 'a list of host names in lower case without port, such as ["sandbox"]';
    throw invalid(CODE, "allowInsecureHosts", expected);
  }
  return value;
}

/** Returns the service's base address in the form of the token endpoint's `audience`. */
export function readBaseUrl(value, insecureHosts) {
  const text = value instanceof URL ? value.href : value;
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  const isInsecure = (host) => isLoopback(host) || insecureHosts.includes(host);
  const isAllowed = url?.protocol === "https:" || (url?.protocol === "http:" && isInsecure(url.hostname));
  if (!isAllowed) {
    const expected =
      "an https address such as https://api.example.com; http is for a loopback host, such as " +
      "http://127.0.0.1:4100, or one that allowInsecureHosts names";
    throw invalid(CODE, "baseUrl", expected);
  }
  if (url.username || url.password || /[?#]/.test(text)) {
    throw invalid(CODE, "baseUrl", "an address without user name, query and fragment");
  }
  const address = url.href.replace(/\/+$/, "");
  if (/\/v1$/.test(address)) {
    throw invalid(CODE, "baseUrl", "the base URL without /v1, which is added automatically");
  }
  return address;
}

const CREDENTIAL = "text that is not empty, without line breaks or spaces around it";

function isCredential(value) {
  const isText = typeof value === "string" && value.length > 0 && value.length <= MAX_CREDENTIAL_LENGTH;
  return isText && value.trim() === value && !/[\0-\x1f\x7f]/.test(value);
}

/** Returns a credential. Refuses a line break at its end, as in many files, before the service does. */
export function readCredential(value, option) {
  if (!isCredential(value)) throw invalid(CODE, option, `${CREDENTIAL}; this is ${kindOf(value)}`);
  return value;
}

/** Returns a function, or the list of secrets. */
export function readClientSecret(value) {
  if (typeof value === "function") return value;
  if (typeof value?.then === "function") {
    throw invalid(CODE, "clientSecret", "text or a function; this is a promise: await it, or pass () => it");
  }
  return readSecrets(value);
}

/** Returns a list of secrets, from one or several. */
export function readSecrets(value) {
  const list = Array.isArray(value) ? value : [value];
  if (list.length > 0 && list.length <= MAX_SECRETS && list.every(isCredential)) return [...new Set(list)];
  const wrong = list.length > 1 ? list.findIndex((one) => !isCredential(one)) : -1;
  const what = wrong < 0 ? `this is ${kindOf(value)}` : `entry ${wrong} is ${kindOf(list[wrong])}`;
  const several = `a list of up to ${MAX_SECRETS}, or a function that returns either`;
  throw invalid(CODE, "clientSecret", `${CREDENTIAL}, ${several}; ${what}`);
}

/** Returns a whole number. */
export function readNumber(value, option, least, most) {
  if (!Number.isInteger(value) || value < least || value > most) {
    throw invalid(CODE, option, `a whole number from ${least} to ${most}`);
  }
  return value;
}

export function readCache(cache) {
  if (cache === undefined) return undefined;
  for (const method of ["get", "set"]) {
    if (typeof cache?.[method] !== "function") {
      throw invalid(CODE, `cache.${method}`, "a function, as a Keyv or a Map has it");
    }
  }
  if (cache.compareAndSet !== undefined) readFunction(cache.compareAndSet, "cache.compareAndSet");
  return cache;
}

export function readFunction(value, option) {
  if (typeof value !== "function") throw invalid(CODE, option, "a function");
  return value;
}

/** Returns a function that calls the shop's `listener`, apart from the call that it is about. */
export function readListener(listener, option) {
  readFunction(listener, option);
  return (...args) => {
    Promise.resolve()
      .then(() => listener(...args))
      .catch(console.error);
  };
}

/** Returns a function that reports errors which no call rejects with: `(error, context)`. */
export function readErrorSink(onError = errorPrinter()) {
  return readListener(onError, "onError");
}

// Prints equal lines once in some seconds: anybody can cause the refusals of a webhook.
function errorPrinter() {
  const printed = new Memory(100);
  return (error) => {
    if (!isRemitError(error)) return console.error("remitkit/server:", error);
    const { code, message, httpStatus, requestId } = error;
    const line = [code, message].join(": ");
    if (printed.get(line)) return undefined;
    printed.set(line, true, PRINT_PAUSE_MS);
    const details = [httpStatus && `status ${httpStatus}`, requestId && `request ${requestId}`];
    const more = details.filter((detail) => detail).join(", ");
    return console.error("remitkit/server:", more ? `${line} (${more})` : line);
  };
}

/**
 * Returns a function that tells whether a page's origin is one of the shop's, for backends that do not get
 * these in `Host`.
 */
export function readOrigins(value) {
  if (value === undefined || typeof value === "function") return value;
  if (!Array.isArray(value) || value.length === 0) {
    throw invalid(CODE, "origins", 'a list of origins such as ["https://shop.example.com"], or a function');
  }
  value.forEach((entry, at) => {
    if (!isOrigin(entry)) throw invalid(CODE, "origins", wrongOrigin(entry, at));
  });
  const origins = new Set(value);
  return (origin) => origins.has(origin);
}

// Pages inside an app have a scheme of its own, for which URL knows no origin: the text itself is it.
const OF_AN_APP = /^(?!(https?|file|data|blob|javascript|about):)[a-z][a-z\d+.-]*:\/\/[a-z\d][a-z\d.-]*(:\d+)?$/;

function isOrigin(text) {
  if (typeof text !== "string") return false;
  const isOfWeb = !text.includes("*") && URL.canParse(text) && new URL(text).origin === text;
  return isOfWeb || OF_AN_APP.test(text);
}

function wrongOrigin(entry, at) {
  const origins = 'origins such as "https://shop.example.com" or "capacitor://localhost"';
  if (typeof entry !== "string") return `a list of ${origins}; entry ${at} is ${kindOf(entry)}`;
  const quoted = JSON.stringify(entry.slice(0, 100));
  if (entry.includes("*")) {
    return `a list of ${origins}; there are no wildcards as in ${quoted}: name each, or pass a function`;
  }
  const own = URL.canParse(entry) ? new URL(entry).origin : "null";
  const hint = own === "null" ? "" : `; its origin is ${JSON.stringify(own)}`;
  return `a list of ${origins}; entry ${at}, ${quoted}, is none${hint}`;
}

export function isSenderId(value) {
  return typeof value === "string" && UUID.test(value);
}

export function readSenderId(value) {
  if (!isSenderId(value)) {
    const expected = "the UUID of a sender; a token for all of the client's senders takes clientToken()";
    throw invalid("InvalidRequest", "senderId", expected);
  }
  return value;
}
