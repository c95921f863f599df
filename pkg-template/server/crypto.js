/** Imports Node's cryptography on demand: a static import would hide the refusal to run in a browser. */
export const loadCrypto = () => import("node:crypto");

export async function sha256(text) {
  const { createHash } = await loadCrypto();
  return createHash("sha256").update(text).digest("hex");
}
