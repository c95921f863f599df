/**
 * Imports Node's cryptography on demand: a static import would fail in a browser before the refusal is
 * thrown.
 */
export const loadCrypto = () => import("node:crypto");
