// Everything here must compile as CommonJS, which TypeScript resolves as `require` does.

import { createRemitKit, isRemitError } from "remitkit";
import type { RemitKit } from "remitkit";
import { defineRemitCardForm } from "remitkit/element";
import inline = require("remitkit/inline");
import server = require("remitkit/server");
import { fakeRemitKit } from "remitkit/testing";

export const kits: Promise<RemitKit>[] = [createRemitKit, inline.createRemitKit].map((create) =>
  create({ baseUrl: "https://api.example", cardUrl: "https://card.example", token: "t" }),
);
const client = { baseUrl: "https://api.example", clientId: "i", clientSecret: "s" };
export const issuer = server.createTokenIssuer(client);
export const fake: RemitKit = fakeRemitKit({ senderId: async () => ({ senderId: "s" }) }).remit;
const error = new server.RemitError("Internal", "", { kind: "internal", retryable: false });
export const is: boolean = isRemitError(error);
defineRemitCardForm();
