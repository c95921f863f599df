// TypeScript over the installed package, with the compilers and settings that shops have.

import assert from "node:assert/strict";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import ts from "typescript-5";
import { run, shop } from "./packed.mjs";

const MODULES = join(import.meta.dirname, "node_modules");

export const COMPILERS = ["typescript", "typescript-5"];

export const RESOLUTIONS = [
  { module: "esnext", moduleResolution: "bundler" },
  { module: "nodenext", moduleResolution: "nodenext" },
];

/** Reads a file of this folder. */
export const read = (name) => readFile(join(import.meta.dirname, name), "utf8");

export async function versionOf(compiler) {
  return JSON.parse(await read(`node_modules/${compiler}/package.json`)).version;
}

/** Creates a folder with the package installed, these files of `types/` and what they share. */
export async function project(...names) {
  const files = ["exactly.ts", ...names].map(async (name) => [name, await read(`types/${name}`)]);
  return shop(Object.fromEntries(await Promise.all(files)));
}

/** Links a package that the tests have installed into the folder, under its own name or another. */
export async function link(folder, name, from = name) {
  const place = join(folder, "node_modules", name);
  await mkdir(dirname(place), { recursive: true });
  await symlink(join(MODULES, from), place);
}

/** Returns what the compiler reports; an empty text if all is well. */
export async function compile(folder, compiler, settings, ...files) {
  const config = {
    compilerOptions: {
      target: "es2022",
      lib: ["es2022", "dom", "dom.iterable"],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipDefaultLibCheck: true,
      noEmit: true,
      ...settings,
    },
    files,
  };
  if (compiler === "typescript-5") return compileInProcess(folder, config);
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  return run(process.execPath, [join(MODULES, compiler, "bin/tsc"), "-p", folder]).then(
    () => "",
    ({ stdout, stderr }) => stdout + stderr,
  );
}

/** Parsed sources of the tests' own packages, by module resolution and name. */
const installed = new Map();

/**
 * Compiles with TypeScript 5 in this process, without reporting on the tests' own packages. Its program takes
 * two seconds to start and to read these, React's types above all; here they are read once.
 */
function compileInProcess(folder, config) {
  const place = join(folder, "tsconfig.json");
  const { errors, fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder, {}, place);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...more) => {
    if (!name.startsWith(MODULES)) return getSourceFile(name, ...more);
    const key = `${options.moduleResolution} ${name}`;
    if (!installed.has(key)) installed.set(key, getSourceFile(name, ...more));
    return installed.get(key);
  };
  const program = ts.createProgram(fileNames, options, host);
  const own = program.getSourceFiles().filter(({ fileName }) => !fileName.startsWith(MODULES));
  const found = [...errors, ...program.getOptionsDiagnostics(), ...program.getGlobalDiagnostics()];
  for (const file of own) {
    found.push(...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file));
  }
  const getCanonicalFileName = (name) => name;
  const format = { getCanonicalFileName, getCurrentDirectory: () => folder, getNewLine: () => "\n" };
  return ts.formatDiagnostics(found, format);
}

/** Asserts that a file's lines below its mark are errors, and no line above. */
export async function assertEachLineFails(folder, name, compiler, settings) {
  const lines = (await read(`types/${name}`)).split("\n");
  const mark = lines.indexOf("// Each line below is an error.");
  const expected = lines.flatMap((line, index) => (index > mark && line !== "" ? [index + 1] : []));
  const errors = await compile(folder, compiler, settings, name);
  const found = [...errors.matchAll(/invalid\.tsx?\((\d+),/g)].map(([, line]) => Number(line));
  assert.deepEqual([...new Set(found)].sort((a, b) => a - b), expected, errors);
}
