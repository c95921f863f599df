// A Next app: a client component, a server component that imports the package, and a route handler.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { app, assertShows, matchIn, OPTIONS, run, SHOWN } from "./app.mjs";

const NEXT = createRequire(import.meta.url).resolve("next/dist/bin/next");

const FILES = {
  // The tests' packages lie above the app.
  "next.config.mjs": `
const root = new URL("../../..", import.meta.url).pathname;
export default { turbopack: { root }, experimental: { cpus: 2 } };`,
  "app/layout.js": `
export default function Layout({ children }) {
  return <html lang="en"><body>{children}</body></html>;
}`,
  // A server component: what needs no wasm works there too.
  "app/page.js": `
import { formatAmount, toMinorUnits } from "remitkit";
import Checkout from "./checkout.js";
export default function Page() {
  const currency = { iso3Code: "USD", decimalPlaces: 2 };
  const amount = { value: toMinorUnits("125.50", currency), currency };
  return <Checkout shownByServer={formatAmount(amount, "en-US")} />;
}`,
  "app/api/remit-token/route.js": `
import { createTokenIssuer } from "remitkit/server";
const client = { clientId: "c", clientSecret: "a-secret" };
const issuer = createTokenIssuer({ baseUrl: "http://127.0.0.1:9", ...client, timeoutMs: 1000 });
export const POST = issuer.handler({ senderId: () => undefined });`,
  "app/checkout.js": `
"use client";
import { useEffect, useState } from "react";
import { createRemitKit } from "remitkit";
export default function Checkout({ shownByServer }) {
  const [text, setText] = useState("");
  useEffect(() => {
    createRemitKit(${OPTIONS}).then(
      async (remit) => {
        const { status } = await fetch("/api/remit-token", { method: "POST" });
        setText(remit.contentSecurityPolicy()["frame-src"] + " " + shownByServer + " " + status);
      },
      (error) => setText(error.stack),
    );
  }, [shownByServer]);
  return <output>{text}</output>;
}`,
};

/** Builds the app, starts it and asserts what its page shows. `flag` chooses the bundler. */
export async function assertNextRuns(flag, t) {
  const folder = await app(FILES);
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };
  const building = run(process.execPath, [NEXT, "build", flag], { cwd: folder, env });
  const built = await building.catch((error) => error);
  assert.equal(built.code ?? 0, 0, `${built.stdout}\n${built.stderr}`);
  const args = [NEXT, "start", "--port", "0", "--hostname", "127.0.0.1"];
  const server = spawn(process.execPath, args, { cwd: folder, env });
  try {
    // 401: nobody is signed in.
    const address = await matchIn(server, /(http:\/\/127\.0\.0\.1:[1-9]\d*)/);
    await assertShows(address, t, `${SHOWN} 401`);
  } finally {
    server.kill();
  }
}
