// The packed package, unpacked.

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { run, tarball } from "../packed.mjs";

export { errorOf } from "../packed.mjs";

const { setTimeout } = globalThis;

/** A folder with the package, and how to load a module of it. Its modules have a state of their own. */
export async function unpacked() {
  const folder = await mkdtemp(join(tmpdir(), "remitkit-unpacked-"));
  after(() => rm(folder, { recursive: true }));
  await run("tar", ["-xzf", await tarball(), "-C", folder, "--strip-components=1"]);
  return { folder, load: (name) => import(pathToFileURL(join(folder, name)).href) };
}

/** Lets all happen that is due, also what waits for no time at all. */
export async function settled() {
  for (let turn = 0; turn < 5; turn += 1) {
    await new Promise((resolve) => setTimeout(resolve, 1));
    await new Promise((resolve) => setImmediate(resolve));
  }
}
