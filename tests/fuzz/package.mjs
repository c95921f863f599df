// The packed tarball, unpacked, and what is in it.

import { execFile } from "node:child_process";
import { mkdir, readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

/** What the package has to itself: a page gets no instance of these. */
const INTERNAL = ["CoreHandle", "EventLog", "Core", "FieldFormCore", "CardFormCore", "CardFormHandle", "Outcome", "CardFormController", "KitCore", "Hands", "Engine", "FrameGuard", "FieldFormHandle", "PushToCardRun", "PushToCardSteps", "LoadErrorNotice"];
/**
 * The entry points that are fuzzed and the files that are no code. tests/package/entry-points.test.mjs tries
 * the options of the others with the same values.
 */
const ENTRIES = [".", "./remitkit_core_bg.wasm", "./integrity.json", "./package.json"];
const TRIED_ELSEWHERE = ["./server", "./react", "./element", "./testing"];
/** All of it in one file, for pages without a bundler. */
const ONE_FILE = "./remitkit.min.js";
/** What has its exports from the module that is fuzzed, but for its way to the wasm. */
const SAME = "./inline";

/** Unpacks it and gives the folder. */
export async function unpack(tarball, folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await promisify(execFile)("tar", ["-xzf", tarball, "-C", folder]);
  return join(folder, "package");
}

/** The module and the classes whose instances a page gets, found in the files themselves. */
export async function contents(folder) {
  const { exports } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const known = [...ENTRIES, ...TRIED_ELSEWHERE, ONE_FILE, SAME];
  const unknown = Object.keys(exports).filter((entry) => !known.includes(entry));
  const load = (name) => import(pathToFileURL(join(folder, name)).href);
  const classes = {};
  for (const name of await readdir(folder)) {
    if (!name.endsWith(".js") || `./${name}` === ONE_FILE || TRIED_ELSEWHERE.includes(`./${name.slice(0, -3)}`)) continue;
    for (const [exported, value] of Object.entries(await load(name))) {
      const isClass = typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));
      if (isClass && !INTERNAL.includes(exported)) classes[exported] = value;
    }
  }
  const module = await load("index.js");
  // These two load a wasm of their own.
  const { createRemitKit, preload, ...rest } = await load("inline.js");
  if (typeof createRemitKit !== "function" || typeof preload !== "function" || Object.keys(rest).some((name) => rest[name] !== module[name])) unknown.push(SAME);
  const { loadInstance } = await load("load.js");
  await loadInstance(await readFile(join(folder, "remitkit_core_bg.wasm")));
  const kit = await module.createRemitKit({ baseUrl: "https://a.example", cardUrl: "https://b.example", token: "t" });
  classes.RemitKit = kit.constructor;
  await kit.destroy();
  return { module, classes, unknown };
}
