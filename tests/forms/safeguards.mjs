// The package without one of its safeguards, which a run must notice.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** The edits of each: a file of the package, what stands there, and what stands there without the safeguard. */
const SAFEGUARDS = {
  // A currency is written where no other text stands.
  code: [
    [
      "fields/amount/amount-view.js",
      "showText(code, iso3Code)",
      'if (code.textContent === "") showText(code, iso3Code)',
    ],
  ],
  // Only `input` says that a control has changed.
  read: [
    ["fields/typed-events.js", '["input", "change", "keyup", "blur"]', '["input"]'],
    ["fields/amount/amount-view.js", "this.#readRow(side, onTyped, false)", "void onTyped"],
    [
      "fields/controls/controls.js",
      "fieldId !== typedId && !isUnread && isEmptied(control)",
      "fieldId !== typedId && !isUnread",
    ],
  ],
  // The clock that stands while a device sleeps is the only one.
  sleep: [
    [
      "quote/time.js",
      "Math.min(known.end - performance.now(), known.dateEnd - Date.now())",
      "known.end - performance.now()",
    ],
    [
      "core/service-time.js",
      "Math.max(serviceOrigin + performance.now(), serviceAhead + Date.now())",
      "serviceOrigin + performance.now()",
    ],
  ],
  // Another language fetches and shows the fields anew.
  words: [
    [
      "fields/form/fields-element.js",
      "contentOf([kind, query, autofill",
      "contentOf([language, kind, query, autofill",
    ],
  ],
  // A half typed date is none.
  half: [
    [
      "fields/controls/controls.js",
      'control.type === "date" && control.validity?.badInput === true',
      "false",
    ],
  ],
};

export const NAMES = Object.keys(SAFEGUARDS);

/** Edits the package in a folder. */
export async function without(name, folder) {
  for (const [file, there, instead] of SAFEGUARDS[name]) {
    const path = join(folder, file);
    const text = await readFile(path, "utf8");
    if (text.split(there).length !== 2) throw new Error(`${file} does not have this once: ${there}`);
    await writeFile(path, text.replace(there, () => instead));
  }
}
