// Everything here must compile as CommonJS, which TypeScript holds to what `require` gives.

import { createRemitKit, isRemitError } from "remitkit";
import type { RemitKit } from "remitkit";
import { defineRemitCardForm } from "remitkit/element";
import inline = require("remitkit/inline");
import server = require("remitkit/server");
import { fakeRemitKit } from "remitkit/testing";

export const kits: Promise<RemitKit>[] = [createRemitKit, inline.createRemitKit].map((create) =>
  create({ baseUrl: "https://api.example", cardUrl: "https://card.example", token: "t" }),
);
export const issuer = server.createTokenIssuer({ baseUrl: "https://api.example", clientId: "i", clientSecret: "s" });
export const fake: RemitKit = fakeRemitKit({ senderId: async () => ({ senderId: "s" }) }).remit;
export const is: boolean = isRemitError(new server.RemitError("Internal", "", { kind: "internal", retryable: false }));
defineRemitCardForm();
