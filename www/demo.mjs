// Starts a sandbox and the shop's backend beside it: `node demo.mjs SANDBOX`, for tests `startDemo`.

import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createBackend } from "./backend/server.mjs";

// The shop and its workbench are pages of this machine, at any port.
const CONTROL = ["--control-origin", "http://127.0.0.1:*", "--control-origin", "http://localhost:*"];
const ARGS = ["--port", "0", "--card-port", "0", "--json", "--stop-with-stdin", ...CONTROL];

/**
 * Starts both on free ports. Both end with this process, however it ends; `ended` resolves once the sandbox
 * has.
 * @param program the sandbox's program, with further arguments in `args`
 * @param folder where the shop is built, if not in `dist`
 */
export async function startDemo({ program, args = [], folder }) {
  const sandbox = spawn(program, [...ARGS, ...args], { stdio: ["pipe", "pipe", "inherit"] });
  const ended = once(sandbox, "exit").then(([code, signal]) => signal ?? `status ${code}`);
  const line = once(createInterface({ input: sandbox.stdout }), "line");
  const early = ended.then((end) => {
    throw new Error(`the sandbox ended before it was ready (${end})`);
  });
  // Both promises go on after the race.
  early.catch(() => {});
  const [announced] = await Promise.race([line, early]);
  const config = JSON.parse(announced);
  const server = createBackend(config, folder).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: config.baseUrl,
    cardUrl: config.cardUrl,
    shopUrl: `http://127.0.0.1:${server.address().port}`,
    ended,
    async stop() {
      server.close();
      server.closeAllConnections();
      sandbox.stdin.end();
      const end = await ended;
      if (end !== "status 0") throw new Error(`the sandbox did not stop cleanly (${end})`);
    },
  };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { shopUrl, baseUrl, cardUrl, ended } = await startDemo({ program: process.argv[2] });
  console.log(`\nThe shop:      ${shopUrl}\nThe sandbox:   ${baseUrl}\nThe card form: ${cardUrl}`);
  console.error("\nPay with card 4111 1111 1111 1111, any future date, any code. Nothing is real money.");
  console.error("Stop with Ctrl-C.");
  console.error(`The sandbox has ended (${await ended}).`);
  process.exit(1);
}
