// What a connection does over and over: each function makes one quote, transfer or session.

import { requestBytes } from "./connection.mjs";

const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const ROUTE = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", srcCurrencyIso3Code: "USD", transferMethod: "BANK_ACCOUNT" };
const QUOTE = { ...ROUTE, quoteBy: "SEND_AMOUNT", amount: 10_000 };
const QUOTE_PATH = `/v1/quote?${new URLSearchParams(QUOTE)}`;

/** A text member of a reply; a mock gives one of its own making, if any. */
function member(reply, name) {
  return new RegExp(`"${name}":"([0-9a-f-]{36})"`).exec(reply.body())?.[1] ?? ID;
}

/** What one connection repeats. Who receives is named where the server knows anybody. */
export function workOf(kind, { host, port, token, recipientId = ID, recipientAccountId = ID }) {
  const bytes = (request) => requestBytes({ host, port, token, ...request });
  const quote = bytes({ path: QUOTE_PATH });
  if (kind === "quotes") return (connection) => connection.send(quote).then(must(200));
  if (kind === "sessions") {
    const session = bytes({ method: "POST", path: "/v1/card-onboarding-sessions", body: { entityMode: "RECIPIENT" } });
    return (connection) => connection.send(session).then(must(200, 201));
  }
  const nonce = bytes({ path: "/v1/nonce" });
  return async (connection) => {
    const quoteHistoryId = member(must(200)(await connection.send(quote)), "quoteHistoryId");
    const once = member(must(200)(await connection.send(nonce)), "nonce");
    const body = { ...QUOTE, quoteHistoryId, recipientId, recipientAccountId, nonce: once };
    return must(200, 201)(await connection.send(bytes({ method: "POST", path: "/v1/transfers", body })));
  };
}

function must(...statuses) {
  return (reply) => {
    if (!statuses.includes(reply.status)) throw new Error(`answered with ${reply.status}: ${reply.body().slice(0, 300)}`);
    return reply;
  };
}
