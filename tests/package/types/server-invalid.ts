// Nothing here may compile: each line must be an error, or the line above it is one.

import { createTokenIssuer, createWebhookReceiver, parseTransferWebhook } from "remitkit/server";
import type { TokenIssuer, TransferStatusEvent } from "remitkit/server";

declare const issuer: TokenIssuer;
declare const event: TransferStatusEvent;
const client = { baseUrl: "https://api.example", clientId: "id", clientSecret: "secret" };

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
// @ts-expect-error a variable that may be missing is not a sender
issuer.senderToken(undefined as string | undefined);
// @ts-expect-error a client-level token has none
issuer.clientToken("sender");
// @ts-expect-error a handler has to be told for whom it is
issuer.handler({});
// @ts-expect-error the sender of all customers is nobody's
issuer.handler({ senderId: "sender" });
// @ts-expect-error true is nobody
issuer.handler({ senderId: () => true });
// @ts-expect-error one origin is a list of one
issuer.handler({ senderId: () => "s", origins: "https://shop.example" });
// @ts-expect-error what finds the session in a web request cannot serve Node's
issuer.handler({ senderId: (request: Request) => request.headers.get("a") })({ headers: {} }, { headersSent: false, writeHead() {}, end() {} });
// @ts-expect-error a variable that may be missing is no key
parseTransferWebhook(new Request("https://a.example"), undefined as string | undefined);
// @ts-expect-error the key is missing
parseTransferWebhook(new Request("https://a.example"));
// @ts-expect-error nobody takes care of the events
createWebhookReceiver({ apiKey: "key" });
// @ts-expect-error the service's own names
event.transferId;
// @ts-expect-error there may be no reason
event.CancellationReason.length;
