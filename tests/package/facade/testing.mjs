import { createServer } from "node:http";
import { listening } from "../packed.mjs";
import { unpacked } from "./unpacked.mjs";

/** Loads `remitkit/testing` of a copy of the package, and what the package itself exports beside it. */
export async function testing() {
  const { folder, load } = await unpacked();
  const { isRemitError, RemitError } = await load("index.js");
  return { folder, load, ...(await load("testing.js")), isRemitError, RemitError };
}

/** Serves a sandbox's control endpoints: `routes` returns a status and a body; `asked` are the requests. */
export async function controlServer(routes) {
  const asked = [];
  const server = createServer(async (request, reply) => {
    const body = Buffer.concat(await request.toArray()).toString();
    asked.push([request.method, request.url, body === "" ? undefined : JSON.parse(body)]);
    const [status, answer] = routes(request) ?? [204, undefined];
    reply.writeHead(status).end(JSON.stringify(answer));
  });
  const client = { senderId: "sender", clientId: "client", clientSecret: "secret" };
  return { addresses: { baseUrl: await listening(server), cardUrl: "http://127.0.0.1:1", ...client }, asked };
}
