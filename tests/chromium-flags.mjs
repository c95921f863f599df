/** The flags of every Chromium that tests start: it may run as root, and calls no other host. */
export const CHROMIUM_FLAGS = [
  "--no-sandbox",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/** How long a browser may take to start on a busy machine. */
export const START_MS = 120_000;
