import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join } from "node:path";
import { test } from "node:test";
import { assertShown } from "./app.mjs";

const { REMITKIT_LEPTOS_PAGE } = process.env;
const USD = { iso3Code: "USD", decimalPlaces: 2, name: "US dollar", symbol: "$" };
const MXN = { iso3Code: "MXN", decimalPlaces: 2, name: "Mexican peso", symbol: "$" };
const MEXICO = { name: "Mexico", iso3Code: "MEX", iso2Code: "MX" };
const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";

const REPLIES = {
  "/api/remit-token": { access_token: "a-token", expires_in: 3600, token_type: "Bearer" },
  "/v1/corridors": [
    { destinationCountry: MEXICO, sourceCurrency: [USD], destinationCurrency: [MXN], transferMethod: "PUSH_TO_CARD" },
  ],
  "/v1/quote": {
    quoteHistoryId: ID,
    sendAmount: { value: 12_550, currency: USD },
    receiveAmount: { value: 219_625, currency: MXN },
  },
};

test("a front end in Rust quotes with the crate itself", async (t) => {
  assert.ok(REMITKIT_LEPTOS_PAGE, "REMITKIT_LEPTOS_PAGE names the built example, as cargo xtask test does");
  const asked = [];
  const server = createServer(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url, "http://shop");
    asked.push(`${request.method} ${pathname}${searchParams.has("amount") ? ` ${searchParams.get("amount")}` : ""}`);
    if (pathname in REPLIES) {
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(REPLIES[pathname]));
    } else if (pathname === "/") {
      const origin = `http://${request.headers.host}`;
      response.writeHead(200, { "content-type": "text/html" }).end(
        `<!doctype html><html lang="en" data-base-url="${origin}" data-card-url="http://localhost:9/"><body>` +
          '<script type="module">import start from "./example.js"; start();</script></body></html>',
      );
    } else {
      const type = extname(pathname) === ".wasm" ? "application/wasm" : "text/javascript";
      readFile(join(REMITKIT_LEPTOS_PAGE, pathname)).then(
        (file) => response.writeHead(200, { "content-type": type }).end(file),
        () => response.writeHead(404).end(),
      );
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  try {
    await assertShown(`http://127.0.0.1:${server.address().port}/`, t, "They get 2196.25 MXN");
    assert.ok(asked.includes("GET /v1/quote 12550"), asked.join());
  } finally {
    server.close();
    server.closeAllConnections();
  }
});
