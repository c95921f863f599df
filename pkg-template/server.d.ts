export { isRemitError, RemitError } from "./types/error.js";
export * from "./types/http.js";
export * from "./types/token-issuer.js";
export * from "./types/transfer-webhook.js";
