// The package as a shop imports it, and the calls made to it: ["new", options], ["cardForm",
// options, callOptions], ["update", options], …

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { loadParts, unpacked } from "./kit.mjs";

const SPIED = `
import { createRemitKit as create } from "./index.js";
export * from "./index.js";

export const calls = [];
export const forms = [];

const spy = (object, name, said = name) => {
  const method = object[name];
  object[name] = (...args) => {
    calls.push([said, ...args]);
    return method.apply(object, args);
  };
};

export async function createRemitKit(options) {
  const remit = await create(options);
  calls.push(["new", options]);
  for (const name of ["senderFields", "recipientFields", "recipientAccountFields", "transferFields", "pendingTransfers"]) spy(remit, name);
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

/** Returns a copy of the package whose `createRemitKit` is watched, even where its own modules import it. */
export async function spied() {
  const { folder, load } = await unpacked();
  await writeFile(join(folder, "spied.js"), SPIED);
  const manifest = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  manifest.exports["."] = "./spied.js";
  await writeFile(join(folder, "package.json"), JSON.stringify(manifest));
  await loadParts(load);
  return { folder, load, ...(await load("spied.js")) };
}
