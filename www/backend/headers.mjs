/** Returns the headers of every response. The policy allows only the two origins that the checkout needs. */
export function securityHeaders({ baseUrl, cardUrl }) {
  const policy = [
    "default-src 'none'",
    "script-src 'self' 'wasm-unsafe-eval'",
    `connect-src 'self' ${new URL(baseUrl).origin} ${new URL(cardUrl).origin}`,
    `frame-src ${new URL(cardUrl).origin}`,
    "style-src 'self'",
    "img-src 'self'",
    "require-trusted-types-for 'script'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ];
  return {
    "content-security-policy": policy.join("; "),
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
  };
}
