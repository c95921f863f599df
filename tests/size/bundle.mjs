// What a shop's bundler makes of an import, and what a page loads of it.

import { createRequire } from "node:module";
import { brotliCompressSync, gzipSync } from "node:zlib";

const { build } = createRequire(new URL("../../xtask/node-tools/package.json", import.meta.url))("esbuild");

/** Returns bytes as they are, and compressed as servers compress once and for all. */
export function bytesOf(content) {
  return { raw: content.length, gzip: gzipSync(content, { level: 9 }).length, brotli: brotliCompressSync(content).length };
}

export function sumOf(all) {
  const sum = { raw: 0, gzip: 0, brotli: 0 };
  for (const bytes of all) for (const form of Object.keys(sum)) sum[form] += bytes[form];
  return sum;
}

/** Bundles a module that lies in `folder`. What it asks for by `import()` becomes a script of its own. */
export async function bundle(source, folder, options = {}) {
  const { metafile, outputFiles } = await build({
    stdin: { contents: source, resolveDir: folder }, absWorkingDir: folder, outdir: "out", write: false, metafile: true,
    bundle: true, minify: true, splitting: true, format: "esm", target: "es2022", preserveSymlinks: true, legalComments: "none",
    logLevel: "warning", ...options,
  });
  const scripts = Object.values(metafile.outputs);
  const names = Object.keys(metafile.outputs);
  scripts.forEach((script, index) => Object.assign(script, { name: names[index], bytes: bytesOf(outputFiles.find(({ path }) => path.endsWith(names[index])).contents) }));
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
      for (const [file, { bytesInOutput }] of Object.entries(inputs)) if (bytesInOutput > 0) files[file] = (files[file] ?? 0) + bytesInOutput;
    }
    return files;
  }

  /**
   * Returns how many scripts a page waits for, without esbuild's own helpers: each script
   * the entry imports costs another round trip.
   */
  scriptsAtOnce() {
    return this.#loaded([]).filter(({ inputs }) => Object.values(inputs).some(({ bytesInOutput }) => bytesInOutput > 0)).length;
  }

  /** Returns what a page has loaded that also asked for these files, each script compressed by itself. */
  bytes(later = []) {
    return sumOf(this.#loaded(later.map((file) => this.#with(file))).map(({ bytes }) => bytes));
  }

  /** Returns the bytes of the script that a page gets when it asks for this file. */
  bytesOfScript(file) {
    return this.#with(file).bytes;
  }

  #with(file) {
    const atOnce = this.#loaded([]);
    const found = this.#scripts.find((script) => script.inputs[file]?.bytesInOutput > 0 && !atOnce.includes(script));
    if (!found) throw new Error(`${file} is not asked for by itself`);
    return found;
  }

  /** Returns the entry and these scripts, with all that they cannot run without. */
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
