// A service with one quote, its transfer and one card session, in place of the page's `fetch`.

const SENDER_ID = "40e6215d-b5c6-4896-987c-f30f3678f608";
const QUOTE_ID = "11111111-4f89-41d3-9a0c-0305e82c3301";
const TRANSFER_ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const SESSION_ID = "6ecd8c99-4036-403d-bf84-cf8400f67836";

// As text: a script would round the second amount.
const QUOTE = `{
  "quoteHistoryId": "${QUOTE_ID}",
  "sendAmount": { "value": 12550, "currency": { "iso3Code": "USD", "decimalPlaces": 2 } },
  "receiveAmount": { "value": 9007199254740993, "currency": { "iso3Code": "MXN", "decimalPlaces": 2 } }
}`;
const TRANSFER = `{
  "transferId": "${TRANSFER_ID}",
  "quote": ${QUOTE},
  "recipientDetails": { "recipientId": "22222222-4f89-41d3-9a0c-0305e82c3301" }
}`;
const FIELDS = `{ "fieldSets": [{ "fieldSetId": "ADDRESS", "fields": [
  { "fieldId": "CITY", "fieldType": "TEXT", "isRequired": true, "name": "City" },
  { "fieldId": "STATE", "fieldType": "DROPDOWN", "isRequired": false, "name": "State",
    "options": [{ "id": "JAL", "name": "Jalisco" }] }
] }] }`;

const session = (members) =>
  JSON.stringify({ id: SESSION_ID, expirationDate: "2099-01-01T00:00:00Z", ...members });

const REPLIES = {
  "GET /v1/quote": QUOTE,
  [`GET /v1/quote/${QUOTE_ID}`]: QUOTE,
  "GET /v1/recipient-account-fields": FIELDS,
  "GET /v1/transfer-fields": '{ "fieldSets": [] }',
  "GET /v1/sender-id": JSON.stringify({ senderId: SENDER_ID }),
  "GET /v1/nonce": '{ "nonce": "8d7e0a52-5b0e-4e0c-9c39-6f1d5f0b7a11" }',
  "POST /v1/transfers": TRANSFER,
  [`GET /v1/transfers/${TRANSFER_ID}`]: TRANSFER,
  "POST /v1/card-onboarding-sessions": session({ status: "INCOMPLETE" }),
  [`GET /v1/card-onboarding-sessions/${SESSION_ID}`]: session({ status: "SUCCEEDED", cardId: "card-7" }),
};

/** Answers the requests to `baseUrl` from now on; returns them as they come: `["GET /v1/quote", …]`. */
export function serve(baseUrl) {
  const engine = globalThis.fetch;
  const sent = [];
  globalThis.fetch = async (target, init) => {
    const url = String(target.url ?? target);
    if (!url.startsWith(`${baseUrl}/`)) return engine(target, init);
    const { method = "GET", signal } = init ?? target;
    const route = `${method} ${new URL(url).pathname}`;
    sent.push(route);
    if (route === "GET /v1/corridors") return aborted(signal);
    const reply = REPLIES[route];
    return reply === undefined
      ? Response.json([{ code: "TransferNotFound", message: "No" }], { status: 404 })
      : new Response(reply, { headers: { "content-type": "application/json" } });
  };
  return sent;
}

/** Never answers; rejects as `fetch` does once the signal says so. */
function aborted(signal) {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

/** What the package's scripts bring along. */
export function host() {
  return {
    origin: location.origin,
    token: async () => JSON.stringify("sender-level-token"),
    journal: "memory",
    isWatched: false,
  };
}
