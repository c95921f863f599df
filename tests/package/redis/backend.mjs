// One of several backends of a shop, steered by messages: they share tokens through Keyv and Redis.

import KeyvRedis from "@keyv/redis";
import Keyv from "keyv";

const { module, socket, baseUrl, secret, apiKey } = JSON.parse(process.argv[2]);
const { createTokenIssuer, createWebhookReceiver } = await import(module);

const cache = new Keyv(new KeyvRedis({ socket: { path: socket } }));
// Without a listener Keyv's errors are lost; they are not to end the process.
cache.on("error", () => {});
const issuer = createTokenIssuer({ baseUrl, clientId: "shop", clientSecret: secret, cache });
let handled = 0;
const receive = createWebhookReceiver({ apiKey, cache, onTransferStatus: () => void (handled += 1) });

const COMMANDS = {
  async token({ senderId, times = 1 }) {
    const replies = await Promise.all(Array.from({ length: times }, () => issuer.senderToken(senderId)));
    return [...new Set(replies.map((reply) => reply.access_token))];
  },
  async renew({ senderId }) {
    return [(await issuer.senderToken(senderId, { renew: true })).access_token];
  },
  async webhook({ event }) {
    const headers = { authorization: apiKey };
    const reply = await receive(
      new Request("https://shop.example/", { method: "POST", headers, body: JSON.stringify(event) }),
    );
    return [reply.status, handled];
  },
};

process.on("message", async ({ id, command, ...more }) => {
  const startedAt = performance.now();
  const answer = await COMMANDS[command](more).catch((error) => ({ error: error.code ?? String(error) }));
  process.send({ id, answer, took: performance.now() - startedAt });
});
process.send({ ready: true });
