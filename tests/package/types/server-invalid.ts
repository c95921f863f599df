import { createTokenIssuer, createWebhookReceiver, parseTransferWebhook } from "remitkit/server";
import type { TokenIssuer, TransferStatusEvent } from "remitkit/server";

declare const issuer: TokenIssuer;
declare const event: TransferStatusEvent;
declare const maybe: string | undefined;
const client = { baseUrl: "https://api.example", clientId: "id", clientSecret: "secret" };
const request = new Request("https://a.example");
const response = { headersSent: false, writeHead() {}, end() {} };
const forWebRequests = issuer.handler({ senderId: (request: Request) => request.headers.get("a") });

// Each line below is an error.

createTokenIssuer({ baseUrl: "https://api.example", clientId: "id" });
createTokenIssuer({ ...client, timeout: 5 });
createTokenIssuer({ ...client, senderId: "s" });
createTokenIssuer({ ...client, clientSecret: () => undefined });
createTokenIssuer({ ...client, clientSecret: Promise.resolve("s") });
createTokenIssuer({ ...client, onEvent: ({ token }) => token });
createTokenIssuer({ ...client, fetch: () => "reply" });
createTokenIssuer({ ...client, cache: { get: () => undefined } });
issuer.senderToken();
issuer.senderToken(maybe);
issuer.clientToken("sender");
issuer.handler({});
issuer.handler({ senderId: "sender" });
issuer.handler({ senderId: () => true });
issuer.handler({ senderId: () => "s", origins: "https://shop.example" });
forWebRequests({ headers: {} }, response);
parseTransferWebhook(request, maybe);
parseTransferWebhook(request);
createWebhookReceiver({ apiKey: "key" });
event.transferId;
event.CancellationReason.length;
