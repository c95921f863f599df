type Error = import("remitkit").RemitError;
declare const baseUrl: string, cardUrl: string, token: string;
declare const request: import("remitkit").TransferRequest;
declare function show(message: string): void;
declare function showNewQuote(): Promise<void>;
declare function showPrice(quote: import("remitkit").Quote): void;
declare function customerTriesAgain(error: Error): Promise<boolean>;
declare function customerAgrees(quote: unknown, previous: unknown, less?: number | bigint): Promise<boolean>;
declare module "remitkit/remitkit_core_bg.wasm" {
  const address: string;
  export default address;
}
