// A Next app: a client component, a server component that imports the package, and a route handler.

import { spawn } from "node:child_process";
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { app, assertShown, run, SHOWN } from "./app.mjs";

const NEXT = createRequire(import.meta.url).resolve("next/dist/bin/next");

const FILES = {
  // The tests' own packages lie above the app.
  "next.config.mjs": 'export default { turbopack: { root: new URL("../../..", import.meta.url).pathname }, experimental: { cpus: 2 } };',
  "app/layout.js":
    'export default function Layout({ children }) { return <html lang="en"><body>{children}</body></html>; }',
  // A server component: what needs no wasm works there too.
  "app/page.js": `
import { formatAmount, toMinorUnits } from "remitkit";
import Checkout from "./checkout.js";
export default function Page() {
  const usd = { iso3Code: "USD", decimalPlaces: 2 };
  const amount = { value: toMinorUnits("125.50", usd), currency: usd };
  return <Checkout shownByServer={formatAmount(amount, "en-US")} />;
}`,
  // A route handler. The service is not there, which is what the page is to be told.
  "app/api/remit-token/route.js": `
import { createTokenIssuer } from "remitkit/server";
const issuer = createTokenIssuer({ baseUrl: "http://127.0.0.1:9", clientId: "c", clientSecret: "a-secret", timeoutMs: 1000 });
export const POST = issuer.handler({ senderId: () => undefined });`,
  "app/checkout.js": `
"use client";
import { useEffect, useState } from "react";
import { createRemitKit } from "remitkit";
export default function Checkout({ shownByServer }) {
  const [text, setText] = useState("");
  useEffect(() => {
    createRemitKit({ baseUrl: "https://api.remitkit.example", cardUrl: "https://card.remitkit.example", token: "t" }).then(
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

/** Builds the page, starts Next and looks at what the page shows. `flag` chooses the bundler. */
export async function assertNextRuns(flag, t) {
  const folder = await app(FILES);
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" };
  const built = await run(process.execPath, [NEXT, "build", flag], { cwd: folder, env }).catch((error) => error);
  assert.equal(built.code ?? 0, 0, `${built.stdout}\n${built.stderr}`);
  const server = spawn(process.execPath, [NEXT, "start", "--port", "0", "--hostname", "127.0.0.1"], { cwd: folder, env });
  try {
    // 401: nobody is signed in.
    await assertShown(await addressOf(server), t, `${SHOWN} 401`);
  } finally {
    server.kill();
  }
}

/** The address that the server announces. */
function addressOf(server) {
  return new Promise((resolve, reject) => {
    let said = "";
    for (const stream of [server.stdout, server.stderr]) {
      stream.on("data", (chunk) => {
        said += chunk;
        const [address] = /http:\/\/127\.0\.0\.1:[1-9]\d*/.exec(said) ?? [];
        if (address) resolve(address);
      });
    }
    server.on("exit", () => reject(new Error(`Next has ended: ${said}`)));
  });
}
