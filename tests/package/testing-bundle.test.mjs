import assert from "node:assert/strict";
import { test } from "node:test";
import { build, preview } from "vite";
import { shop, shown } from "./packed.mjs";

const MAIN = `
import { fakeCardForm, startSandbox, testCards } from "remitkit/testing";
const output = document.querySelector("output");
const { form } = await fakeCardForm({ cardId: "7", events: ["CARD_VALIDATION_STOP_SUCCESS"] });
const { cardId } = await form.completed;
const error = await startSandbox().catch((error) => error);
output.textContent = [cardId, testCards.success.number, error.code].join(" ");`;

test("Vite bundles the fakes, and calls that need Node say so in the page", async (t) => {
  const root = await shop({
    "index.html": '<!doctype html><title>Shop</title><output></output><script type="module" src="/main.js"></script>',
    "main.js": MAIN,
  });
  const config = { root, configFile: false, logLevel: "warn", preview: { host: "127.0.0.1" } };
  await build({ ...config, build: { target: "es2022" } });
  const server = await preview(config);
  try {
    const text = await shown(server.resolvedUrls.local[0]);
    text === undefined
      ? t.diagnostic("there is no Chromium here to run the page in")
      : assert.equal(text, "7 4111111111111111 InvalidConfiguration");
  } finally {
    await server.close();
  }
});
