// No line below a mark may compile.

import { createTokenIssuer, createWebhookReceiver, parseTransferWebhook } from "remitkit/server";
import type { TokenIssuer, TransferStatusEvent } from "remitkit/server";

declare const issuer: TokenIssuer;
declare const event: TransferStatusEvent;
declare const maybe: string | undefined;
const client = { baseUrl: "https://api.example", clientId: "id", clientSecret: "secret" };
const request = new Request("https://a.example");
const senderOfWebRequest = (request: Request) => request.headers.get("a");
const response = { headersSent: false, writeHead() {}, end() {} };

// @ts-expect-error the secret is missing
createTokenIssuer({ baseUrl: "https://api.example", clientId: "id" });
// @ts-expect-error a misspelt option
createTokenIssuer({ ...client, timeout: 5 });
// @ts-expect-error a sender is named for each token
createTokenIssuer({ ...client, senderId: "s" });
// @ts-expect-error a cache that keeps nothing
createTokenIssuer({ ...client, cache: { get: () => undefined } });
// @ts-expect-error a sender-level token has a sender
issuer.senderToken();
// @ts-expect-error a variable that may be missing is no sender
issuer.senderToken(maybe);
// @ts-expect-error a client-level token has no sender
issuer.clientToken("sender");
// @ts-expect-error the sender is missing
issuer.handler({});
// @ts-expect-error one sender for all customers
issuer.handler({ senderId: "sender" });
// @ts-expect-error true names no sender
issuer.handler({ senderId: () => true });
// @ts-expect-error origins are a list
issuer.handler({ senderId: () => "s", origins: "https://shop.example" });
// @ts-expect-error a handler for web requests does not take Node's
issuer.handler({ senderId: senderOfWebRequest })({ headers: {} }, response);
// @ts-expect-error a variable that may be missing is no key
parseTransferWebhook(request, maybe);
// @ts-expect-error the key is missing
parseTransferWebhook(request);
// @ts-expect-error the listener is missing
createWebhookReceiver({ apiKey: "key" });
// @ts-expect-error members have the service's names
event.transferId;
// @ts-expect-error there may be no reason
event.CancellationReason.length;
