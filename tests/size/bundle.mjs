// A shop's bundle of an import, and what a page loads of it.

import { createRequire } from "node:module";
import { brotliCompressSync, gzipSync } from "node:zlib";

const tools = createRequire(new URL("../../xtask/node-tools/package.json", import.meta.url));
export const { build } = tools("esbuild");

/** Returns the sizes of content: raw, and compressed as servers compress static files. */
export function bytesOf(content) {
  const gzip = gzipSync(content, { level: 9 });
  return { raw: content.length, gzip: gzip.length, brotli: brotliCompressSync(content).length };
}

export function sumOf(all) {
  const sum = { raw: 0, gzip: 0, brotli: 0 };
  for (const bytes of all) for (const form of Object.keys(sum)) sum[form] += bytes[form];
  return sum;
}

/** How a shop bundles its page. */
export const BUNDLED = {
  bundle: true,
  minify: true,
  splitting: true,
  format: "esm",
  target: "es2022",
  legalComments: "none",
  logLevel: "warning",
};
const IN_MEMORY = { ...BUNDLED, outdir: "out", write: false, metafile: true, preserveSymlinks: true };

/** Bundles a module in `folder`. Each `import()` becomes a script of its own. */
export async function bundle(source, folder, options = {}) {
  const stdin = { contents: source, resolveDir: folder };
  const { metafile, outputFiles } = await build({ ...IN_MEMORY, stdin, absWorkingDir: folder, ...options });
  const scripts = Object.entries(metafile.outputs).map(([name, output]) => {
    const { contents } = outputFiles.find(({ path }) => path.endsWith(name));
    return { ...output, name, bytes: bytesOf(contents) };
  });
  return new Bundle(scripts);
}

export class Bundle {
  #scripts;

  constructor(scripts) {
    this.#scripts = scripts;
  }

  /** Returns the files that a page loads at once, with the bytes that are left of each. */
  files() {
    const files = {};
    for (const { inputs } of this.#loaded([])) {
      for (const [file, { bytesInOutput }] of Object.entries(inputs)) {
        if (bytesInOutput > 0) files[file] = (files[file] ?? 0) + bytesInOutput;
      }
    }
    return files;
  }

  /**
   * Returns how many scripts a page waits for, without esbuild's own helpers: each script that the entry
   * imports costs another round trip.
   */
  scriptsAtOnce() {
    const hasCode = ({ inputs }) => Object.values(inputs).some(({ bytesInOutput }) => bytesInOutput > 0);
    return this.#loaded([]).filter(hasCode).length;
  }

  /** Returns the bytes of a page that has also requested these files, each script compressed by itself. */
  bytes(later = []) {
    return sumOf(this.#loaded(later.map((file) => this.#with(file))).map(({ bytes }) => bytes));
  }

  /** Returns the bytes of the script that a page gets when it requests this file. */
  bytesOfScript(file) {
    return this.#with(file).bytes;
  }

  #with(file) {
    const atOnce = this.#loaded([]);
    const isLater = (script) => script.inputs[file]?.bytesInOutput > 0 && !atOnce.includes(script);
    const found = this.#scripts.find(isLater);
    if (!found) throw new Error(`${file} is not requested by itself`);
    return found;
  }

  /** Returns the entry and these scripts, with all scripts that they import. */
  #loaded(later) {
    const loaded = [this.#scripts.find(({ entryPoint }) => entryPoint === "<stdin>"), ...later];
    for (const { imports } of loaded) {
      for (const { path } of imports.filter(({ kind }) => kind === "import-statement")) {
        const script = this.#scripts.find(({ name }) => name === path);
        if (script && !loaded.includes(script)) loaded.push(script);
      }
    }
    return loaded;
  }
}
