import { invalid } from "./errors.js";
import { measure } from "./measure.js";
import { notify } from "./notify.js";
import { readMember, readMembers, toJson, toPlain } from "./plain.js";

const CODE = "InvalidConfiguration";
const EARLY_MS = 10_000;

/** Takes the options of `createRemitKit` apart: what is data, what the core calls back, and the wasm. */
export function readOptions(options) {
  const { wasm, token, journal, onDiagnostic, messages, ...data } = readMembers(options, "options", CODE);
  const host = { token: tokenSource(token), journal: journalOf(journal) };
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

// What the page says of itself, else what the customer's browser prefers; the core's default where neither is
// a language tag.
function pageLanguage() {
  const language = globalThis.document?.documentElement?.lang || globalThis.navigator?.language;
  return /^[a-z]{2,8}(-[a-z0-9]{1,8}){0,3}$/i.test(language) ? language : undefined;
}

function tokenSource(token) {
  if (typeof token === "function") {
    // What it has failed with is kept: nothing of it is shown, as it may hold anything.
    const ask = async () => {
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
    let early;
    let earlyAt;
    const source = () => {
      // Nor is it fresh where the clock was set back meanwhile.
      const isFresh = earlyAt === undefined || Math.abs(Date.now() - earlyAt) < EARLY_MS;
      const answer = isFresh ? early : undefined;
      early = undefined;
      return answer ?? ask();
    };
    // For the first call, which asks again where this has failed before, or has waited for it so long that
    // its customer, or what is left of its life, may be another.
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

// A journal by its name, or the four functions of the page's own, for `openJournal` of the transfers' part.
function journalOf(journal = "session") {
  if (typeof journal !== "object" || journal === null) {
    if (!["session", "local", "memory"].includes(journal)) {
      throw invalid(CODE, "journal", '"session", "local", "memory" or a store of your own');
    }
    return journal;
  }
  return ["get", "set", "delete", "keys"].map((name) => {
    const found = readMember(journal, name, "journal", CODE);
    if (typeof found !== "function") {
      throw invalid(CODE, `journal.${name}`, "a function");
    }
    return (...args) => later(() => found.apply(journal, args));
  });
}

/** Calls a function of the page when the core is no longer at work. */
function later(work) {
  return Promise.resolve().then(() => work());
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
