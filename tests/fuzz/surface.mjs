// Everything that the packed tarball exports, so that nothing new goes unfuzzed.

import { execFile } from "node:child_process";
import { mkdir, readFile, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

/** Classes of which a page gets no instance. */
const INTERNAL = `CoreHandle EventLog Core FieldFormCore CardFormCore CardFormHandle Outcome CardFormController
  KitCore Hands Engine FrameGuard FieldFormHandle PushToCardRun PushToCardSteps LoadErrorNotice`.split(/\s+/);
/** The fuzzed entry point, and files without code. */
const ENTRIES = [".", "./remitkit_core_bg.wasm", "./integrity.json", "./package.json"];
/** tests/package/entry-points.test.mjs passes hostile values to these. */
const TRIED_ELSEWHERE = ["./server", "./react", "./element", "./testing"];
/** Everything in one file. */
const ONE_FILE = "./remitkit.min.js";
/** Exports the fuzzed module, but for its way to the wasm. */
const INLINE = "./inline";
/** The core's own way to an error's language, which the types do not have. */
const UNDOCUMENTED = ["RemitError.translate"];

/** Unpacks the tarball; returns its folder. */
export async function unpack(tarball, folder) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await promisify(execFile)("tar", ["-xzf", tarball, "-C", folder]);
  return join(folder, "package");
}

/** Returns the names of everything a page can call or read, and of entry points that nothing here knows. */
export async function surfaceOf(folder) {
  const { exports } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const known = [...ENTRIES, ...TRIED_ELSEWHERE, ONE_FILE, INLINE];
  const unknown = Object.keys(exports).filter((entry) => !known.includes(entry));
  const load = (name) => import(pathToFileURL(join(folder, name)).href);
  const classes = {};
  for (const name of await readdir(folder)) {
    const entry = `./${name.slice(0, -".js".length)}`;
    if (!name.endsWith(".js") || `./${name}` === ONE_FILE || TRIED_ELSEWHERE.includes(entry)) continue;
    for (const [exported, value] of Object.entries(await load(name))) {
      const isClass = typeof value === "function" && /^class\b/.test(Function.prototype.toString.call(value));
      if (isClass && !INTERNAL.includes(exported)) classes[exported] = value;
    }
  }
  const module = await load("index.js");
  // These two load their own wasm.
  const { createRemitKit, preload, ...rest } = await load("inline.js");
  const isSame = createRemitKit && preload && Object.keys(rest).every((name) => rest[name] === module[name]);
  if (!isSame) unknown.push(INLINE);
  const { loadInstance } = await load("load.js");
  await loadInstance(await readFile(join(folder, "remitkit_core_bg.wasm")));
  const options = { baseUrl: "https://a.example", cardUrl: "https://b.example", token: "t" };
  const kit = await module.createRemitKit(options);
  classes.RemitKit = kit.constructor;
  await kit.destroy();
  return { names: namesOf(module, classes), unknown };
}

/** Returns the names of the module's exports, and of the members of `classes` and their instances. */
export function namesOf(module, classes) {
  const names = Object.keys(module);
  const hidden = ["constructor", Symbol.for("remitkit.error")];
  const hiddenStatics = ["length", "name", "prototype", "mount", "over"];
  for (const [name, made] of Object.entries(classes)) {
    const members = Reflect.ownKeys(made.prototype).filter((key) => !hidden.includes(key));
    const statics = Reflect.ownKeys(made).filter((key) => !hiddenStatics.includes(key));
    for (const key of [...members, ...statics]) names.push(`${name}.${nameOf(key)}`);
  }
  return names.filter((name) => !UNDOCUMENTED.includes(name)).sort();
}

// Symbol.dispose has various descriptions; an engine without it has an unknown symbol.
function nameOf(key) {
  return typeof key === "string" ? key : `[${key.description?.split(".").at(-1) ?? "dispose"}]`;
}
