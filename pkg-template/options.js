import { invalid } from "./errors.js";
import { localJournal } from "./local-journal.js";
import { measure } from "./measure.js";
import { notify } from "./notify.js";
import { memoryJournal, sessionJournal } from "./page-journals.js";
import { readMember, readMembers, toJson, toPlain } from "./plain.js";

const CODE = "InvalidConfiguration";
const MOST_KEYS = 10_000;
// The longest body that is taken, escaped once more, and what stands around it.
const LONGEST_ENTRY = 4_000_000;

/** Takes the options of `createRemitKit` apart: what is data, what the core calls back, and the wasm. */
export function readOptions(options) {
  const { wasm, token, journal, onDiagnostic, messages, ...data } = readMembers(options, "options", CODE);
  const host = { token: tokenSource(token), journal: journalStore(journal) };
  if (onDiagnostic !== undefined) {
    host.diagnostic = diagnosticSink(onDiagnostic);
  }
  data.locale ??= pageLanguage();
  return { wasm, host, settings: toJson(data, "options", CODE), locale: data.locale, texts: readTexts(messages) };
}

function readTexts(messages) {
  const texts = messages === undefined ? undefined : JSON.parse(toJson(messages, "messages", CODE));
  for (const [code, text] of Object.entries(texts ?? {})) {
    if (typeof text !== "string") {
      throw invalid(CODE, `messages.${code}`, "text");
    }
  }
  return texts;
}

// What the page says of itself, else what the customer's browser prefers; the core's default where neither is a language tag.
function pageLanguage() {
  const language = globalThis.document?.documentElement?.lang || globalThis.navigator?.language;
  return /^[a-z]{2,8}(-[a-z0-9]{1,8}){0,3}$/i.test(language) ? language : undefined;
}

function tokenSource(token) {
  if (typeof token === "function") {
    // What it has failed with is kept: nothing of it is shown, as it may hold anything.
    const source = async () => {
      source.cause = undefined;
      try {
        const given = plainToken(await later(token));
        source.cause = given?.error === undefined ? undefined : given;
        return given;
      } catch (cause) {
        source.cause = cause;
        throw cause;
      }
    };
    return source;
  }
  if (typeof token !== "string" && (typeof token !== "object" || token === null)) {
    throw invalid(CODE, "token", "a sender-level token, or a function that gives one");
  }
  const given = plainToken(token);
  return async () => given;
}

// Of what is wrong nothing is told: a token may stand in a name too.
function plainToken(token) {
  try {
    return toPlain(token, "token", CODE);
  } catch {
    throw invalid(CODE, "token", "plain data: a string, or the token endpoint's reply");
  }
}

const JOURNALS = { session: sessionJournal, local: localJournal, memory: memoryJournal };

function journalStore(journal = "session") {
  if (typeof journal !== "object" || journal === null) {
    if (typeof journal !== "string" || !Object.hasOwn(JOURNALS, journal)) {
      throw invalid(CODE, "journal", '"session", "local", "memory" or a store of your own');
    }
    return JOURNALS[journal]();
  }
  const method = (name) => {
    const found = readMember(journal, name, "journal", CODE);
    if (typeof found !== "function") {
      throw invalid(CODE, `journal.${name}`, "a function");
    }
    return (...args) => later(() => found.apply(journal, args));
  };
  const [get, set, remove, keys] = ["get", "set", "delete", "keys"].map(method);
  return {
    get: async (key) => entry(await get(key)),
    set: async (key, value) => void (await set(key, value)),
    delete: async (key) => void (await remove(key)),
    keys: async () => texts(await keys()),
  };
}

// One by one, as a list of the page's may have no end.
function texts(list) {
  const found = [];
  let seen = 0;
  for (const key of list) {
    seen += 1;
    if (seen > MOST_KEYS) {
      throw invalid(CODE, "journal.keys", `a function that gives no more than ${MOST_KEYS} keys`);
    }
    if (typeof key === "string") {
      found.push(key);
    }
  }
  return found;
}

/** Calls a function of the page when the core is no longer at work. */
function later(work) {
  return Promise.resolve().then(() => work());
}

function entry(value) {
  if (value === undefined || value === null) {
    return undefined;
  }
  if (typeof value !== "string") {
    throw invalid(CODE, "journal.get", "a function that gives back the string which was set");
  }
  // What is longer was not kept by this package, and is as little an attempt as any other text.
  return value.length > LONGEST_ENTRY ? undefined : value;
}

function diagnosticSink(onDiagnostic) {
  if (typeof onDiagnostic !== "function") {
    throw invalid(CODE, "onDiagnostic", "a function");
  }
  const tell = (entry) => {
    measure(entry);
    notify(onDiagnostic, entry);
  };
  return (json) => void later(() => tell(JSON.parse(json)));
}
