// A kit whose prices are scripted here, and whose fields the package's own core reads from `/v1/transfer-fields`.

import { createRemitKit } from "/index.js";
import { failure } from "/errors/errors.js";

const CURRENCIES = Object.fromEntries(
  Object.entries({ USD: 2, COP: 2, BRL: 2, MXN: 2, JPY: 0, KWD: 3 }).map(([iso3Code, decimalPlaces]) => {
    return [iso3Code, { iso3Code, decimalPlaces }];
  }),
);
const PAID_OUT = { COL: "COP", BRA: "BRL", MEX: "MXN", JPN: "JPY", KWT: "KWD" };
const METHODS = ["BANK_ACCOUNT", "PUSH_TO_CARD"];
const FEES = { BANK_ACCOUNT: 399, PUSH_TO_CARD: 499 };
const RATE = 18.32;

/** How the service behaves, and what it was asked. */
export const service = { waitsMs: 0, looksUpMs: 0, lives: 300_000, fails: false, price: 0, asked: [], given: new Map() };

const corridorOf = (country, transferMethod, from = ["USD"]) => ({
  destinationCountry: { iso3Code: country },
  sourceCurrency: from.map((code) => CURRENCIES[code]),
  destinationCurrency: [CURRENCIES[PAID_OUT[country]]],
  transferMethod,
});

const after = (ms, signal) =>
  new Promise((resolve, reject) => {
    setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => reject(signal.reason));
  });

async function quote(request, { signal }) {
  service.asked.push(request);
  await after(service.waitsMs, signal);
  if (service.fails) throw failure("NetworkFailure", "It is down.");
  const { srcCurrencyIso3Code, dstCurrencyIso3Code, quoteBy, transferMethod, amount } = request;
  const [source, destination] = [CURRENCIES[srcCurrencyIso3Code], CURRENCIES[dstCurrencyIso3Code]];
  const scale = 10 ** (destination.decimalPlaces - source.decimalPlaces);
  const isSend = quoteBy === "SEND_AMOUNT";
  const value = Number(amount);
  const send = isSend ? value : Math.round(value / RATE / scale);
  const id = `q${service.given.size}`;
  const fee = FEES[transferMethod] + service.price;
  const given = {
    quoteHistoryId: id,
    sendAmount: { value: send, currency: source },
    receiveAmount: { value: isSend ? Math.round(value * RATE * scale) : value, currency: destination },
    totalCost: { value: send + fee, currency: source },
    adjustments: [{ id: "fee", label: "Transfer fee", amount: { value: fee, currency: source } }],
    rate: RATE,
    disclosures: ["Rates may differ.", "You may cancel within 30 minutes."],
    deliverySLA: { id: "ONE_BUSINESS_DAY", name: "one business day" },
    expirationDate: new Date(Date.now() + service.lives).toISOString(),
  };
  service.given.set(id, { request, given });
  return given;
}

const own = createRemitKit({ baseUrl: location.origin, cardUrl: "https://card.example", token: "t", journal: "memory" });

export const kit = {
  corridorOf,
  async corridors({ dstCountryIso3Code }, { signal } = {}) {
    await after(service.looksUpMs, signal);
    const methods = PAID_OUT[dstCountryIso3Code] ? METHODS : [];
    return methods.map((method) => corridorOf(dstCountryIso3Code, method));
  },
  quote,
  transferFields: async (...given) => (await own).transferFields(...given),
};
