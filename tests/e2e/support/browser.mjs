import { chromium } from "playwright-core";
import { CHROMIUM_FLAGS } from "../../chromium-flags.mjs";

/** Starts Chromium without a window, and with more flags where a test needs them. */
export function launch(executablePath, flags = []) {
  return chromium.launch({ executablePath, headless: true, args: [...CHROMIUM_FLAGS, ...flags] });
}

/**
 * Opens a page in a context of its own and watches it. `page.seen` gathers console errors, uncaught errors,
 * policy violations, and every request with its body; `expectErrors` are patterns of console errors that the
 * test brings about itself.
 */
export async function openPage(browser, { viewport = { width: 1280, height: 900 }, expectErrors = [], scripts = [], ...context } = {}) {
  const opened = await browser.newContext({ viewport, locale: "en-US", reducedMotion: "reduce", ...context });
  opened.setDefaultTimeout(30_000);
  const seen = { errors: [], violations: [], requests: [] };
  await opened.exposeBinding("__violation", (_, violation) => seen.violations.push(violation));
  await opened.addInitScript(() => {
    addEventListener("securitypolicyviolation", (event) => {
      globalThis.__violation(`${event.violatedDirective} ${event.blockedURI} in ${location.origin}`);
    });
  });
  for (const script of scripts) await opened.addInitScript(script);
  const page = await opened.newPage();
  page.on("console", (message) => {
    if (message.type() !== "error" && message.type() !== "warning") return;
    const text = `${message.text()} (${message.location().url})`;
    if (!expectErrors.some((pattern) => pattern.test(text))) seen.errors.push(text);
  });
  page.on("pageerror", (error) => seen.errors.push(String(error)));
  page.on("request", (request) => {
    seen.requests.push({
      url: request.url(),
      method: request.method(),
      headers: request.headers(),
      body: request.postData() ?? "",
    });
  });
  return Object.assign(page, { seen });
}
