// Each Vite that shops have, in both of its modes, without configuration: the kit by name, and the provider's beside it.

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { app, assertShown } from "../frontends/app.mjs";

const HERE = import.meta.dirname;
const PAGE = '<!doctype html><html lang="en"><title>Shop</title><output></output><script type="module" src="/main.js"></script></html>';

const MAIN = `
import { createElement, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { createRemitKit, formatAmount, RemitError } from "remitkit";
import { RemitKitProvider, useRemitKit } from "remitkit/react";

const output = document.querySelector("output");
const options = { baseUrl: "https://api.remitkit.example", cardUrl: "https://card.remitkit.example", token: "t" };
const usd = { iso3Code: "USD", decimalPlaces: 2 };
const show = async (remit) => {
  const own = await createRemitKit(options);
  const isOne = own.constructor === remit.constructor && (await remit.quote({}).catch((error) => error)) instanceof RemitError;
  output.textContent = remit.contentSecurityPolicy()["frame-src"] + " " + formatAmount({ value: 12550, currency: usd }, "en-US") + (isOne ? "" : " twice");
};
function Checkout() {
  const { remit, error } = useRemitKit();
  useEffect(() => {
    if (remit) show(remit).catch((error) => (output.textContent = error.stack));
    if (error) output.textContent = error.stack + error.cause?.stack;
  }, [remit, error]);
  return null;
}
createRoot(document.createElement("div")).render(createElement(RemitKitProvider, { options }, createElement(Checkout)));
`;

for (const name of ["vite-5", "vite-6", "vite-7"]) {
  const { version } = JSON.parse(await readFile(join(HERE, `node_modules/${name}/package.json`), "utf8"));

  test(`Vite ${version}, dev and build: a page with the provider and a kit`, async (t) => {
    const { build, createServer, preview } = await import(name);
    const root = await app({ "index.html": PAGE, "main.js": MAIN }, HERE);
    const host = { host: "127.0.0.1" };
    const config = { root, configFile: false, logLevel: "error", server: host, preview: { ...host, port: 0 } };
    const server = await createServer(config);
    await server.listen(0);
    try {
      await assertShown(server.resolvedUrls.local[0], t);
    } finally {
      await server.close();
    }
    await build(config);
    const built = await preview(config);
    try {
      await assertShown(built.resolvedUrls.local[0], t);
    } finally {
      await built.close();
    }
  });
}
