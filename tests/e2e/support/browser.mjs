import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS, START_MS } from "../../chromium-flags.mjs";

/** A zone in which it is noon, or one o'clock, so that what comes in an hour comes today. UTC has a name. */
const hours = new Date().getUTCHours() - 12 || -1;
export const NOON_ZONE = `Etc/GMT${hours < 0 ? "-" : "+"}${Math.abs(hours)}`;

export function launch(executablePath, flags = []) {
  const args = [...CHROMIUM_FLAGS, ...flags];
  return chromium.launch({ executablePath, headless: true, args, timeout: START_MS });
}

/**
 * Opens a page in a new context. `page.seen` gathers its console errors, uncaught errors, policy violations,
 * and requests with their bodies. Console errors that match `expectErrors` are ignored.
 */
export async function openPage(browser, { expectErrors = [], scripts = [], ...options } = {}) {
  const viewport = { width: 1280, height: 900 };
  const defaults = { viewport, locale: "en-US", timezoneId: NOON_ZONE, reducedMotion: "reduce" };
  const context = await browser.newContext({ ...defaults, ...options });
  context.setDefaultTimeout(30_000);
  const seen = { errors: [], violations: [], requests: [] };
  await context.exposeBinding("__violation", (_, violation) => seen.violations.push(violation));
  await context.addInitScript(() => {
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      globalThis.__violation(`${violatedDirective} ${blockedURI} in ${location.origin}`);
    });
  });
  for (const script of scripts) await context.addInitScript(script);
  const page = await context.newPage();
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const text = `${message.text()} (${message.location().url})`;
    if (!expectErrors.some((pattern) => pattern.test(text))) seen.errors.push(text);
  });
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("request", (request) => {
    const [url, method, headers] = [request.url(), request.method(), request.headers()];
    seen.requests.push({ url, method, headers, body: request.postData() ?? "" });
  });
  return Object.assign(page, { seen });
}

/**
 * Advances a page's clock in steps of `seconds` until `isDone`, for half an hour at most. The replies to the
 * page's requests take real time: `pauseMs` per step.
 */
export async function passTimeUntil(page, isDone, { seconds = 1, pauseMs = 20 } = {}) {
  for (let passed = 0; passed < 1_800 && !(await isDone()); passed += seconds) {
    await page.clock.runFor(seconds * 1_000);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** Returns the POSTs of transfers that a page has made, oldest first. */
export function transferPosts(page) {
  return page.seen.requests.filter(({ method, url }) => method === "POST" && url.endsWith("/v1/transfers"));
}

/** Holds a page's POSTs of transfers on their way to the service, until the returned function is called. */
export async function holdTransferPosts(page) {
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await page.route(/\/v1\/transfers$/, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

export function isTransferPost(request) {
  return request.method() === "POST" && request.url().endsWith("/v1/transfers");
}
