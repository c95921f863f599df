// The SDK and what would stand in its place, each opened on the same addresses.

import { answerWith } from "./network.js";
import { ID, SESSION } from "./samples.js";

const { apiUrl, cardUrl } = await fetch("/config").then((reply) => reply.json());

const load = (name) => import(`/apps/${name}/app.js`);

export const remitkit = await load("sdk");
// Before fetch is replaced: what is measured is a call whose part is there.
await remitkit.preload({ everything: true });
const mini = await load("mini");
const full = await load("full");
export const handBuilt = { mini, full };

/** A kit of the SDK; `baseUrl` where it is not the stub of the service. */
export function kit(baseUrl = apiUrl) {
  return remitkit.createRemitKit({ baseUrl, cardUrl, token: "token", journal: "memory", locale: "en-US" });
}

/** The client of a hand-built variant. Made after fetch was replaced, as it keeps the fetch that it finds. */
export function client(variant, baseUrl = apiUrl) {
  return handBuilt[variant].createClient({ baseUrl, token: "token", locale: "en-US" });
}

/** A mounted card form of the SDK or of a hand-built variant. */
export async function cardForm(variant, container) {
  // The SDK asks how the session stands.
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
