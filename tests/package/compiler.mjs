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

/** A file of this folder. */
export const read = (name) => readFile(join(import.meta.dirname, name), "utf8");

export async function versionOf(compiler) {
  return JSON.parse(await read(`node_modules/${compiler}/package.json`)).version;
}

/** A folder with the package installed and these files of `types/` in it, and what they share. */
export async function project(...names) {
  const files = ["exactly.ts", ...names].map(async (name) => [name, await read(`types/${name}`)]);
  return shop(Object.fromEntries(await Promise.all(files)));
}

/** Lets the folder find a package that the tests have, under its own name or another. */
export async function link(folder, name, from = name) {
  const place = join(folder, "node_modules", name);
  await mkdir(dirname(place), { recursive: true });
  await symlink(join(MODULES, from), place);
}

/** What the compiler says; nothing if all is well. */
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
  if (compiler === "typescript-5") return diagnosed(folder, config);
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  return run(process.execPath, [join(MODULES, compiler, "bin/tsc"), "-p", folder]).then(
    () => "",
    ({ stdout, stderr }) => stdout + stderr,
  );
}

/** Sources of others by module resolution and name. */
const others = new Map();

/**
 * Returns what TypeScript 5 says of all files but those that the tests have installed. Its program takes two
 * seconds to start and to read and check these, React's types above all; here they are read once.
 */
function diagnosed(folder, config) {
  const place = join(folder, "tsconfig.json");
  const { errors, fileNames, options } = ts.parseJsonConfigFileContent(config, ts.sys, folder, {}, place);
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...more) => {
    if (!name.startsWith(MODULES)) return getSourceFile(name, ...more);
    const key = `${options.moduleResolution} ${name}`;
    if (!others.has(key)) others.set(key, getSourceFile(name, ...more));
    return others.get(key);
  };
  const program = ts.createProgram(fileNames, options, host);
  const own = program.getSourceFiles().filter(({ fileName }) => !fileName.startsWith(MODULES));
  const found = [
    ...errors,
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ];
  return ts.formatDiagnostics(found, {
    getCanonicalFileName: (name) => name,
    getCurrentDirectory: () => folder,
    getNewLine: () => "\n",
  });
}

/** Each line after `@ts-expect-error` must be an error by itself, so that none hides behind another. */
export async function assertEachLineFails(folder, name, settings) {
  const lines = (await read(`types/${name}`)).split("\n");
  const expected = lines.flatMap((line, index) => (line.includes("@ts-expect-error") ? [index + 2] : []));
  const bare = `bare-${name}`;
  await writeFile(join(folder, bare), lines.map((line) => line.replace("@ts-expect-error", "")).join("\n"));
  const errors = await compile(folder, "typescript-5", settings, bare);
  const found = new Set([...errors.matchAll(/\bbare-[^(]*\((\d+),/g)].map(([, line]) => Number(line)));
  assert.deepEqual(
    [...found].sort((a, b) => a - b),
    expected,
  );
}
