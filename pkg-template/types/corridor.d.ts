import type { Currency } from "./money.js";
import type { CallOptions } from "./remit-kit.js";
import type { Unlisted } from "./unlisted.js";

/** How the money is paid out. Open for values that come later. */
export type TransferMethod =
  "BANK_ACCOUNT" | "PUSH_TO_CARD" | "CASH_PICKUP" | "MOBILE_WALLET" | "ACCOUNT_FUNDING" | Unlisted;

/** A country as the service describes it. */
export interface Country {
  name: string;
  /** ISO 3166-1 alpha-3, such as `"MEX"`. */
  iso3Code: string;
  /** ISO 3166-1 alpha-2, such as `"MX"`. */
  iso2Code: string;
  /** The calling code, such as `"52"`. A quote's country has it, a corridor's has not. */
  phoneCode?: string | null;
}

/** A way for money to go that is enabled: a country, currencies and a transfer method. */
export interface Corridor {
  destinationCountry: Country;
  /** The currencies that can be paid in. */
  sourceCurrency: Currency[];
  /** The currencies that can be paid out. */
  destinationCurrency: Currency[];
  transferMethod: TransferMethod;
}

/** Which corridors to keep; a member that is left out keeps all. */
export interface CorridorFilter {
  /** Three uppercase letters. */
  dstCountryIso3Code?: string | undefined;
  /** Three uppercase letters. */
  dstCurrencyIso3Code?: string | undefined;
  /** Three uppercase letters. */
  srcCurrencyIso3Code?: string | undefined;
  transferMethod?: TransferMethod | undefined;
}

/** The calls about corridors. `RemitKit` has them. */
export interface CorridorCalls {
  /**
   * The corridors that are enabled, narrowed by the filter. In a list that repeats itself, rows that are the
   * same are one frozen object: copy a row before you change it.
   */
  corridors(filter?: CorridorFilter, options?: CallOptions): Promise<Corridor[]>;
}
