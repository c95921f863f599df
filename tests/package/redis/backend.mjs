// One of a shop's backends, controlled by messages. They share tokens through Keyv and Redis.

import KeyvRedis from "@keyv/redis";
import Keyv from "keyv";

const { module, socket, baseUrl, secret } = JSON.parse(process.argv[2]);
const { createTokenIssuer } = await import(module);

const cache = new Keyv(new KeyvRedis({ socket: { path: socket } }));
// Without a listener an error of Keyv would end the process.
cache.on("error", () => {});
const issuer = createTokenIssuer({ baseUrl, clientId: "shop", clientSecret: secret, cache });

process.on("message", async ({ senderId, renew = false }) => {
  const startedAt = performance.now();
  const answer = await issuer.senderToken(senderId, { renew }).then(
    ({ access_token: token }) => ({ token }),
    (error) => ({ error: String(error) }),
  );
  process.send({ ...answer, took: performance.now() - startedAt });
});
process.send({ ready: true });
