// Jest without configuration, in both of its surroundings.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { app, run } from "../frontends/app.mjs";

const require = createRequire(import.meta.url);
const JEST = join(dirname(require.resolve("jest/package.json")), "bin/jest.js");

const LOADED = `
test("entry points load and share one error class", () => {
  const names = ["remitkit", "remitkit/inline", "remitkit/element", "remitkit/react", "remitkit/server", "remitkit/testing"];
  for (const name of names) expect(Object.keys(require(name))).not.toEqual([]);
  expect(require("remitkit/server").RemitError).toBe(require("remitkit").RemitError);
});

test("a kit is created and reports an invalid call", async () => {
  const { createRemitKit, isRemitError } = require("remitkit");
  const remit = await createRemitKit({ baseUrl: "https://api.remitkit.example", cardUrl: "https://card.remitkit.example", token: "t" });
  expect(remit.contentSecurityPolicy()["frame-src"]).toEqual(["https://card.remitkit.example"]);
  const error = await remit.quote({}).catch((error) => error);
  expect([isRemitError(error), error.kind]).toEqual([true, "invalid_request"]);
  await remit.destroy();
});`;

const FILES = {
  "package.json": '{ "private": true }',
  "node.test.js": `/** @jest-environment node */
${LOADED}

test("a token issuer reports that nobody answers", async () => {
  const { createTokenIssuer } = require("remitkit/server");
  const issuer = createTokenIssuer({ baseUrl: "http://127.0.0.1:9", clientId: "c", clientSecret: "s", timeoutMs: 100 });
  await expect(issuer.clientToken({ signal: AbortSignal.timeout(300) })).rejects.toMatchObject({ name: "RemitError" });
});`,
  "jsdom.test.js": `/** @jest-environment jsdom */
${LOADED}

test("a component shows a form that plays its script", async () => {
  const { createElement } = require("react");
  const { act } = require("react");
  const { createRoot } = require("react-dom/client");
  const { CardForm, RemitKitProvider } = require("remitkit/react");
  const { fakeRemitKit } = require("remitkit/testing");
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  const { remit, cardForms } = fakeRemitKit();
  const cards = [];
  const page = createElement(RemitKitProvider, { remit }, createElement(CardForm, { onCompleted: (card) => cards.push(card.cardId) }));
  const root = createRoot(document.body.appendChild(document.createElement("div")));
  await act(async () => root.render(page));
  await act(() => cardForms[0].emit("CARD_VALIDATION_START", "CARD_VALIDATION_STOP_SUCCESS"));
  expect(cards).toHaveLength(1);
  await act(async () => root.unmount());
});`,
};

test("Jest 30 in Node and jsdom: entry points, kit, issuer and component", async () => {
  const folder = await app(FILES, import.meta.dirname);
  const env = { ...process.env, CI: "1", NO_COLOR: "1", NODE_OPTIONS: "" };
  const said = await run(process.execPath, [JEST, "--rootDir", folder, "--runInBand"], { cwd: folder, env }).catch((error) => error);
  assert.match(said.stderr, /Tests: +6 passed, 6 total/, said.stderr);
});
