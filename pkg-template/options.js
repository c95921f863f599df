import { invalid } from "./errors.js";
import { localJournal } from "./local-journal.js";
import { notify } from "./notify.js";
import { readMember, readMembers, toJson, toPlain } from "./plain.js";

const CODE = "InvalidConfiguration";

/** Takes the options of `createRemitKit` apart: what is data, what the core calls back, and the wasm. */
export function readOptions(options) {
  const { wasm, token, journal, onDiagnostic, ...data } = readMembers(options, "options", CODE);
  const host = { token: tokenSource(token) };
  if (typeof journal === "object" && journal !== null) {
    data.journal = "custom";
    host.journal = journalStore(journal);
  } else if (journal === "local") {
    data.journal = "custom";
    host.journal = localJournal();
  } else {
    data.journal = journal;
  }
  if (onDiagnostic !== undefined) {
    host.diagnostic = diagnosticSink(onDiagnostic);
  }
  data.locale ??= pageLanguage();
  return { wasm, host, settings: toJson(data, "options", CODE), locale: data.locale };
}

// What the page says of itself, else what the customer's browser prefers; the core's default where neither is a language tag.
function pageLanguage() {
  const language = globalThis.document?.documentElement?.lang || globalThis.navigator?.language;
  return /^[a-z]{2,8}(-[a-z0-9]{1,8}){0,3}$/i.test(language) ? language : undefined;
}

function tokenSource(token) {
  if (typeof token === "function") {
    return async () => toPlain(await later(token), "token", CODE);
  }
  if (typeof token !== "string" && (typeof token !== "object" || token === null)) {
    throw invalid(CODE, "token", "a sender-level token, or a function that gives one");
  }
  const given = toPlain(token, "token", CODE);
  return async () => given;
}

function journalStore(journal) {
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
    keys: async () => Array.from(await keys()).filter((key) => typeof key === "string"),
  };
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
  return value;
}

function diagnosticSink(onDiagnostic) {
  if (typeof onDiagnostic !== "function") {
    throw invalid(CODE, "onDiagnostic", "a function");
  }
  return (json) => void later(() => notify(onDiagnostic, JSON.parse(json)));
}
