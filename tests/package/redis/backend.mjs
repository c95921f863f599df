// One of a shop's backends, controlled by messages. They share tokens through Keyv and Redis.

import KeyvRedis from "@keyv/redis";
import Keyv from "keyv";

const { module, socket, baseUrl, secret, apiKey } = JSON.parse(process.argv[2]);
const { createTokenIssuer, createWebhookReceiver } = await import(module);

const cache = new Keyv(new KeyvRedis({ socket: { path: socket } }));
// Without a listener an error of Keyv would end the process.
cache.on("error", () => {});
const issuer = createTokenIssuer({ baseUrl, clientId: "shop", clientSecret: secret, cache });
let handled = 0;
const receive = createWebhookReceiver({ apiKey, cache, onTransferStatus: () => void (handled += 1) });

const COMMANDS = {
  async token({ senderId, times = 1, renew = false }) {
    const calls = Array.from({ length: times }, () => issuer.senderToken(senderId, { renew }));
    return [...new Set((await Promise.all(calls)).map((token) => token.access_token))];
  },
  async webhook({ event }) {
    const init = { method: "POST", headers: { authorization: apiKey }, body: JSON.stringify(event) };
    const { status } = await receive(new Request("https://shop.example/", init));
    return [status, handled];
  },
};

process.on("message", async ({ id, command, ...more }) => {
  const startedAt = performance.now();
  const answer = await COMMANDS[command](more).catch((error) => ({ error: error.code ?? String(error) }));
  process.send({ id, answer, took: performance.now() - startedAt });
});
process.send({ ready: true });
