// The samples of the READMEs and of docs/, as code that can be compiled and run.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./packed.mjs";

/** Returns the paths of the documents with samples, by the names that the tests' files have. */
export async function documents(installed) {
  const docs = await readdir(join(installed, "docs"));
  return {
    project: join(ROOT, "README.md"),
    readme: join(installed, "README.md"),
    "sandbox-package": join(ROOT, "pkg-sandbox/README.md"),
    ...Object.fromEntries(docs.map((name) => [name.replace(".md", ""), join(installed, "docs", name)])),
  };
}

/** Returns a document's samples in their order, each with its heading. */
export async function samplesOf(path, languages = ["js", "jsx"]) {
  const samples = [];
  let heading = "";
  const parts = (await readFile(path, "utf8")).matchAll(/^#+ ([^\n]*)$|^```(\w+)\n(.*?)^```$/gms);
  for (const [, title, language, code] of parts) {
    heading = title?.replaceAll("`", "") ?? heading;
    if (languages.includes(language)) samples.push({ heading, language, code });
  }
  return samples;
}

/** Collects the imports of several samples, as nested code can have none. */
export class Imports {
  #names = new Map();

  /** Returns the code without its imports and exports; `exported` stands where it exports its default. */
  takeFrom(code, exported) {
    return code
      .replace(/^import (?:(\w+)|\{ (.*?) \}) from "(.*?)";.*$/gm, (_, whole, named, from) => {
        const names = whole ? [`default as ${whole}`] : named.split(", ");
        this.#names.set(from, new Set([...(this.#names.get(from) ?? []), ...names]));
        return "";
      })
      .replace(/^export default /gm, exported)
      .replace(/^export \{ (\w+) as \w+ \};/gm, "void $1;")
      .replace(/^export (?=function|const)/gm, "");
  }

  toString() {
    const lineOf = ([from, names]) => `import { ${[...names].join(", ")} } from "${from}";\n`;
    return [...this.#names].map(lineOf).join("");
  }
}
