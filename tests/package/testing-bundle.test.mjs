import assert from "node:assert/strict";
import { test } from "node:test";
import { built, IN_PAGE, told } from "./chromium.mjs";
import { shop } from "./packed.mjs";

const MAIN = `
import { fakeCardForm, startSandbox, testCards } from "remitkit/testing";
const { form } = await fakeCardForm({ cardId: "7", events: ["CARD_VALIDATION_STOP_SUCCESS"] });
const { cardId } = await form.completed;
const error = await startSandbox().catch((error) => error);
fetch("/told", { method: "POST", body: JSON.stringify([cardId, testCards.success.number, error.code]) });`;

test("Vite bundles the fakes, and calls that need Node say so in the page", IN_PAGE, async () => {
  const root = await shop({ "index.html": '<!doctype html><script type="module" src="/main.js"></script>', "main.js": MAIN });
  const dist = await built(root, { build: { target: "es2022" } });
  assert.deepEqual(await told(dist), ["7", "4111111111111111", "InvalidConfiguration"]);
});
