import type { FieldForm, FieldValues, PhoneNumber, Recipient, RecipientAccount, RemitKit } from "remitkit";
import type { AccountLabel } from "./methods";
import { corridorQuery, type Route } from "./routes";
import type { CheckoutState } from "./state";

interface SavedRecord {
  fields?: { id: string; value?: unknown }[] | null;
}

/** The field ids of an account number, which requests carry beside the fields. */
export const NUMBER_FIELDS = ["BANK_ACCOUNT_NUMBER", "ACCOUNT_NUMBER"];

/** Splits a record into its values and the texts that only mask one. */
export function readRecord({ fields }: SavedRecord): { values: FieldValues; masked: Record<string, string> } {
  const values: FieldValues = {};
  const masked: Record<string, string> = {};
  for (const { id, value } of Array.isArray(fields) ? fields : []) {
    if (typeof value === "string" && value.startsWith("*")) masked[id] = value.replaceAll("*", "\u2022");
    else if (typeof value === "string" || isPhoneNumber(value)) values[id] = value;
  }
  return { values, masked };
}

/** Returns the fields of which the service shows only a part, and that were not entered again. */
export function missingIn(values: FieldValues, record: SavedRecord): string[] {
  return Object.keys(readRecord(record).masked).filter((id) => values[id] === undefined);
}

/** Whether a record has all that a form asks for. What the service masks, it has. */
export function isComplete(fields: FieldForm, record: Recipient | RecipientAccount): boolean {
  const { masked } = readRecord(record);
  return fields.check(fields.valuesOf(record)).every(({ fieldId }) => fieldId in masked);
}

/** Returns the customer's recipients, the newest first; none if they can't be read. */
export async function savedRecipients(remit: RemitKit, signal: AbortSignal): Promise<Recipient[]> {
  const recipients = await remit.recipients({}, { signal }).catch(() => []);
  return recipients.sort((a, b) => timeOf(b) - timeOf(a));
}

/** An account that the recipient has, as the checkout knows accounts. */
export type SavedAccount = NonNullable<CheckoutState["account"]> & { record: RecipientAccount };

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
    .filter((account) => isComplete(fields, account))
    .sort((a, b) => timeOf(b) - timeOf(a));
  return Promise.all(
    usable.map(async (account) => {
      const bank = await bankOf(account, fields, signal);
      return { id: account.recipientAccountId, values: "", ...labelOf(account), bank, record: account };
    }),
  );
}

/** Returns the last digits of an account or wallet, and the name of a card. */
export function labelOf(account: SavedRecord & { accountNumber?: unknown }): AccountLabel {
  const { values } = readRecord(account);
  const { accountNumber = phoneNumberIn(values) } = account;
  const { CARD_NICKNAME: nickname } = values;
  return {
    ending: accountEnding(typeof accountNumber === "string" ? accountNumber : undefined),
    name: typeof nickname === "string" ? nickname : undefined,
  };
}

/** Returns the name of an account's bank, which a record has as an id. */
export async function bankOf(account: SavedRecord, fields: FieldForm, signal: AbortSignal) {
  const { values } = readRecord(account);
  const { BANK_ID: bankId } = values;
  const banks = bankId ? await fields.options("BANK_ID", values, { signal }).catch(() => []) : [];
  return banks.find(({ id }) => id === bankId)?.name;
}

/** Returns the last digits, by which a customer knows an account or wallet. */
export function accountEnding(number: string | undefined): string | undefined {
  return number?.slice(-4);
}

/** Returns the phone number that identifies a wallet. */
export function phoneNumberIn(values: FieldValues): string | undefined {
  return Object.values(values).find(isPhoneNumber)?.number;
}

export function isPhoneNumber(value: unknown): value is PhoneNumber {
  return typeof value === "object" && value !== null && "number" in value && "countryPhoneCode" in value;
}

function timeOf({ createdAt }: { createdAt?: string | null }): number {
  return Date.parse(createdAt ?? "") || 0;
}
