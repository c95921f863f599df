/**
 * Node's cryptography. Imported when it is needed, as a browser would fail over this address before it could
 * be told why.
 */
export const loadCrypto = () => import("node:crypto");
