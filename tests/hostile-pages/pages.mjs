// The pages: what each loads before the package, and what it does to the page.

import { existsSync } from "node:fs";
import { join } from "node:path";

const installed = (path) => join(import.meta.dirname, "node_modules", path);
/** Libraries that Debian has and npm has not. */
const PROTOTYPE = process.env.REMITKIT_PROTOTYPE ?? "/usr/share/javascript/prototype/prototype.js";
const MOOTOOLS = process.env.REMITKIT_MOOTOOLS ?? "/usr/share/javascript/mootools/mootools-core-nc.js";

/** As monitoring scripts do: adds headers to each request, and reads a copy of each reply. */
const MONITOR = `
const engineFetch = window.fetch;
window.fetch = async function (input, init = {}) {
  const headers = new Headers(init.headers);
  headers.set("traceparent", "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01");
  headers.set("baggage", "userId=alice");
  headers.set("x-datadog-origin", "rum");
  const reply = await engineFetch.call(this, input, { ...init, headers });
  reply.clone().text().catch(() => {});
  return reply;
};`;

/** As wrappers that look at what is read of a reply. */
const OBSERVER = `
const engineFetch = window.fetch;
window.fetch = async function (...call) {
  return new Proxy(await engineFetch.apply(this, call), {
    get(reply, name) {
      const value = reply[name];
      return typeof value === "function" ? value.bind(reply) : value;
    },
  });
};`;
/** As polyfills of `fetch`, whose replies have no stream, and pages with a `Response` of their own. */
const STREAMLESS = `
const engineFetch = window.fetch;
window.fetch = async function (...call) {
  const reply = await engineFetch.apply(this, call);
  const { status, ok, url, headers } = reply;
  const content = await reply.arrayBuffer();
  return { status, ok, url, headers, arrayBuffer: async () => content };
};
window.Response = function Response() {};`;

/** As old libraries and careless polyfills do. */
const CARELESS = `
Array.prototype.toJSON = String.prototype.toJSON = Date.prototype.toJSON = function () { return "patched"; };
Object.defineProperty(Object.prototype, "toJSON", { value: () => "patched", configurable: true, writable: true });
Array.prototype.remove = function () {};
Element.prototype.remove = function () { this.parentNode.removeChild(this); return this; };
Array.from = (list) => Array.prototype.slice.call(list);`;

/** As generators of service workers write it: the network first, else what the cache has, for every GET. */
export const workerThat = (matches) => `
addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));
addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith((async () => {
    const cache = await caches.open("all");
    try {
      const reply = await fetch(event.request);
      await cache.put(event.request, reply.clone()).catch(() => {});
      return reply;
    } catch (error) {
      const kept = await cache.match(event.request, ${matches});
      if (kept) return kept;
      throw error;
    }
  })());
});`;
const REGISTER = `window.ready = navigator.serviceWorker.register("/worker.js").then(() =>
  navigator.serviceWorker.controller || new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve)));`;

/** Of each page: `files` are its scripts, `script` runs after them, `headers` come with it. */
export const PAGES = {
  "without libraries": {},
  "Prototype 1.7": { files: [PROTOTYPE] },
  MooTools: { files: [MOOTOOLS] },
  // WebDriver hands on a page's values by its `toJSON`.
  "careless polyfills": { script: CARELESS, isUnreadableIn: "firefox" },
  "zone.js": { files: [installed("zone.js/bundles/zone.umd.min.js")] },
  "core-js": { files: [installed("core-js-bundle/minified.js")] },
  "a monitor that patches fetch": { script: MONITOR },
  "proxies of replies": { script: OBSERVER },
  "replies without a stream": { script: STREAMLESS },
  "SES, locked down": { files: [installed("ses/dist/ses.umd.min.js")], script: 'lockdown({ overrideTaming: "min" });' },
  "a caching service worker": { script: REGISTER },
  Vue: { files: [installed("vue/dist/vue.global.prod.js")], script: "window.framework = Vue;" },
  Alpine: { files: [installed("alpinejs/dist/cdn.min.js")], script: "window.framework = Alpine;" },
  "COEP require-corp": { headers: { "cross-origin-embedder-policy": "require-corp" }, hasNoCardForm: "firefox" },
};

/** Returns the library that this machine lacks, if any. */
export const missingFile = ({ files = [] }) => files.find((file) => !existsSync(file));
