declare const baseUrl: string, cardUrl: string, token: string;
declare const createRemitKit: typeof import("remitkit").createRemitKit;
declare const isRemitError: typeof import("remitkit").isRemitError;
declare const remit: import("remitkit").RemitKit;
declare function show(message: string): void;
