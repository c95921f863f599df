declare const baseUrl: string, cardUrl: string, token: string;
declare const createRemitKit: typeof import("remitkit").createRemitKit;
declare const remit: import("remitkit").RemitKit;
type Route = "dstCountryIso3Code" | "dstCurrencyIso3Code" | "transferMethod";
declare const price: import("remitkit").QuoteRequest;
declare const route: Pick<typeof price, Route>;
declare function show(message: string): void;
declare const place: HTMLElement;
