declare const request: import("remitkit").TransferRequest;
declare const createRemitKit: typeof import("remitkit").createRemitKit;
declare module "@playwright/test" {
  export const test: any;
}
