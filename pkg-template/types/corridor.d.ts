import type { Currency } from "./money.js";
import type { CallOptions } from "./remit-kit.js";
import type { Unlisted } from "./unlisted.js";

/** How the money is paid out. */
export type TransferMethod =
  "BANK_ACCOUNT" | "PUSH_TO_CARD" | "CASH_PICKUP" | "MOBILE_WALLET" | "ACCOUNT_FUNDING" | Unlisted;

/** A country as the service describes it. */
export interface Country {
  name: string;
  /** ISO 3166-1 alpha-3, such as `"MEX"`. */
  iso3Code: string;
  /** ISO 3166-1 alpha-2, such as `"MX"`. */
  iso2Code: string;
  /** The calling code, such as `"52"`. Present in a quote's country, absent in a corridor's. */
  phoneCode?: string | null;
}

/** An enabled route for money: a country, currencies and a transfer method. */
export interface Corridor {
  destinationCountry: Country;
  /** The currencies that can be paid in. */
  sourceCurrency: Currency[];
  /** The currencies that can be paid out. */
  destinationCurrency: Currency[];
  transferMethod: TransferMethod;
}

/** Which corridors to keep; an omitted member keeps all. Codes are three uppercase letters. */
export interface CorridorFilter {
  dstCountryIso3Code?: string | undefined;
  dstCurrencyIso3Code?: string | undefined;
  srcCurrencyIso3Code?: string | undefined;
  transferMethod?: TransferMethod | undefined;
}

/** The calls about corridors, as part of `RemitKit`. */
export interface CorridorCalls {
  /** Returns the enabled corridors that match the filter. */
  corridors(filter?: CorridorFilter, options?: CallOptions): Promise<Corridor[]>;
}
