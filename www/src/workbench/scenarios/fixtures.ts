import type { FieldForm, FieldValue, RemitKit, TransferRequest, TransferResult } from "remitkit";
import { PromiseCache } from "../../promise_cache";
import { exampleOf } from "../fields/example";

type CorridorName = "dstCountryIso3Code" | "dstCurrencyIso3Code" | "transferMethod";
export type Corridor = Pick<TransferRequest, CorridorName>;
type Destination = Pick<TransferRequest, "recipientId" | "recipientAccountId">;

export const BANK: Corridor = {
  dstCountryIso3Code: "MEX",
  dstCurrencyIso3Code: "MXN",
  transferMethod: "BANK_ACCOUNT",
};
export const CARD: Corridor = { ...BANK, transferMethod: "PUSH_TO_CARD" };
export const CASH: Corridor = { ...BANK, transferMethod: "CASH_PICKUP" };
export const INDIA: Corridor = { ...BANK, dstCountryIso3Code: "IND", dstCurrencyIso3Code: "INR" };

/** In cents, within the limits of every corridor. */
export const AMOUNT = 5_000;
export const QUOTE = { ...BANK, srcCurrencyIso3Code: "USD", quoteBy: "SEND_AMOUNT" as const, amount: AMOUNT };
export const UNKNOWN_ID = "00000000-0000-4000-8000-000000000000";

export async function recipientRequest(remit: RemitKit, corridor: Corridor) {
  const form = await remit.recipientFields({ ...corridor, recipientType: "PERSON" });
  const fields = await requiredFields(form, corridor.dstCountryIso3Code);
  return { ...corridor, userType: "PERSON" as const, fields };
}

export async function senderRequest(remit: RemitKit) {
  const form = await remit.senderFields({ senderType: "PERSON" });
  return { senderType: "PERSON" as const, fields: await requiredFields(form, "USA") };
}

/** Returns values for what the service asks for at least. */
export async function requiredFields(form: FieldForm, country: string): Promise<FieldValue[]> {
  const fields = form.toFields(await exampleOf(form, country));
  return fields.filter(({ id }) => form.isRequired(id, {}));
}

/** Valid transfers. Each kit creates one destination per corridor. */
export class Fixtures {
  readonly #destinations = new WeakMap<RemitKit, PromiseCache<Destination>>();

  destination(remit: RemitKit, corridor: Corridor): Promise<Destination> {
    const cache = this.#destinations.get(remit) ?? new PromiseCache<Destination>();
    this.#destinations.set(remit, cache);
    return cache.get(JSON.stringify(corridor), async () => {
      const { recipientId } = await remit.createRecipient(await recipientRequest(remit, corridor));
      if (corridor.transferMethod !== "BANK_ACCOUNT") return { recipientId };
      const form = await remit.recipientAccountFields(corridor);
      const request = { ...corridor, fields: await requiredFields(form, corridor.dstCountryIso3Code) };
      const { recipientAccountId } = await remit.createRecipientAccount(recipientId, request);
      return { recipientId, recipientAccountId };
    });
  }

  /** Prepares the account of a card, up to its call. */
  async cardAccount(remit: RemitKit, cardId: string) {
    const { recipientId } = await this.destination(remit, CARD);
    const fields = [{ id: "CARD_ID", value: cardId }];
    return { args: [recipientId] as [string], request: { ...CARD, fields } };
  }

  async transfer(remit: RemitKit, changes: Partial<typeof QUOTE> = {}): Promise<TransferRequest> {
    const price = { ...QUOTE, ...changes };
    const { dstCountryIso3Code, dstCurrencyIso3Code, transferMethod } = price;
    const to = await this.destination(remit, { dstCountryIso3Code, dstCurrencyIso3Code, transferMethod });
    const { quoteHistoryId } = await remit.quote(price);
    return { ...price, ...to, quoteHistoryId };
  }
}

/** Returns what may be shown of a transfer. */
export function transferFacts({ status, recovered }: TransferResult) {
  return { status: status ?? "", recovered };
}
