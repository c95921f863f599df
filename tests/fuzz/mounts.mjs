// The third proof: the card form is mounted and destroyed repeatedly, and leaves nothing behind.

import { Chance } from "../chaos/chance.mjs";
import { ID, REQUESTS } from "./samples.mjs";

const CONCURRENT = 4;
const READY_MS = 20_000;
const SUCCEEDED = { id: ID, status: "SUCCEEDED", expirationDate: "2030-01-01T00:00:00Z", cardId: ID };

const timers = new Set();

/** Counts the timers of the page that are pending. */
function countTimers() {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  globalThis.setTimeout = (call, ms, ...args) => {
    const id = set(() => (timers.delete(id), call(...args)), ms);
    timers.add(id);
    return id;
  };
  globalThis.clearTimeout = (id) => (timers.delete(id), clear(id));
}

let isCounting = false;

/** Mounts the forms `from` up to `to`; returns the failures, and what is left and should not be. */
export async function mountForms({ seed, from, to, module, memory, service, container }) {
  if (!isCounting) countTimers();
  isCounting = true;
  service.behave = ({ path }) =>
    path.startsWith("/v1/card-onboarding-sessions/") ? { body: JSON.stringify(SUCCEEDED) } : {};
  const kit = await module.createRemitKit(REQUESTS.options("memory"));
  let next = from;
  let faults = 0;
  const lane = async () => {
    while (next < to) {
      const at = next++;
      try {
        await mountOnce(kit, container, new Chance(seed, `mount/${at}`));
      } catch (error) {
        faults += 1;
        console.error(at, error);
      }
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, lane));
  await kit.destroy();
  service.take();
  const elements = container.childElementCount;
  return { faults, timers: timers.size, elements, wasmBytes: memory.buffer.byteLength };
}

async function mountOnce(kit, container, chance) {
  const form = await kit.cardForm({ container, theme: { lng: chance.pick(["en", "es-MX"]) } });
  const event = (type) => new Promise((resolve) => form.on(type, resolve));
  const kind = chance.between(0, 5);
  const ready = event("READY");
  // Some are destroyed before they have loaded.
  if (kind > 0) await within(ready, "READY");
  if (kind === 2) {
    const again = event("READY");
    form.update({ theme: { primary: "#0a7", lng: "es-MX" } });
    await within(again, "READY again");
  }
  if (kind === 3) await form.renew();
  if (kind === 4) for await (const { type } of form) if (type === "CARD_VALIDATION_START") break;
  if (kind === 5) await within(Promise.race([form.completed, event("CARD_VALIDATION_STOP_FAIL")]), "an end");
  form.destroy();
}

async function within(promise, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(reject, READY_MS, new Error(`${what} did not arrive`));
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
