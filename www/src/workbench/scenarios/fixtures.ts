import type { FieldValue, RecipientRequest, RemitKit, SenderRequest } from "remitkit";
import type { TransferMethod, TransferRequest, TransferResult } from "remitkit";
import { PromiseCache } from "../../promise_cache";

export interface Corridor {
  dstCountryIso3Code: string;
  dstCurrencyIso3Code: string;
  transferMethod: TransferMethod;
}

type Destination = Pick<TransferRequest, "recipientId" | "recipientAccountId">;
type Values = Record<string, FieldValue["value"]>;

export const BANK: Corridor = {
  dstCountryIso3Code: "MEX",
  dstCurrencyIso3Code: "MXN",
  transferMethod: "BANK_ACCOUNT",
};
export const CARD: Corridor = { ...BANK, transferMethod: "PUSH_TO_CARD" };
export const CASH: Corridor = { ...BANK, transferMethod: "CASH_PICKUP" };
export const BANK_IN_INDIA: Corridor = { ...BANK, dstCountryIso3Code: "IND", dstCurrencyIso3Code: "INR" };

/** In cents, within the limits of every corridor. */
export const AMOUNT = 5_000;
export const QUOTE = { ...BANK, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT" as const, amount: AMOUNT };
export const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

const PERSON = { firstName: "Ana", lastName: "Rojas" };
/** What recipients have besides a name, by transfer method and country. */
const RECIPIENTS: Record<string, Values> = {
  any: { ADDRESS_LINE_1: "Calle Mayor 1" },
  CASH_PICKUP: { PHONE_NUMBER: phone("MEX", "52", "5512345678") },
  IND: { DATE_OF_BIRTH: "1990-05-14", RELATIONSHIP: "FRIEND", ADDRESS_CITY: "Pune" },
};
const ACCOUNTS: Record<string, Values> = {
  "MEX BANK_ACCOUNT": { BANK_ID: "MEX-B-1", BANK_ACCOUNT_NUMBER: "012345678901234567" },
  "IND BANK_ACCOUNT": {
    IFSC: "SBIN0001234",
    BANK_ACCOUNT_TYPE: "SAVINGS",
    BANK_ACCOUNT_NUMBER: "123456789012",
  },
};
const SENDER: Values = {
  ...PERSON,
  DATE_OF_BIRTH: "1986-04-17",
  ADDRESS_LINE_1: "12 Harbour Street",
  ADDRESS_CITY: "Savannah",
  ADDRESS_STATE: "GA",
  ADDRESS_ZIP: "31401",
  PHONE_NUMBER: phone("USA", "1", "9125550142"),
};

export function recipientRequest(corridor: Corridor): RecipientRequest & { fields: FieldValue[] } {
  const { transferMethod: method, dstCountryIso3Code: country } = corridor;
  const values = { ...PERSON, ...RECIPIENTS["any"], ...RECIPIENTS[method], ...RECIPIENTS[country] };
  return { ...corridor, userType: "PERSON", fields: fields(values) };
}

export function senderRequest(more: Values = {}): SenderRequest {
  return { senderType: "PERSON", fields: fields({ ...SENDER, ...more }) };
}

/** Valid transfers. Each kit creates one destination per corridor. */
export class Fixtures {
  #destinations = new WeakMap<RemitKit, PromiseCache<Destination>>();

  /** Forgets the destinations after the sandbox has lost them. */
  clear(): void {
    this.#destinations = new WeakMap();
  }

  destination(remit: RemitKit, corridor: Corridor): Promise<Destination> {
    const cache = this.#destinations.get(remit) ?? new PromiseCache<Destination>();
    this.#destinations.set(remit, cache);
    const key = `${corridor.dstCountryIso3Code} ${corridor.transferMethod}`;
    return cache.get(key, async () => {
      const { recipientId } = await remit.createRecipient(recipientRequest(corridor));
      const values = ACCOUNTS[key];
      if (!values) return { recipientId };
      const request = { ...corridor, fields: fields(values) };
      const { recipientAccountId } = await remit.createRecipientAccount(recipientId, request);
      return { recipientId, recipientAccountId };
    });
  }

  async transfer(
    remit: RemitKit,
    amount = AMOUNT,
    corridor = BANK,
    destination?: Destination,
  ): Promise<TransferRequest> {
    const to = destination ?? (await this.destination(remit, corridor));
    const price = { ...QUOTE, ...corridor, amount };
    const { quoteHistoryId } = await remit.quote(price);
    return { ...price, ...to, quoteHistoryId };
  }
}

/** Returns what may be shown of a transfer. */
export function transferFacts({ status, recovered }: TransferResult): { status: string; recovered: boolean } {
  return { status: status ?? "", recovered };
}

export function fields(values: Values): FieldValue[] {
  return Object.entries(values).map(([id, value]) => ({ id, value }));
}

function phone(countryIso3Code: string, countryPhoneCode: string, number: string) {
  return { number, countryIso3Code, countryPhoneCode };
}
