// Completes the package's `docs/errors.md`: adds to each code its facts from src/api and the sandbox's triggers.

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
  contact_support: "The page cannot help. Quote `error.requestId` to the service's support.",
};

const folder = process.argv[2];
const path = join(folder, "docs/errors.md");
const rust = await readFile(join(import.meta.dirname, "../../../src/api/code.rs"), "utf8");
const { triggers } = await import(pathToFileURL(join(folder, "testing/triggers.js")).href);

const rows = rust.matchAll(/^ +(\w+) ([A-Z]\w+) ([A-Z]\w+) (?:later )?"([^"]+)"$/gm);
const codes = new Map(Array.from(rows, ([, code, ...facts]) => [code, facts]));
const snakeCase = (name) => name.replace(/(?<!^)[A-Z]/g, "_$&").toLowerCase();

function way({ operation, amount, lastName, card, property, field, value, rule }) {
  if (amount !== undefined) return `\`${operation}\` with \`amount\` ${amount}`;
  if (lastName !== undefined) return `\`${operation}\` with the code as last name or company name`;
  if (card !== undefined) return `card ${card} in the card form`;
  if (rule !== undefined) return `\`${operation}\`: ${rule.replace(/\.$/, "")}`;
  const name = field === undefined ? `\`${property}\`` : `the field \`${field}\``;
  return `\`${operation}\` ${value === null ? `without ${name}` : `with ${name} \`${value}\``}`;
}

function entry(_, code, text) {
  const [kind, resolution, message] = codes.get(code);
  codes.delete(code);
  const [meaning, own] = text.replace(/\s+/g, " ").trim().split(" Sandbox: ");
  const sandbox = own ?? `${triggers[code].ways.map(way).join("; ")}.`;
  const name = snakeCase(resolution);
  return `### ${code}

${meaning}

- Show: “${message}”
- Do: ${ACTIONS[name]} (\`${name}\`)
- \`kind\`: \`${snakeCase(kind)}\`
- Sandbox: ${sandbox}

`;
}

const source = (await readFile(path, "utf8")).replace(/<!--.*-->\n\n/, "");
const text = source.replace(/^- `(\w+)`: (.*\n(?: .*\n)*)/gm, entry);
if (codes.size > 0) {
  throw new Error(`docs/errors.md says nothing about ${[...codes.keys()].join(", ")}`);
}
await writeFile(path, `${text.replace(/\n{3,}/g, "\n\n").trimEnd()}\n`);
