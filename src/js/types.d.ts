/** The options of a kit. */
export interface RemitKitOptions {
  /** The service's base address, without `/v1`. */
  baseUrl: string;
  /** The card form's base address, of another origin than the page's. */
  cardUrl: string;
  locale?: string | null;
  timeoutMs?: number | null;
  senderId?: string | null;
}

/** What a page brings along. */
export interface Host {
  readonly origin?: string | undefined;
  /** Returns a string or the token endpoint's reply, as JSON text. */
  token(): Promise<string>;
  readonly journal: "session" | "local" | "memory" | JournalStore;
  /** Whether `diagnostic` is called as each request ends. */
  readonly isWatched: boolean;
  diagnostic?(entry: DiagnosticEntry): void;
}

/** A store for transfer attempts until their outcome is known. */
export interface JournalStore {
  get(key: string): Promise<string | null | undefined>;
  set(key: string, text: string): Promise<unknown>;
  delete(key: string): Promise<unknown>;
  keys(): Promise<string[]>;
}

export interface DiagnosticEntry {
  operation: string;
  method: string;
  attempt: number;
  status: number;
  durationMs: number;
  requestId?: string;
}

/** What every call rejects with, and what a method throws. */
export interface RemitError extends Error {
  readonly code: string;
  readonly kind: string;
  readonly userMessage: string;
  readonly resolution?: string;
  readonly retryable: boolean;
  readonly httpStatus?: number;
  readonly requestId?: string;
  /** The option or member at fault. */
  readonly option?: string;
  readonly problems?: FieldProblem[];
  readonly retryAfterMs?: number;
  readonly quote?: Quote;
  readonly previousQuote?: Quote;
  readonly difference?: QuoteDifference;
  readonly attempt?: string | TransferAttempt;
  readonly transfer?: Transfer;
}

export interface QuoteDifference {
  sendAmount?: MinorUnits;
  receiveAmount?: MinorUnits;
  totalCost?: MinorUnits;
}

export interface FieldProblem {
  fieldId: string;
  code: string;
  message: string;
  label?: string;
}

export type FieldOption = NonNullable<FieldDefinition["options"]>[number];

export interface TransferResult extends Transfer {
  /** Whether the reply was lost and the transfer was then found to have been made. */
  recovered: boolean;
}

/** What is known of a transfer attempt. */
export interface TransferRecord {
  quoteHistoryId: string;
  nonce: string;
  createdAt: number;
  state: string;
  expiresAt?: number;
  paymentId?: string;
  transferId?: string;
  details?: Record<string, unknown>;
}

/** A step of a transfer to a card: what was done, or what is asked for by ACCOUNT_FIELDS, CARD and DETAILS. */
export type PushToCardStep =
  | { type: "CORRIDOR"; corridor: Corridor }
  | { type: "ACCOUNT_FIELDS"; fields: FieldForm }
  | { type: "CARD" | "DETAILS" }
  | { type: "RECIPIENT_ACCOUNT"; recipientAccount: RecipientAccount }
  | { type: "QUOTE"; quote: Quote }
  | { type: "TRANSFER"; attempt: TransferAttempt };

export interface CardFormOptions {
  sessionId?: string | null;
  /** As JSON text. */
  theme?: string | null;
  title?: string | null;
  height?: number | null;
  loadTimeoutMs?: number | null;
}

export interface CardFormState {
  sessionId: string;
  url: string;
  expirationDate: string;
}

export type CardFormListener = (
  ...event:
    | [type: "READY" | "CARD_VALIDATION_START" | "CARD_VALIDATION_STOP_SUCCESS", detail: undefined]
    | [type: "CARD_VALIDATION_STOP_FAIL" | "CARD_VALIDATION_STOP_EXPIRED", detail: undefined]
    | [type: "LOAD_FAILED", detail: { reason: string; directive?: string; hasLoaded?: true }]
    | [type: "COMPLETED", detail: { cardId: string; sessionId: string }]
    | [type: "FAILED", detail: RemitError]
) => void;

export interface PhoneNumber {
  number: string;
  countryIso3Code: string;
  countryPhoneCode?: string | null;
}

/** A whole number of minor units: a `bigint` beyond 2^53. */
export type MinorUnits = number | bigint;

/** Legal texts, whose shape the interface does not define. */
export type Disclosures = unknown[];

/** A value that this version does not list. */
export type Unlisted = string & {};

