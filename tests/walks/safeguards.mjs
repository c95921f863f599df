// Builds the shop without one safeguard of its checkout, to show that walks find that it is missing.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const WWW = fileURLToPath(new URL("../../www", import.meta.url));

/** Changes which earlier transfers block Send. */
const blocking = (condition) =>
  ['state !== "refused"', condition].map((own) => `return ${own} && !store.isKnown(`);

/** The edits that remove each safeguard: by file, texts and their replacements. */
export const SAFEGUARDS = {
  // Send waits for the outcome of the transfer that a reload interrupted.
  wait: { "src/earlier_transfers.ts": [blocking('state === "made"')] },
  // Send asks whether to send beside a transfer that was made meanwhile.
  another: { "src/earlier_transfers.ts": [blocking('!["refused", "made"].includes(state)')] },
  // Send checks what other tabs have sent since.
  look: { "src/steps/review.ts": [["    await earlier.refresh(true);\n", ""]] },
  // Send does nothing while a transfer is under way.
  busy: {
    "src/steps/step_form.ts": [["if (!isBusy(this.submit)) void submit();", "void submit();"]],
    "src/steps/review.ts": [["withSendLock(() => send(request, sent))", "send(request, sent)"]],
  },
  // A transfer without a known outcome is called neither sent nor not sent.
  open: { "src/steps/review.ts": [['failure.kind === "outcome_unknown"', "failure.kind === undefined"]] },
  // A worse price is paid only once the customer has accepted it.
  accept: {
    "src/agreed_price.ts": [[" && isWorse(agreed.quote, quote)", " && agreed === undefined"]],
  },
  // A press pays no price that has just changed.
  settle: { "src/ui/press_guard.ts": [["    this.#isSettling = true;\n", ""]] },
  // A sent transfer is remembered beyond its page.
  remember: {
    "src/remit.ts": [['journal: "local"', 'journal: "memory"']],
    "src/steps/review.ts": [["    rememberSent(sent);\n", ""]],
  },
};

/** Returns the edits that remove a safeguard as `[file, (source) => source]`. */
export function editsOf(name) {
  const edited = SAFEGUARDS[name];
  if (!edited) throw new Error(`unknown safeguard ${name}`);
  return Object.entries(edited).map(([file, changes]) => {
    const edit = (source) => changes.reduce((text, [from, to]) => replaceOnce(name, text, from, to), source);
    return [join(WWW, file), edit];
  });
}

function replaceOnce(name, text, from, to) {
  const count = text.split(from).length - 1;
  if (count === 1) return text.replace(from, () => to);
  throw new Error(`${name}: the shop's source has changed: ${JSON.stringify(from)} occurs ${count} times`);
}

export async function buildWithout(name, folder) {
  const vite = await import(createRequire(join(WWW, "package.json")).resolve("vite"));
  const edits = new Map(editsOf(name));
  const edited = new Set();
  const plugin = {
    name: "without-a-safeguard",
    enforce: "pre",
    async load(id) {
      const edit = edits.get(id);
      if (!edit) return undefined;
      edited.add(id);
      return edit(await readFile(id, "utf8"));
    },
  };
  const build = { outDir: folder, emptyOutDir: true };
  await vite.build({ root: WWW, logLevel: "warn", plugins: [plugin], build });
  if (edited.size !== edits.size) throw new Error(`${name}: an edited file is not part of the shop`);
}
