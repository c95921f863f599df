import type { Country, FieldForm, FieldValues, PhoneNumber, Recipient, RecipientAccount } from "remitkit";
import type { RemitKit, ValuesRecord } from "remitkit";
import { deliveryLabel, type AccountLabel } from "./methods";
import { serviceTime } from "./remit";
import { corridorQuery, type Route } from "./routes";
import { recipientName } from "./sent_transfers";
import type { CheckoutState, RecipientType } from "./state";
import type { LiveText } from "./ui/dom";

/** Splits a record into its values and the texts that only mask one. */
export function readRecord({ fields }: ValuesRecord): { values: FieldValues; masked: Record<string, string> } {
  const values: FieldValues = {};
  const masked: Record<string, string> = {};
  for (const { id, value } of Array.isArray(fields) ? fields : []) {
    if (typeof value === "string" && value.startsWith("*")) masked[id] = value.replaceAll("*", "\u2022");
    else if (typeof value === "string" || isPhoneNumber(value)) values[id] = value;
  }
  return { values, masked };
}

/** Returns the options of fields that start with a record, but for phone numbers of other countries. */
export function startingWith(record: Recipient | RecipientAccount, country: Country) {
  const { masked } = readRecord(record);
  const initial = (form: FieldForm): FieldValues => {
    const isShown = ([id, value]: [string, FieldValues[string]]) => {
      return !(id in masked) && (!isPhoneNumber(value) || value.countryIso3Code === country.iso3Code);
    };
    return Object.fromEntries(Object.entries(form.valuesOf(record)).filter(isShown));
  };
  return { initial, masked };
}

/** Returns the fields of which the service shows only a part, and that were not entered again. */
export function missingIn(values: FieldValues, record: ValuesRecord): string[] {
  return Object.keys(readRecord(record).masked).filter((id) => values[id] === undefined);
}

/** Whether a record has all that a form asks for. What the service masks, it has. */
export function isComplete(fields: FieldForm, record: Recipient | RecipientAccount): boolean {
  const { masked } = readRecord(record);
  return fields.check(fields.valuesOf(record)).every(({ fieldId }) => fieldId in masked);
}

export function typeOf({ recipientType }: { recipientType?: string | null }): RecipientType {
  return recipientType === "BUSINESS" ? "BUSINESS" : "PERSON";
}

/** Returns the recipient's name, in its fields under either set of ids that services use. */
export function nameOf(record: Partial<Recipient>): string {
  const { values } = readRecord(record);
  const read = (...ids: string[]) => String(ids.map((id) => values[id]).find(Boolean) ?? "");
  const person = `${read("FIRST_NAME", "firstName")} ${read("LAST_NAME", "lastName")}`.trim();
  return recipientName(record) ?? (read("COMPANY_NAME", "companyName") || person);
}

/** Returns the change of a checkout that chooses a saved recipient. */
export function asChosen(record: Recipient): Pick<CheckoutState, "recipientType" | "recipient"> {
  const recipient = { id: record.recipientId, name: nameOf(record), values: "", isSaved: true };
  return { recipientType: typeOf(record), recipient };
}

/** An account that the recipient has, as the checkout knows accounts. */
export type SavedAccount = NonNullable<CheckoutState["account"]> & { label: LiveText; record: RecipientAccount };

/** Returns a recipient's accounts that a route can pay to, the newest first. */
export async function savedAccounts(
  remit: RemitKit,
  recipientId: string,
  route: Route,
  fields: FieldForm,
  signal: AbortSignal,
): Promise<SavedAccount[]> {
  const all = await remit.recipientAccounts(recipientId, { signal });
  const query = Object.entries(corridorQuery(route)) as [keyof RecipientAccount, string][];
  const usable = all
    .filter((account) => query.every(([name, value]) => account[name] === value))
    .filter((account) => isComplete(fields, account));
  return Promise.all(
    newestFirst(usable).map(async (record) => {
      const known = { ...labelOf(record), bank: await bankOf(record, fields, signal) };
      const label = () => deliveryLabel(route.transferMethod, known);
      return { id: record.recipientAccountId, values: "", ...known, label, record };
    }),
  );
}

/** Returns the last digits of an account or of a wallet's phone number, and the name of a card. */
export function labelOf(account: ValuesRecord & { accountNumber?: string | null }): AccountLabel {
  const { values } = readRecord(account);
  const { CARD_NICKNAME: name } = values;
  const number = account.accountNumber ?? Object.values(values).find(isPhoneNumber)?.number;
  const ending = number ? String(number).slice(-4) : undefined;
  return { ending, name: typeof name === "string" ? name : undefined };
}

/** Returns the name of an account's bank, which a record has as an id. */
export async function bankOf(account: ValuesRecord, fields: FieldForm, signal: AbortSignal) {
  const { values } = readRecord(account);
  const { BANK_ID: bankId } = values;
  const banks = bankId ? await fields.options("BANK_ID", values, { signal }).catch(() => []) : [];
  return banks.find(({ id }) => id === bankId)?.name;
}

export function isPhoneNumber(value: unknown): value is PhoneNumber {
  return typeof value === "object" && value !== null && "number" in value && "countryPhoneCode" in value;
}

export function newestFirst<Kept extends { createdAt?: string | null }>(records: Kept[]): Kept[] {
  const timeOf = ({ createdAt }: Kept) => serviceTime(createdAt) || 0;
  return records.sort((a, b) => timeOf(b) - timeOf(a));
}
