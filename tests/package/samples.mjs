// The samples of the READMEs and of docs/, as code that can be compiled and run.

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "./packed.mjs";

/** Documents with samples: their name, which the tests' files go by, and where they are. */
export async function documents(installed) {
  const docs = await readdir(join(installed, "docs"));
  return {
    project: join(ROOT, "README.md"),
    readme: join(installed, "README.md"),
    "sandbox-package": join(ROOT, "pkg-sandbox/README.md"),
    ...Object.fromEntries(docs.map((name) => [name.replace(".md", ""), join(installed, "docs", name)])),
  };
}

/** The samples of a document in their order, each with the heading that it stands under. */
export async function samplesOf(path, languages = ["js", "jsx"]) {
  const samples = [];
  let heading = "";
  for (const [, title, language, code] of (await readFile(path, "utf8")).matchAll(/^#+ ([^\n]*)$|^```(\w+)\n(.*?)^```$/gms)) {
    heading = title?.replaceAll("`", "") ?? heading;
    if (languages.includes(language)) {
      samples.push({ heading, language, code });
    }
  }
  return samples;
}

/** Imports of several samples, which are to stand before what is nested. */
export class Imports {
  #names = new Map();

  /** The code without its imports and exports; `exported` stands where it exports its default. */
  takeFrom(code, exported = "void ") {
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
    return [...this.#names].map(([from, names]) => `import { ${[...names].join(", ")} } from "${from}";\n`).join("");
  }
}
