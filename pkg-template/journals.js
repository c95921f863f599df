// The journal that a kit was given: one of the package's by its name, or the page's own.

import { localJournal } from "./local-journal.js";
import { memoryJournal, sessionJournal } from "./page-journals.js";
import { invalid } from "./transfer-imports.js";

const CODE = "InvalidConfiguration";
const MOST_KEYS = 10_000;
// The longest body that is taken, escaped once more, and what stands around it.
const LONGEST_ENTRY = 4_000_000;

const JOURNALS = { session: sessionJournal, local: localJournal, memory: memoryJournal };

/** Opens what `readOptions` has made of the option `journal`. */
export function openJournal(given) {
  if (typeof given === "string") {
    return JOURNALS[given]();
  }
  const [get, set, remove, keys] = given;
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
