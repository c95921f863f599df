// Everything here must compile: the one script has the names of all entry points for pages, each once.

import type { MinorUnits, PriceDifference, QuoteDifference, RemitKit } from "remitkit/remitkit.min.js";
import { createRemitKit, defineRemitAmount, defineRemitCardForm, defineRemitFields } from "remitkit/remitkit.min.js";
import { exactly } from "./exactly.js";

const remit = createRemitKit({ baseUrl: "https://a.example", cardUrl: "https://b.example", token: "t" });
exactly<Promise<RemitKit>>()(remit);
for (const define of [defineRemitAmount, defineRemitCardForm, defineRemitFields]) define();

declare const price: PriceDifference;
exactly<bigint>()(price.totalCost);
declare const quote: QuoteDifference;
exactly<MinorUnits | undefined>()(quote.totalCost);
