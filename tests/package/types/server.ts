// Everything here must compile under the strictest settings, without a cast, with Node's types beside it.

import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import KeyvRedis from "@keyv/redis";
import { Hono } from "hono";
import Keyv from "keyv";
import {
  createTokenIssuer,
  createWebhookReceiver,
  isRemitError,
  parseTransferWebhook,
} from "remitkit/server";
import type {
  ClientToken,
  IssuedToken,
  KeyValueCache,
  NodeRequest,
  NodeResponse,
  RequestHandler,
  TokenIssuer,
  TransferStatusEvent,
} from "remitkit/server";
import type { SenderToken, TransferStatusName } from "remitkit";
import { exactly } from "./exactly.js";

declare const sender: string;

const issuer = createTokenIssuer({
  baseUrl: new URL("https://api.example"),
  clientId: "id",
  clientSecret: "secret",
  cache: new Keyv({ store: new KeyvRedis("redis://localhost") }),
  timeoutMs: undefined,
  onError: (error) => console.error(isRemitError(error) ? error.code : error),
});
exactly<TokenIssuer>()(issuer);
export const caches: KeyValueCache[] = [
  new Map<string, string>(),
  new Keyv(),
  new KeyvRedis("redis://localhost"),
];

export async function tokens(signal: AbortSignal): Promise<SenderToken> {
  exactly<ClientToken>()(await issuer.clientToken({ signal }));
  const token = await issuer.senderToken(sender, { renew: true, signal });
  exactly<IssuedToken>()(token);
  exactly<number>()(token.expires_in);
  return token;
}

// Node's http and http2, with the session found in a request of Node's.
const forNode = issuer.handler({
  senderId: async (request: IncomingMessage) =>
    request.headers.cookie === "session=ana" ? sender : undefined,
  origins: ["https://shop.example"],
});
createServer(forNode);
createServer((request, response) => void forNode(request, response));
const forAny = issuer.handler({ senderId: () => sender });
exactly<RequestHandler>()(forAny);
createServer(forAny);
createHttp2Server(forAny);

// Express's own form, without its types: a request with more to it.
interface ExpressRequest extends IncomingMessage {
  session: { senderId?: string };
}
type ExpressHandler = (
  request: ExpressRequest,
  response: ServerResponse,
  next: (error?: unknown) => void,
) => void | Promise<void>;
export const forExpress: ExpressHandler = issuer.handler({
  senderId: (request: ExpressRequest) => request.session.senderId,
});
export const alsoForExpress: ExpressHandler = forAny;

// Next's route handlers and Hono.
interface NextRequest extends Request {
  cookies: { get(name: string): { value: string } | undefined };
}
type RouteHandler = (
  request: NextRequest,
  context: { params: Promise<object> },
) => Response | Promise<Response>;
const forNext = issuer.handler({
  senderId: (request: NextRequest) => request.cookies.get("sender")?.value ?? false,
});
export const POST: RouteHandler = (request) => forNext(request);
export const alsoPost: RouteHandler = forAny;
new Hono().post("/token", (c) => forAny(c.req.raw));
export const answered: Promise<Response> = forAny(new Request("https://shop.example"));

export async function webhook(request: IncomingMessage | Request, response: NodeResponse, mock: NodeRequest) {
  const event = await parseTransferWebhook(request, ["old key", "new key"]);
  exactly<TransferStatusEvent>()(event);
  exactly<TransferStatusName>()(event.Status);
  exactly<string | null>()(event.CancellationReason);
  const receive = createWebhookReceiver({
    apiKey: "key",
    cache: new Keyv(),
    onTransferStatus: async ({ TransferId, Status }) => console.log(TransferId.length, Status === "Complete"),
  });
  createServer(receive);
  new Hono().post("/webhook", (c) => receive(c.req.raw));
  await receive(mock, response);
}
