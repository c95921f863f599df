// Parses every script without running it: .mjs, and .js of a package whose type is `module`, as modules;
// others as either, as Node does.

import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { Script, SourceTextModule } from "node:vm";

/** Card forms of tests that are text; their names are addresses. */
const NO_SCRIPTS = /^tests\/fetch\/card\//;

const asModule = (source, identifier) => new SourceTextModule(source, { identifier });
/** As CommonJS, whose scripts are in a function. */
const asCommonjs = (source, filename) => new Script(`(function () {${source}\n})`, { filename });

function parsersOf(name) {
  if (name.endsWith(".mjs")) return [asModule];
  for (let folder = dirname(name); ; folder = dirname(folder)) {
    const manifest = join(folder, "package.json");
    if (existsSync(manifest)) {
      const isModule = JSON.parse(readFileSync(manifest, "utf8")).type === "module";
      return isModule ? [asModule] : [asCommonjs, asModule];
    }
    if (folder === ".") return [asCommonjs, asModule];
  }
}

function problemOf(name) {
  const source = readFileSync(name, "utf8").replace(/^#!.*/, "");
  let problem;
  for (const parse of parsersOf(name)) {
    try {
      parse(source, name);
      return undefined;
    } catch (error) {
      // Its stack begins with the place.
      problem = `${name}: ${error.stack.split("\n    at ")[0]}`;
    }
  }
  return problem;
}

const git = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", "*.mjs", "*.js"];
const names = execFileSync("git", git, { encoding: "utf8", maxBuffer: 1e8 }).split("\0");
const scripts = names.filter((name) => name && !NO_SCRIPTS.test(name) && existsSync(name));
const problems = scripts.map(problemOf).filter(Boolean);
console.error(problems.join("\n"));
if (problems.length > 0 || scripts.length === 0) process.exitCode = 1;
