// What a kit says where something else is at the wasm's address.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { KIT, listening, printed, shop } from "./packed.mjs";

const folder = await shop();
const address = await listening(
  createServer((request, response) => {
    const status = request.url === "/gone.wasm" ? 404 : 200;
    response.writeHead(status, { "content-type": "text/html; charset=utf-8" }).end("<!doctype html><title>Shop</title>");
  }),
);

const errorOf = (wasm) =>
  printed(folder, `${KIT}\nconst error = await kit({ wasm: ${wasm} }).catch((error) => error);\nconsole.log(JSON.stringify(error));`);

test("a page served in place of the wasm is named by address, status, type", async () => {
  for (const wasm of [`"${address}/app.wasm"`, `new URL("${address}/app.wasm")`, `await fetch("${address}/app.wasm")`]) {
    const { code, option, message } = await errorOf(wasm);
    assert.deepEqual([code, option], ["InvalidConfiguration", "wasm"]);
    for (const told of [`${address}/app.wasm`, "200", "text/html; charset=utf-8"]) assert.ok(message.includes(told), message);
    assert.ok(!message.includes("policy"), message);
  }
});

test("an address that answers 404 is named, and may be tried again", async () => {
  const { code, retryable, message } = await errorOf(`"${address}/gone.wasm"`);
  assert.deepEqual([code, retryable], ["NetworkFailure", true]);
  for (const told of [`${address}/gone.wasm`, "404", "text/html"]) assert.ok(message.includes(told), message);
});
