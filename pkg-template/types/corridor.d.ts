import type { Corridor, TransferMethod } from "./records.js";
import type { CallOptions } from "./remit-kit.js";

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
