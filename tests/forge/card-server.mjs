import { readFile } from "node:fs/promises";
import { createServer as createHttp } from "node:http";
import { createServer as createHttps } from "node:https";
import { createServer } from "node:net";
import { join } from "node:path";
import { selfSigned } from "./certificate.mjs";

/** The card form's host, and another whose name ends like it. A browser takes both for this machine. */
const HOST = "card.localhost";
const LONGER_HOST = `my-${HOST}`;
/** Below the system's ephemeral ports, even with another digit appended; browsers block none of them. */
const PORTS = [2_100, 3_200];
/** How a TLS connection begins. */
const HANDSHAKE = 0x16;

/**
 * Serves the test's own card form, which says what it is told to, under its origin and under origins that are
 * almost the same. Each port speaks http and https.
 */
export class CardServer {
  #servers = [];
  #port;

  async start(chance) {
    const script = await readFile(join(import.meta.dirname, "card/say.js"));
    const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Card</title><body><script>${script}</script></body></html>`;
    const answer = (_, response) => {
      response.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store" });
      response.end(page);
    };
    const plain = createHttp(answer);
    const secure = createHttps(selfSigned(HOST), answer);
    for (;;) {
      const port = chance.between(...PORTS);
      const longer = port * 10 + chance.between(0, 9);
      const servers = [listener(plain, secure), listener(plain, secure)];
      try {
        await listening(servers[0], port);
        await listening(servers[1], longer);
        this.#port = { own: port, longer };
        this.#servers = servers;
        return;
      } catch (error) {
        if (error.code !== "EADDRINUSE") throw error;
        servers.forEach((server) => server.close());
      }
    }
  }

  /** The card form's own origin, and those that only resemble it. */
  get origins() {
    const { own, longer } = this.#port;
    return {
      card: `http://${HOST}:${own}`,
      longerPort: `http://${HOST}:${longer}`,
      longerHost: `http://${LONGER_HOST}:${own}`,
      otherScheme: `https://${HOST}:${own}`,
    };
  }

  stop() {
    for (const server of this.#servers) {
      server.close();
      server.connections.forEach((socket) => socket.destroy());
    }
  }
}

/** Hands each connection to the server that speaks its language. */
function listener(plain, secure) {
  const connections = new Set();
  const server = createServer((socket) => {
    connections.add(socket);
    socket.on("close", () => connections.delete(socket)).on("error", () => {});
    socket.once("data", (first) => {
      socket.pause();
      socket.unshift(first);
      (first[0] === HANDSHAKE ? secure : plain).emit("connection", socket);
      process.nextTick(() => socket.resume());
    });
  });
  return Object.assign(server, { connections });
}

function listening(server, port) {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
}
