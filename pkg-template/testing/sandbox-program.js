import { failure } from "../errors/errors.js";
import { nodeModule } from "./node.js";

const CHOOSER = "remitkit-sandbox";
/** The environment variable with the program's path. */
const VARIABLE = "REMITKIT_SANDBOX";

/** Returns the sandbox's program: from the caller, REMITKIT_SANDBOX, the platform's npm package, or PATH. */
export async function findProgram(given) {
  const named = given ?? (process.env[VARIABLE] || undefined);
  if (named !== undefined) {
    if (await isProgram(named)) return named;
    const who = given === undefined ? VARIABLE : "program";
    throw failure("InvalidConfiguration", `${who} names no program that can be run: ${named}`, {
      option: "program",
    });
  }
  const found = (await packaged()) ?? (await onPath());
  if (found === undefined) throw failure("InvalidConfiguration", missing(), { option: "program" });
  return found;
}

const platformPackage = () => `${CHOOSER}-${process.platform}-${process.arch}`;
const programName = () => (process.platform === "win32" ? `${CHOOSER}.exe` : CHOOSER);

function missing() {
  return (
    `The sandbox's program was not found. Run \`npm install --save-dev ${CHOOSER}\`, without ` +
    `--omit=optional: it brings ${platformPackage()} along. If there is no such package for this platform, ` +
    `build the program from RemitKit's sources with \`cargo build --release --package ${CHOOSER}\` and set ` +
    `${VARIABLE} to its path.`
  );
}

// The platform's package is a dependency of remitkit-sandbox, and with a strict package manager only that can
// resolve it. The shop's folder comes first: this package may be linked, or in a cache.
async function packaged() {
  const { createRequire } = await nodeModule("module", "startSandbox");
  const { join } = await nodeModule("path", "startSandbox");
  const wanted = `${platformPackage()}/bin/${programName()}`;
  for (const start of [join(process.cwd(), "package.json"), import.meta.url]) {
    let require;
    try {
      require = createRequire(start);
    } catch {
      // Bundled into something without a file URL.
      continue;
    }
    const chooser = resolved(require, `${CHOOSER}/package.json`);
    const found =
      (chooser !== undefined && resolved(createRequire(chooser), wanted)) || resolved(require, wanted);
    if (found && (await isProgram(found))) return found;
  }
  return undefined;
}

function resolved(require, specifier) {
  try {
    return require.resolve(specifier);
  } catch {
    return undefined;
  }
}

async function onPath() {
  const { delimiter, join, sep } = await nodeModule("path", "startSandbox");
  const scripts = join("node_modules", ".bin");
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    // npm's scripts put node_modules/.bin on PATH, which has remitkit-sandbox without its platform's package.
    if (folder === "" || `${folder}${sep}`.endsWith(`${scripts}${sep}`)) continue;
    const program = join(folder, programName());
    if (await isProgram(program)) return program;
  }
  return undefined;
}

async function isProgram(path) {
  const { access, constants, stat } = await nodeModule("fs/promises", "startSandbox");
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
