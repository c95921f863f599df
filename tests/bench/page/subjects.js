// The SDK and the hand-built code, opened at the same addresses.

import { answerWith } from "./network.js";
import { ID, SESSION } from "./samples.js";

const { apiUrl, cardUrl } = await fetch("/config").then((reply) => reply.json());

const load = (name) => import(`/apps/${name}/app.js`);

export const remitkit = await load("sdk");
// Before fetch is replaced: calls are measured with their part loaded.
await remitkit.preload({ everything: true });
const mini = await load("mini");
const full = await load("full");
export const handBuilt = { mini, full };

export function kit(baseUrl = apiUrl) {
  return remitkit.createRemitKit({ baseUrl, cardUrl, token: "token", journal: "memory", locale: "en-US" });
}

/** Must be called after fetch was replaced: the client keeps the fetch that it finds. */
export function client(variant, baseUrl = apiUrl) {
  return handBuilt[variant].createClient({ baseUrl, token: "token", locale: "en-US" });
}

export async function cardForm(variant, container) {
  // The SDK reads the session.
  answerWith(JSON.stringify(SESSION), 0);
  if (variant === "sdk") return (await sharedKit()).cardForm({ container, sessionId: ID });
  return handBuilt[variant].mountCardForm({ container, cardUrl, sessionId: ID });
}

let shared;

export function sharedKit() {
  shared ??= kit();
  return shared;
}

export const cardOrigin = new URL(cardUrl).origin;
