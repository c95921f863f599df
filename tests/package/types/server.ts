// Everything here must compile under the strictest settings, without a cast, beside Node's types.

import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import KeyvRedis from "@keyv/redis";
import type { FastifyRequest } from "fastify";
import fastify from "fastify";
import { Hono } from "hono";
import Keyv from "keyv";
import { createTokenIssuer, createWebhookReceiver, isRemitError } from "remitkit/server";
import { parseTransferWebhook } from "remitkit/server";
import type * as server from "remitkit/server";
import type { SenderToken, TransferStatusName } from "remitkit";
import { exactly } from "./exactly.js";

declare const sender: string;
declare const undici: typeof import("undici-types").fetch;

const issuer = createTokenIssuer({
  baseUrl: new URL("https://api.example"),
  clientId: "id",
  clientSecret: async () => ["new", "old"],
  cache: new Keyv({ store: new KeyvRedis("redis://localhost") }),
  timeoutMs: undefined,
  allowInsecureHosts: ["sandbox"],
  fetch,
  onError: (error, { senderId }) => console.error(isRemitError(error) ? error.code : error, senderId),
  onEvent: (event) => {
    if (event.type === "token") exactly<boolean>()(event.cached);
    if (event.type === "attempt") exactly<number>()(event.attempt);
  },
});
exactly<{ cache: "ok" | "failed" | undefined }>()(await issuer.check());
issuer.close();
const client = { baseUrl: "https://api.example", clientId: "id" };
createTokenIssuer({ ...client, clientSecret: ["new", "old"], fetch: undici });
exactly<server.TokenIssuer>()(issuer);
const redis = new KeyvRedis("redis://localhost");
export const caches: server.KeyValueCache[] = [new Map<string, string>(), new Keyv(), redis];

export async function tokens(signal: AbortSignal): Promise<SenderToken> {
  exactly<server.ClientToken>()(await issuer.clientToken({ signal }));
  const token = await issuer.senderToken(sender, { renew: true, signal });
  exactly<server.IssuedToken>()(token);
  return token;
}

// Node's http and http2, with the session found in Node's request.
const forNode = issuer.handler({
  senderId: async ({ headers }: IncomingMessage) => (headers.cookie === "session=ana" ? sender : undefined),
  origins: ["https://shop.example"],
});
createServer(forNode);
const forAny = issuer.handler({ senderId: () => sender });
exactly<server.RequestHandler>()(forAny);
createServer(forAny);
createHttp2Server(forAny);

// Express's form, without its types: a request with more members.
interface ExpressRequest extends IncomingMessage {
  session: { senderId?: string };
}
type Next = (error?: unknown) => void;
type ExpressHandler = (request: ExpressRequest, response: ServerResponse, next: Next) => void | Promise<void>;
const senderOfSession = (request: ExpressRequest) => request.session.senderId;
export const forExpress: ExpressHandler = issuer.handler({ senderId: senderOfSession });

// Fastify.
const ofFastify = (request: FastifyRequest) => request.headers["x-sender"]?.toString();
fastify().post("/token", issuer.handler({ senderId: ofFastify })).post("/any", forAny);

// Next's route handlers and Hono.
interface NextRequest extends Request {
  cookies: { get(name: string): { value: string } | undefined };
}
type Context = { params: Promise<object> };
type RouteHandler = (request: NextRequest, context: Context) => Response | Promise<Response>;
const senderOfCookie = (request: NextRequest) => request.cookies.get("sender")?.value ?? false;
const forNext = issuer.handler({ senderId: senderOfCookie });
export const POST: RouteHandler = (request) => forNext(request);
new Hono().post("/token", (c) => forAny(c.req.raw));
export const answered: Promise<Response> = forAny(new Request("https://shop.example"));

type AnyRequest = IncomingMessage | Request;
export async function webhook(request: AnyRequest, response: server.NodeResponse, mock: server.NodeRequest) {
  const event = await parseTransferWebhook(request, ["old key", "new key"]);
  exactly<server.TransferStatusEvent>()(event);
  exactly<TransferStatusName>()(event.Status);
  exactly<string | null>()(event.CancellationReason);
  const receive = createWebhookReceiver({
    apiKey: "key",
    cache: new Keyv(),
    onTransferStatus: async ({ TransferId, Status }) => console.log(TransferId.length, Status === "Complete"),
  });
  createServer(receive);
  await receive(mock, response);
}
