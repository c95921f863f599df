// A page in any Vite, unconfigured: one kit of `remitkit`, and one of the React provider.

import { app, assertShows, OPTIONS, pageOf, SHOW } from "./app.mjs";

const MAIN = `
import { createElement, useEffect } from "react";
import { createRoot } from "react-dom/client";
import { createRemitKit, formatAmount, preload, RemitError } from "remitkit";
import { RemitKitProvider, useRemitKit } from "remitkit/react";

const output = document.querySelector("output");
const options = ${OPTIONS};
const textOf = ${SHOW};
const show = async (remit) => {
  const own = await createRemitKit(options);
  await preload({ everything: true });
  const error = await remit.quote({}).catch((error) => error);
  const isOneModule = own.constructor === remit.constructor && error instanceof RemitError;
  output.textContent = textOf(remit) + (isOneModule ? "" : " twice");
};
function Checkout() {
  const { remit, error } = useRemitKit();
  useEffect(() => {
    if (remit) show(remit).catch((error) => (output.textContent = error.stack));
    if (error) output.textContent = error.stack + error.cause?.stack;
  }, [remit, error]);
  return null;
}
const page = createElement(RemitKitProvider, { options }, createElement(Checkout));
createRoot(document.createElement("div")).render(page);
`;

const host = { host: "127.0.0.1" };

/** Creates the page beside React; returns Vite's options. */
export async function vitePage(place) {
  const root = await app({ "index.html": pageOf("/main.js"), "main.js": MAIN }, place);
  // Nothing changes, and a machine has few watchers.
  const server = { ...host, watch: null };
  return { root, configFile: false, logLevel: "error", server, preview: { ...host, port: 0 } };
}

export async function assertServed({ createServer }, config, t) {
  const server = await createServer(config);
  await server.listen(0);
  try {
    await assertShows(server.resolvedUrls.local[0], t);
  } finally {
    await server.close();
  }
}

export async function assertBuilt({ build, preview }, config, t) {
  await build(config);
  const server = await preview(config);
  try {
    await assertShows(server.resolvedUrls.local[0], t);
  } finally {
    await server.close();
  }
}
