// Writes what the package has of the error codes, by the tables that `package-tables` prints:
// `types/codes.d.ts`; `errors/codes.js` and `server/codes.js`, for the errors that JavaScript raises in pages
// and on servers; and, with the sandbox's triggers, the entries of `docs/errors.md`.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const ACTIONS = {
  correct_input: "Let the customer or the code correct the input, and send it again.",
  complete_fields: "Fetch the fields again, show those that are missing, and send it again.",
  fetch_new_quote: "Show a new quote, and continue once the customer agrees to it.",
  wait_for_reset: "Offer a smaller amount, if some of the limit is left, or a later day.",
  start_new_card_session: "Start another session: `form.renew()`.",
  use_another_card: "Ask for another card.",
  choose_another_corridor: "Offer the corridors that `corridors()` lists.",
  quote_by_send_amount: "Quote by `SEND_AMOUNT`, and leave the other field out.",
  name_the_sender: "Get a sender-level token for the customer who is signed in, or let them sign in again.",
  fund_account: "Fund your business's settlement account; show the customer another way to pay meanwhile.",
  try_again_later: "Let the customer try again, after `error.retryAfterMs` if it is set.",
  resume_attempt:
    "Call `error.attempt.resume()`; for anything but a transfer, read what exists before you send it again.",
  read_the_transfer: "Show the transfer: `transferProgress(quoteHistoryId)`, then `getTransfer`.",
  use_another_browser: "Offer another browser, or another way to pay; see [browsers](browsers.md).",
  contact_support: "The page cannot help. Quote `error.requestId` to the service's support.",
};

const [folder, tables] = process.argv.slice(2);
const path = join(folder, "docs/errors.md");
const { triggers } = await import(pathToFileURL(join(folder, "testing/triggers.js")).href);
const codes = new Map(Object.entries(JSON.parse(tables).codes));
/** Returns the codes that the package's JavaScript raises in one of these places, by name. */
const raisedIn = (...places) =>
  [...codes.keys()].filter((code) => codes.get(code).places.some((place) => places.includes(place))).sort();

const write = (name, text) => writeFile(join(folder, name), `// Made from src/api/code.rs.\n\n${text}`);
const row = (code, facts) => `  ${code}: ${JSON.stringify(facts)},\n`;
// For most mistakes of a page customers get the text of `Internal`.
const general = codes.get("Internal");
const onServer = ({ kind, resolution, retryable }) => [kind, resolution, retryable];
const inPage = (code) => {
  const { kind, resolution, retryable, message, spanish, places } = codes.get(code);
  // A kit has the texts of its language.
  const texts = places.includes("without_kit") ? [message, spanish] : [message];
  return [kind, resolution, retryable, ...(message === general.message ? [] : texts)];
};
await write(
  "errors/codes.js",
  `/**
 * Kind, resolution, whether a retry may succeed and, unless they are the general ones, the customers' texts of
 * what pages raise.
 */
export const CODES = {
  __proto__: null,
${raisedIn("page", "without_kit").map((code) => row(code, inPage(code))).join("")}};
/** In English and Spanish, as those that a page needs before its kit. */
export const GENERAL_TEXTS = ${JSON.stringify([general.message, general.spanish])};
`,
);
const serverRows = raisedIn("server").map((code) => row(code, onServer(codes.get(code))));
await write("server/codes.js", `export const CODES = {\n${serverRows.join("")}};\n`);
const named = (isDocumented) =>
  [...codes.keys()].filter((code) => codes.get(code).isDocumented === isDocumented);
const resolutions = [...new Set(Array.from(codes.values(), ({ resolution }) => resolution))];
const unexplained = resolutions.filter((name) => ACTIONS[name] === undefined);
if (unexplained.length > 0) throw new Error(`ACTIONS lacks ${unexplained.join(", ")}`);
const union = (names) => names.map((name) => `\n  | "${name}"`).join("");
await write(
  "types/codes.d.ts",
  `import type { Unlisted } from "./unlisted.js";

/** The codes that the service documents. */
export type DocumentedErrorCode =${union(named(true))};

/** The codes that RemitKit adds, for errors that the service does not report. */
export type OwnErrorCode =${union(named(false))};

/** What to do about an error. */
export type Resolution =${union(resolutions)}
  | Unlisted;
`,
);

function way({ operation, amount, lastName, card, property, field, value, rule }) {
  if (amount !== undefined) return `\`${operation}\` with \`amount\` ${amount}`;
  if (lastName !== undefined) return `\`${operation}\` with the code as last name or company name`;
  if (card !== undefined) return `card ${card} in the card form`;
  if (rule !== undefined) return `\`${operation}\`: ${rule.replace(/\.$/, "")}`;
  const name = field === undefined ? `\`${property}\`` : `the field \`${field}\``;
  return `\`${operation}\` ${value === null ? `without ${name}` : `with ${name} \`${value}\``}`;
}

function entry(_, code, text) {
  const { kind, resolution, message } = codes.get(code);
  codes.delete(code);
  const [meaning, own] = text.replace(/\s+/g, " ").trim().split(" Sandbox: ");
  const sandbox = own ?? `${triggers[code].ways.map(way).join("; ")}.`;
  return `### ${code}

${meaning}

- Show: “${message}”
- Do: ${ACTIONS[resolution]} (\`${resolution}\`)
- \`kind\`: \`${kind}\`
- Sandbox: ${sandbox}

`;
}

const source = (await readFile(path, "utf8")).replace(/<!--.*-->\n\n/, "");
const text = source.replace(/^- `(\w+)`: (.*\n(?: .*\n)*)/gm, entry);
if (codes.size > 0) {
  throw new Error(`docs/errors.md says nothing about ${[...codes.keys()].join(", ")}`);
}
await writeFile(path, `${text.replace(/\n{3,}/g, "\n\n").trimEnd()}\n`);
