// Reads the options of `remitkit/server`. Errors never quote a value: it may be the secret.

import { invalid, isRemitError } from "../errors.js";
import { readMembers } from "../plain.js";

const CODE = "InvalidConfiguration";
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LOOPBACK = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
const MAX_CREDENTIAL_LENGTH = 4096;

/** Returns the members of `options`. Refuses unknown ones, which may be misspelt. */
export function readOptions(options, known) {
  const members = readMembers(options, "options", CODE);
  for (const name of Object.keys(members)) {
    if (!known.includes(name)) {
      throw invalid(CODE, name, `left out: there is no such option, only ${known.join(", ")}`);
    }
  }
  return members;
}

/** Returns the service's base address in the form of the token endpoint's `audience`. */
export function readBaseUrl(value) {
  const text = value instanceof URL ? value.href : value;
  const url = typeof text === "string" && URL.canParse(text) ? new URL(text) : undefined;
  const isSafe = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.test(url.hostname));
  if (!isSafe) {
    const expected =
      "an https address such as https://api.example.com; http is for a loopback host alone, such as " +
      "http://127.0.0.1:4100";
    throw invalid(CODE, "baseUrl", expected);
  }
  if (url.username || url.password || /[?#]/.test(text)) {
    throw invalid(CODE, "baseUrl", "an address without user name, query and fragment");
  }
  const address = url.href.replace(/\/+$/, "");
  if (/\/v1$/.test(address)) {
    throw invalid(CODE, "baseUrl", "the address that comes before /v1, which is added by itself");
  }
  return address;
}

/** Returns a credential. Refuses a line break at its end, as in many files, before the service does. */
export function readCredential(value, option) {
  const isText = typeof value === "string" && value.length > 0 && value.length <= MAX_CREDENTIAL_LENGTH;
  if (!isText || value.trim() !== value || /[\0-\x1f\x7f]/.test(value)) {
    throw invalid(CODE, option, "text that is not empty, without line breaks or spaces around it");
  }
  return value;
}

export function readTimeout(value = 10_000) {
  if (!Number.isInteger(value) || value < 100 || value > 120_000) {
    throw invalid(CODE, "timeoutMs", "a whole number from 100 to 120000");
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

/** Returns a function that reports errors which no call rejects with. */
export function readErrorSink(onError = printError) {
  readFunction(onError, "onError");
  return (error) => {
    Promise.resolve()
      .then(() => onError(error))
      .catch(console.error);
  };
}

function printError(error) {
  console.error("remitkit/server:", isRemitError(error) ? `${error.code}: ${error.message}` : error);
}

/** Returns the origins of the shop's pages, for backends that do not get them in `Host`. */
export function readOrigins(value) {
  if (value === undefined) return undefined;
  const isOrigin = (text) => typeof text === "string" && URL.canParse(text) && new URL(text).origin === text;
  if (!Array.isArray(value) || value.length === 0 || !value.every(isOrigin)) {
    throw invalid(CODE, "origins", 'a list of origins such as ["https://shop.example.com"]');
  }
  return new Set(value);
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
