// The service without the SDK: recipients, quotes and plain POSTs of transfers.

import { fetchSenderToken } from "../sender-token.mjs";

const CORRIDOR = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN", transferMethod: "BANK_ACCOUNT" };
const fields = (values) => Object.entries(values).map(([id, value]) => ({ id, value }));

/** A caller with its own token. */
export class Service {
  #baseUrl;
  #token;

  static async open(credentials) {
    const service = new Service();
    service.#baseUrl = credentials.baseUrl;
    service.#token = (await fetchSenderToken(credentials)).access_token;
    return service;
  }

  /** Creates a recipient with an account; returns what all transfers to it have in common. */
  async makeRecipient() {
    const person = fields({ firstName: "Ana", lastName: "Rojas", ADDRESS_LINE_1: "Calle Mayor 1" });
    const recipient = { ...CORRIDOR, userType: "PERSON", fields: person };
    const { recipientId } = await this.#ask("POST", "/v1/recipients", recipient);
    const bank = fields({ BANK_ID: "MEX-B-1", BANK_ACCOUNT_NUMBER: "012345678901234567" });
    const accounts = `/v1/recipients/${recipientId}/accounts`;
    const { recipientAccountId } = await this.#ask("POST", accounts, { ...CORRIDOR, fields: bank });
    const price = { ...CORRIDOR, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT" };
    return { ...price, recipientId, recipientAccountId };
  }

  /** Returns the body of a transfer with its own quote and nonce. */
  async makeTransfer({ recipientId, ...route }, amount) {
    const price = { ...route, amount };
    const { quoteHistoryId } = await this.#ask("GET", `/v1/quote?${new URLSearchParams(price)}`);
    return { ...price, recipientId, quoteHistoryId, nonce: await this.makeNonce() };
  }

  async makeNonce() {
    return (await this.#ask("GET", "/v1/nonce")).nonce;
  }

  /** Posts a transfer once; rejects if no answer comes. */
  async post(transfer) {
    const reply = await this.#send("POST", "/v1/transfers", transfer);
    return { status: reply.status, body: await reply.json() };
  }

  async #ask(method, path, body) {
    const reply = await this.#send(method, path, body);
    if (!reply.ok) throw new Error(`${method} ${path}: ${reply.status} ${await reply.text()}`);
    return reply.json();
  }

  #send(method, path, body) {
    const headers = { authorization: `Bearer ${this.#token}`, "content-type": "application/json" };
    return fetch(this.#baseUrl + path, { method, headers, body: body && JSON.stringify(body) });
  }
}
