// A page in any Vite, without configuration: the kit by name, and the provider's beside it.

import { app, assertShown, shown } from "./app.mjs";

const PAGE = '<!doctype html><html lang="en"><title>Shop</title><output></output><script type="module" src="/main.js"></script></html>';

const MAIN = `
import { createElement, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { createRemitKit, formatAmount, preload, RemitError } from "remitkit";
import { RemitKitProvider, useRemitKit } from "remitkit/react";

const output = document.querySelector("output");
const options = { baseUrl: "https://api.remitkit.example", cardUrl: "https://card.remitkit.example", token: "t" };
const usd = { iso3Code: "USD", decimalPlaces: 2 };
const show = async (remit) => {
  const own = await createRemitKit(options);
  await preload({ everything: true });
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

const host = { host: "127.0.0.1" };

/** The page's folder, in which Vite finds React, and what Vite is told of it. */
export async function vitePage(place) {
  const root = await app({ "index.html": PAGE, "main.js": MAIN }, place);
  return { root, configFile: false, logLevel: "error", server: host, preview: { ...host, port: 0 } };
}

export async function assertServed({ createServer }, config, t) {
  const server = await createServer(config);
  await server.listen(0);
  try {
    const [address] = server.resolvedUrls.local;
    // Vite prepares the imports before it answers the first page, maybe longer than the browser waits.
    await shown(address);
    await assertShown(address, t);
  } finally {
    await server.close();
  }
}

export async function assertBuilt({ build, preview }, config, t) {
  await build(config);
  const server = await preview(config);
  try {
    await assertShown(server.resolvedUrls.local[0], t);
  } finally {
    await server.close();
  }
}
