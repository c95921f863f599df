declare const baseUrl: string, cardUrl: string, token: string;
declare const request: import("remitkit").TransferRequest;
declare function show(message: string): void;
declare function showNewQuote(): Promise<void>;
declare function showPrice(quote: import("remitkit").Quote): void;
declare function customerTriesAgain(error: import("remitkit").RemitError): Promise<boolean>;
declare function customerAgrees(quote: unknown, previous: unknown, less: number | bigint | undefined): Promise<boolean>;
declare module "remitkit/remitkit_core_bg.wasm" {
  const address: string;
  export default address;
}
