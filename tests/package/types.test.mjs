import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { run, shop } from "./packed.mjs";

const read = (name) => readFile(join(import.meta.dirname, name), "utf8");

// The blocks of the package's README build on each other, so they are compiled as one text; what a shop brings along is declared.
const README_SHOP = `
declare const baseUrl: string, cardUrl: string, token: string;
declare const request: import("remitkit").TransferRequest;
declare function show(message: string): void;
declare function showNewQuote(): Promise<void>;
declare function showPrice(quote: import("remitkit").Quote): void;
declare function customerTriesAgain(error: import("remitkit").RemitError): Promise<boolean>;
declare function customerAgrees(quote: unknown, previous: unknown, less: number | bigint | undefined): Promise<boolean>;
`;

const COMPILERS = ["typescript", "typescript-5"];

const SETTINGS = [
  { module: "esnext", moduleResolution: "bundler" },
  { module: "nodenext", moduleResolution: "nodenext" },
];

const folder = await shop({
  "valid.ts": await read("types/valid.ts"),
  "invalid.ts": await read("types/invalid.ts"),
});

async function compile(compiler, settings, ...files) {
  const config = {
    compilerOptions: {
      target: "es2022",
      lib: ["es2022", "dom", "dom.iterable"],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      ...settings,
    },
    files,
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
  const tsc = join(import.meta.dirname, "node_modules", compiler, "bin/tsc");
  return run(process.execPath, [tsc, "-p", folder]).then(
    () => "",
    ({ stdout, stderr }) => stdout + stderr,
  );
}

for (const compiler of COMPILERS) {
  const { version } = JSON.parse(await read(`node_modules/${compiler}/package.json`));
  for (const settings of SETTINGS) {
    test(`TypeScript ${version}, ${settings.moduleResolution}: what should compile does, what should not does not`, async () => {
      assert.equal(await compile(compiler, settings, "valid.ts", "invalid.ts"), "");
    });
  }
}

test("every line that must not compile is an error of its own", async () => {
  const lines = (await read("types/invalid.ts")).split("\n");
  const expected = lines.flatMap((line, index) => (line.includes("@ts-expect-error") ? [index + 2] : []));
  await writeFile(
    join(folder, "bare.ts"),
    lines.map((line) => line.replace("@ts-expect-error", "")).join("\n"),
  );
  const errors = await compile("typescript-5", SETTINGS[0], "bare.ts");
  const found = new Set([...errors.matchAll(/bare\.ts\((\d+),/g)].map(([, line]) => Number(line)));
  assert.deepEqual(
    [...found].sort((a, b) => a - b),
    expected,
  );
});

test("the code of the README compiles, block by block", async () => {
  const readme = await readFile(join(folder, "node_modules/remitkit/README.md"), "utf8");
  const blocks = [...readme.matchAll(/^```js\n(.*?)^```$/gms)].map(([, code]) => code);
  assert.ok(blocks.length >= 6, String(blocks.length));
  const [ten, flow, ...others] = blocks;
  const alone = others.map(
    (code) => `{\n${code.replace(/^import .*$/gm, "").replace(/^const remit = /m, "const another = ")}\n}`,
  );
  const imports =
    'import { darkTheme, formatAmount, fromMinorUnits, isRemitError, lightTheme, themeContrast } from "remitkit";\n';
  await writeFile(
    join(folder, "readme.ts"),
    README_SHOP + imports + ten + flow + alone.join("\n") + "\nexport { problems };\n",
  );
  const settings = { ...SETTINGS[0], noUncheckedIndexedAccess: false };
  assert.equal(await compile("typescript-5", settings, "readme.ts"), "");
});
