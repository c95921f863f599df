import { invalid } from "../errors/errors.js";
import { languageOf } from "../errors/locale.js";
import { measure } from "./measure.js";
import { notify } from "../errors/notify.js";
import { readMember, readMembers, toJson, toPlain, toText } from "../input/plain.js";
import { BRAND } from "../core/remit-error.js";

const CODE = "InvalidConfiguration";
const EARLY_TOKEN_MS = 10_000;
const MAX_KEYS = 100_000;

/**
 * Splits the options of `createRemitKit` into data for the module, the host that the module calls
 * (`src/js/host.rs`), and the wasm.
 */
export function readOptions(options) {
  const { wasm, token, journal, onDiagnostic, messages, ...data } = readMembers(options, "options", CODE);
  const source = tokenSource(token);
  const host = {
    source,
    origin: globalThis.location?.origin,
    token: () => inCode(tokenText(source())),
    journal: readJournal(journal),
    isWatched: onDiagnostic !== undefined,
    diagnostic: onDiagnostic && diagnosticSink(onDiagnostic),
  };
  const locale = languageOf(data.locale);
  // Without extensions such as a calendar, which the service does not know.
  data.locale = locale && new Intl.Locale(locale).baseName;
  const settings = toPlain(data, "options", CODE);
  return { wasm, host, settings, locale, texts: readTexts(messages) };
}

/** Returns the texts and the language that the options have, if these can be read. */
export function readLanguage(options) {
  try {
    const texts = readTexts(options.messages);
    return [texts && { own: texts, all: texts }, languageOf(options.locale)];
  } catch {
    // `readOptions` has said what is wrong.
    return [];
  }
}

function readTexts(messages) {
  const texts = messages === undefined ? undefined : JSON.parse(toJson(messages, "messages", CODE));
  for (const [code, text] of Object.entries(texts ?? {})) {
    if (typeof text !== "string") throw invalid(CODE, `messages.${code}`, "text");
  }
  return texts;
}

function tokenSource(token) {
  if (typeof token === "function") {
    // Kept for the error's `cause`. It may hold anything, so it appears in no message.
    const ask = async () => {
      source.cause = undefined;
      try {
        const answer = plainToken(await inMicrotask(token));
        // Beside a token, an empty `error` says nothing.
        source.cause = answer?.error ? answer : undefined;
        return answer;
      } catch (cause) {
        source.cause = cause;
        throw cause;
      }
    };
    let early;
    let earlyAt;
    const source = () => {
      // Absolute, as the clock may have been set back.
      const isFresh = earlyAt === undefined || Math.abs(Date.now() - earlyAt) < EARLY_TOKEN_MS;
      const answer = isFresh ? early : undefined;
      early = undefined;
      return answer ?? ask();
    };
    // Fetches a token for the first call. That asks again if this failed, or waited so long that another
    // customer may be signed in, or the token may expire soon.
    source.askEarly = () => {
      early = ask();
      early.then(
        () => (earlyAt = Date.now()),
        () => (early = undefined),
      );
    };
    return source;
  }
  if (typeof token !== "string" && (typeof token !== "object" || token === null)) {
    throw invalid(CODE, "token", "a sender-level token, or a function that gives one");
  }
  const answer = plainToken(token);
  return async () => answer;
}

async function tokenText(answer) {
  const given = await answer;
  return given === undefined ? undefined : toText(given, "token", CODE);
}

// What the page threw may contain secrets: pass on only the code of a `RemitError`.
function inCode(answer) {
  return Promise.resolve(answer).catch((error) => {
    throw codeOf(error);
  });
}

function codeOf(error) {
  try {
    return error[BRAND] === true ? error.code : undefined;
  } catch {
    return undefined;
  }
}

// The error says nothing about the value: even a member's name may be a token.
function plainToken(token) {
  try {
    return toPlain(token, "token", CODE);
  } catch {
    throw invalid(CODE, "token", "plain data: a string, or the token endpoint's reply");
  }
}

// Returns a journal's name, or the page's own store.
function readJournal(journal = "session") {
  if (typeof journal !== "object" || journal === null) {
    if (!["session", "local", "memory"].includes(journal)) {
      throw invalid(CODE, "journal", '"session", "local", "memory" or a store of your own');
    }
    return journal;
  }
  const store = {};
  for (const name of ["get", "set", "delete", "keys"]) {
    const method = readMember(journal, name, "journal", CODE);
    if (typeof method !== "function") throw invalid(CODE, `journal.${name}`, "a function");
    store[name] = (...args) => inMicrotask(() => method.apply(journal, args));
  }
  return {
    get: (key) => inCode(store.get(key)),
    set: (key, text) => inCode(store.set(key, text)),
    delete: (key) => inCode(store.delete(key)),
    keys: () => inCode(store.keys().then(readKeys)),
  };
}

// Counts, as the page's iterator may be endless. What is no list of keys must not be taken for an empty one:
// an open transfer would be forgotten, and the customer would pay again.
function readKeys(iterable) {
  if (typeof iterable === "string" || typeof iterable?.[Symbol.iterator] !== "function") throw noKeys();
  const keys = new Set();
  let count = 0;
  for (const key of iterable) {
    count += 1;
    if (count > MAX_KEYS) {
      throw invalid(CODE, "journal.keys", `a function that gives no more than ${MAX_KEYS} keys`);
    }
    if ((key ?? undefined) === undefined) throw noKeys();
    // A page's own store may hold keys of other types.
    if (typeof key === "string") keys.add(key);
  }
  // Each attempt is listed once.
  return [...keys];
}

const noKeys = () => invalid(CODE, "journal.keys", "a function that gives keys");

/** Calls a function of the page in a microtask, so that it cannot re-enter the core. */
function inMicrotask(work) {
  return Promise.resolve().then(() => work());
}

function diagnosticSink(onDiagnostic) {
  if (typeof onDiagnostic !== "function") throw invalid(CODE, "onDiagnostic", "a function");
  const report = (entry) => {
    measure(entry);
    notify(onDiagnostic, entry);
  };
  return (entry) => void inMicrotask(() => report(entry));
}
