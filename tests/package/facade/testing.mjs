import { createServer } from "node:http";
import { listening } from "../packed.mjs";
import { unpacked } from "./unpacked.mjs";

/** The entry point, and what the package itself exports beside it. */
export async function testing() {
  const { folder, load } = await unpacked();
  return { folder, load, ...(await load("testing.js")), isRemitError: (await load("index.js")).isRemitError };
}

/** Something that answers for a sandbox's control endpoints. */
export async function answering(routes) {
  const asked = [];
  const server = createServer(async (request, reply) => {
    const body = Buffer.concat(await request.toArray()).toString();
    asked.push([request.method, request.url, body === "" ? undefined : JSON.parse(body)]);
    const [status, answer] = routes(request, asked.length) ?? [204, undefined];
    reply.writeHead(status).end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  const baseUrl = await listening(server);
  return { addresses: { baseUrl, cardUrl: "http://127.0.0.1:1", senderId: "sender", clientId: "client", clientSecret: "secret" }, asked };
}
