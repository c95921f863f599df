declare const baseUrl: string, cardUrl: string;
declare const route: Omit<import("remitkit").QuoteRequest, "quoteBy" | "amount">;
declare function show(message: string): void;
declare function addAccount(cardId: string): void;
