// Jest, unconfigured, in both of its environments.

import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { app, OPTIONS, run } from "../frontends/app.mjs";

const require = createRequire(import.meta.url);
const JEST = join(dirname(require.resolve("jest/package.json")), "bin/jest.js");

const LOADED = `
test("entry points load and share one error class", () => {
  for (const part of ["", "/inline", "/element", "/react", "/server", "/testing"]) {
    expect(Object.keys(require("remitkit" + part))).not.toEqual([]);
  }
  expect(require("remitkit/server").RemitError).toBe(require("remitkit").RemitError);
});

test("a kit is created and reports an invalid call", async () => {
  const { createRemitKit, isRemitError } = require("remitkit");
  const remit = await createRemitKit(${OPTIONS});
  expect(remit.contentSecurityPolicy()["frame-src"]).toEqual(["https://card.remitkit.example"]);
  const error = await remit.quote({}).catch((error) => error);
  expect([isRemitError(error), error.kind]).toEqual([true, "invalid_request"]);
  await remit.destroy();
});`;

const FILES = {
  "package.json": '{ "private": true }',
  "node.test.js": `/** @jest-environment node */
${LOADED}

test("a token issuer reports an unreachable service", async () => {
  const { createTokenIssuer } = require("remitkit/server");
  const client = { clientId: "c", clientSecret: "s" };
  const issuer = createTokenIssuer({ baseUrl: "http://127.0.0.1:9", ...client, timeoutMs: 100 });
  const token = issuer.clientToken({ signal: AbortSignal.timeout(300) });
  await expect(token).rejects.toMatchObject({ name: "RemitError" });
});`,
  "jsdom.test.js": `/** @jest-environment jsdom */
${LOADED}

test("a component shows a form that plays its script", async () => {
  const { act, createElement } = require("react");
  const { createRoot } = require("react-dom/client");
  const { CardForm, RemitKitProvider } = require("remitkit/react");
  const { fakeRemitKit } = require("remitkit/testing");
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  const { remit, cardForms } = fakeRemitKit();
  const cards = [];
  const form = createElement(CardForm, { onCompleted: (card) => cards.push(card.cardId) });
  const page = createElement(RemitKitProvider, { remit }, form);
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
  const running = run(process.execPath, [JEST, "--rootDir", folder, "--runInBand"], { cwd: folder, env });
  const { stderr } = await running.catch((error) => error);
  assert.match(stderr, /Tests: +6 passed, 6 total/, stderr);
});
