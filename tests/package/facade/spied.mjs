// A copy of the package whose `createRemitKit` records calls, even where its own modules import it.

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadParts, unpacked } from "./kit.mjs";

const SPIED = `
import { createRemitKit as create } from "./index.js";
export * from "./index.js";

export const calls = [];
export const forms = [];
/** \`until\` holds back the kits that are made. */
export const gate = {};

const spy = (object, name, label = name) => {
  const method = object[name];
  object[name] = (...args) => {
    calls.push([label, ...args]);
    return method.apply(object, args);
  };
};

export async function createRemitKit(options) {
  const remit = await create(options);
  calls.push(["new", options]);
  await gate.until;
  const fields = ["senderFields", "recipientFields", "recipientAccountFields", "transferFields"];
  for (const name of [...fields, "pendingTransfers"]) spy(remit, name);
  spy(remit, "destroy", "end");
  const { cardForm } = remit;
  remit.cardForm = async (...args) => {
    calls.push(["cardForm", ...args]);
    const form = await cardForm.apply(remit, args);
    spy(form, "update");
    spy(form, "destroy", "destroyForm");
    forms.push(form);
    return form;
  };
  return remit;
}
`;

/** Loads such a copy. `calls` are `["new", options]`, `["cardForm", options, callOptions]` and so on. */
export async function spied() {
  const { folder, load } = await unpacked();
  await writeFile(join(folder, "spied.js"), SPIED);
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  manifest.exports["."] = "./spied.js";
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await loadParts(load);
  const module = await load("spied.js");
  const callsOf = (name) => module.calls.filter(([called]) => called === name);
  /** The options of each form that was created, as JSON. */
  const created = () =>
    callsOf("cardForm").map(([, { container, ...options }]) => JSON.parse(JSON.stringify(options)));
  return { folder, load, ...module, callsOf, created };
}
