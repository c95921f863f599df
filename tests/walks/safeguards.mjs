// The shop with a safeguard of its checkout left out, to show that walks find it. Its sources know nothing of
// this.

import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const WWW = fileURLToPath(new URL("../../www", import.meta.url));

/** What each safeguard is, and how a shop without it is written: by file, texts and what replaces them. */
export const SAFEGUARDS = {
  wait: {
    about: "Send waits until the transfer that a reload interrupted is settled",
    edits: { "src/earlier_transfers.ts": [['state !== "refused" && !known.includes(id));\n  }\n\n  #add', 'state === "made" && !known.includes(id));\n  }\n\n  #add']] },
  },
  another: {
    about: "who sends beside a transfer that was made meanwhile is asked whether they want both",
    edits: { "src/earlier_transfers.ts": [['state !== "refused" && !known.includes(id));\n  }\n\n  #add', '!["refused", "made"].includes(state) && !known.includes(id));\n  }\n\n  #add']] },
  },
  look: {
    about: "Send looks for what other tabs have sent since",
    edits: { "src/steps/review.ts": [["    await earlier.refresh(true);\n", ""]] },
  },
  busy: {
    about: "Send does nothing while a transfer is under way",
    edits: {
      "src/steps/review.ts": [
        ["if (isBusy(submit) || !view) return;", "if (!view) return;"],
        ['await withSendLock(() => send(request, sent), "locked" as const)', "(await send(request, sent)) as string"],
      ],
    },
  },
  open: {
    about: "what nobody can tell yet is not called sent or not sent",
    edits: { "src/sending.ts": [['error.kind === "outcome_unknown" || error.kind === "aborted"', "false"]] },
  },
  remember: {
    about: "what was sent outlives its page",
    edits: {
      "src/remit.ts": [['journal: "local"', 'journal: "memory"']],
      "src/steps/review.ts": [["    rememberSent(sent);\n", ""]],
    },
  },
};

/** The edits of a safeguard as functions from a source to another, by file. */
export function editsOf(name) {
  const safeguard = SAFEGUARDS[name];
  if (!safeguard) throw new Error(`no safeguard is called ${name}; there are ${Object.keys(SAFEGUARDS).join(", ")}`);
  return Object.entries(safeguard.edits).map(([file, changes]) => [join(WWW, file), (source) => changes.reduce((text, [from, to]) => replaced(name, text, from, to), source)]);
}

function replaced(name, text, from, to) {
  if (text.split(from).length !== 2) throw new Error(`the safeguard ${name} is written otherwise by now: ${JSON.stringify(from)} stands there ${text.split(from).length - 1} times`);
  return text.replace(from, () => to);
}

/** Builds the shop without a safeguard into a folder. */
export async function buildWithout(name, folder) {
  const vite = await import(createRequire(join(WWW, "package.json")).resolve("vite"));
  const edits = new Map(editsOf(name));
  const met = new Set();
  const plugin = {
    name: "without-a-safeguard",
    enforce: "pre",
    async load(id) {
      const edit = edits.get(id);
      if (!edit) return undefined;
      met.add(id);
      return edit(await readFile(id, "utf8"));
    },
  };
  await vite.build({ root: WWW, logLevel: "warn", plugins: [plugin], build: { outDir: folder, emptyOutDir: true } });
  if (met.size !== edits.size) throw new Error(`the shop is not made of what the safeguard ${name} is in`);
}
