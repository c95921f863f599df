// What the tests are told by whoever started the shop and its sandbox.

const ABOUT = {
  SHOP_URL: "the address of the running demo shop, such as http://127.0.0.1:4102",
  CHROMIUM: "the path of a Chromium executable",
  SANDBOX_BASE_URL: "the sandbox's API address",
  SANDBOX_CARD_URL: "the sandbox's card form address",
  OUTPUT_DIR: "the directory that screenshots go to",
};

/** Reads variables of the environment; says all that is missing at once. */
export function readEnvironment(...names) {
  const missing = names.filter((name) => !process.env[name]);
  if (missing.length > 0) {
    throw new Error(`These tests need\n${missing.map((name) => `  ${name}: ${ABOUT[name]}`).join("\n")}`);
  }
  return Object.fromEntries(names.map((name) => [name, process.env[name].replace(/\/+$/, "")]));
}
