import { after } from "node:test";
import { unpacked } from "./unpacked.mjs";

/** The entry point, and what the package itself exports beside it. */
export async function testing() {
  const { folder, load } = await unpacked();
  return { folder, load, ...(await load("testing.js")), isRemitError: (await load("index.js")).isRemitError };
}

/** Something that answers for a sandbox's control endpoints. */
export async function answering(routes) {
  const asked = [];
  const { createServer } = await import("node:http");
  const server = createServer(async (request, reply) => {
    let body = "";
    for await (const chunk of request.setEncoding("utf8")) {
      body += chunk;
    }
    asked.push([request.method, request.url, body === "" ? undefined : JSON.parse(body)]);
    const [status, answer] = routes(request, asked.length) ?? [204, undefined];
    reply.writeHead(status).end(typeof answer === "string" ? answer : JSON.stringify(answer));
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const addresses = {
    baseUrl: `http://127.0.0.1:${server.address().port}`,
    cardUrl: "http://127.0.0.1:1",
    senderId: "sender",
    clientId: "client",
    clientSecret: "secret",
  };
  return { addresses, asked };
}
