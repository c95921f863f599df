import type { FieldValue, RecipientRequest, RemitKit, SenderRequest, TransferMethod, TransferRequest, TransferResult } from "remitkit";
import { Kept } from "../../kept";

/** A corridor, as most requests carry it. */
export interface Corridor {
  dstCountryIso3Code: string;
  dstCurrencyIso3Code: string;
  transferMethod: TransferMethod;
}

const MEXICO = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN" };
export const BANK: Corridor = { ...MEXICO, transferMethod: "BANK_ACCOUNT" };
export const CARD: Corridor = { ...MEXICO, transferMethod: "PUSH_TO_CARD" };
export const CASH: Corridor = { ...MEXICO, transferMethod: "CASH_PICKUP" };
export const INDIA: Corridor = { dstCountryIso3Code: "IND", dstCurrencyIso3Code: "INR", transferMethod: "BANK_ACCOUNT" };

/** In cents: more than each corridor's least, less than each limit. */
export const AMOUNT = 5_000;

const fields = (values: Record<string, FieldValue["value"]>): FieldValue[] => Object.entries(values).map(([id, value]) => ({ id, value }));
const phone = (countryIso3Code: string, countryPhoneCode: string, number: string) => ({ number, countryIso3Code, countryPhoneCode });

const ACCOUNTS: Record<string, Record<string, string>> = {
  "MEX BANK_ACCOUNT": { BANK_ID: "MEX-B-1", BANK_ACCOUNT_NUMBER: "012345678901234567" },
  "IND BANK_ACCOUNT": { IFSC: "SBIN0001234", BANK_ACCOUNT_TYPE: "SAVINGS", BANK_ACCOUNT_NUMBER: "123456789012" },
};

/** A recipient that is good where nothing else is said. */
export function recipientRequest(corridor: Corridor): RecipientRequest & { fields: FieldValue[] } {
  const person = { firstName: "Ana", lastName: "Rojas", ADDRESS_LINE_1: "Calle Mayor 1" };
  const more: Record<string, Record<string, FieldValue["value"]>> = {
    CASH_PICKUP: { PHONE_NUMBER: phone("MEX", "52", "5512345678") },
    IND: { DATE_OF_BIRTH: "1990-05-14", RELATIONSHIP: "FRIEND", ADDRESS_CITY: "Pune" },
  };
  const { dstCountryIso3Code, transferMethod } = corridor;
  return { ...corridor, userType: "PERSON", fields: fields({ ...person, ...more[transferMethod], ...more[dstCountryIso3Code] }) };
}

/** A sender that is good where nothing else is said. */
export function senderRequest(more: Record<string, string> = {}): SenderRequest {
  return {
    senderType: "PERSON",
    fields: fields({
      firstName: "Ana",
      lastName: "Rojas",
      DATE_OF_BIRTH: "1986-04-17",
      ADDRESS_LINE_1: "12 Harbour Street",
      ADDRESS_CITY: "Savannah",
      ADDRESS_STATE: "GA",
      ADDRESS_ZIP: "31401",
      PHONE_NUMBER: phone("USA", "1", "9125550142"),
      ...more,
    }),
  };
}

export interface Destination {
  recipientId: string;
  recipientAccountId?: string;
}

/** Good requests to begin with. A destination is made once for each corridor and kit. */
export class Ground {
  #destinations = new WeakMap<RemitKit, Kept<Destination>>();

  /** Forgets what was made, as the sandbox has. */
  clear(): void {
    this.#destinations = new WeakMap();
  }

  destination(remit: RemitKit, corridor: Corridor): Promise<Destination> {
    const made = this.#destinations.get(remit) ?? new Kept<Destination>();
    this.#destinations.set(remit, made);
    const key = `${corridor.dstCountryIso3Code} ${corridor.transferMethod}`;
    return made.get(key, () => makeDestination(remit, corridor, ACCOUNTS[key]));
  }

  /** A transfer that would be made, with a quote of its own. */
  async transfer(remit: RemitKit, amount = AMOUNT, corridor: Corridor = BANK, to?: Destination): Promise<TransferRequest> {
    const destination = to ?? (await this.destination(remit, corridor));
    const price = { ...corridor, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT" as const, amount };
    const { quoteHistoryId } = await remit.quote(price);
    return { ...price, ...destination, quoteHistoryId };
  }
}

async function makeDestination(remit: RemitKit, corridor: Corridor, account: Record<string, string> | undefined): Promise<Destination> {
  const { recipientId } = await remit.createRecipient(recipientRequest(corridor));
  if (!account) return { recipientId };
  const { recipientAccountId } = await remit.createRecipientAccount(recipientId, { ...corridor, fields: fields(account) });
  return { recipientId, recipientAccountId };
}

/** What may be said of a transfer that was made. */
export function transferFacts({ status, recovered }: TransferResult): { status: string; recovered: boolean } {
  return { status: status ?? "", recovered };
}
