// Everything here and the package's declarations must compile without a browser's types.

import { fromMinorUnits, isRemitError } from "remitkit";
import type { CardForm, Quote, RemitKitOptions, SenderToken } from "remitkit";
import { createTokenIssuer, parseTransferWebhook } from "remitkit/server";
import type { IssuedToken, TransferStatusEvent } from "remitkit/server";
import { startSandbox } from "remitkit/testing";

declare const quote: Quote;
declare const form: CardForm;

export const shown: string = fromMinorUnits(quote.sendAmount.value, quote.sendAmount.currency);
export const options: RemitKitOptions = { baseUrl: "", cardUrl: "", token: "", wasm: new Uint8Array(8) };
export const element: undefined = form.element;
const request = new Request("https://a.example");
export const event: Promise<TransferStatusEvent> = parseTransferWebhook(request, "key");
export const sandbox = startSandbox().catch((error: unknown) => isRemitError(error));

const issuer = createTokenIssuer({ baseUrl: "", clientId: "", clientSecret: "" });
const token: IssuedToken = await issuer.senderToken("s");
export const forPage: SenderToken = token;
