import { mkdir } from "node:fs/promises";
import { launch, openPage } from "./support/browser.mjs";
import { Checkout, GOOD_CARD, EXPIRING_CARD } from "./support/checkout.mjs";
import { readEnvironment } from "./support/environment.mjs";
import { AXE } from "./support/axe.mjs";
const env = readEnvironment("SHOP_URL", "CHROMIUM");
const out = "/tmp/w/sw/out"; await mkdir(out, { recursive: true });
const only = process.argv[2]?.split(",");
const browser = await launch(env.CHROMIUM);
const SC = {
  wide: { viewport: { width: 1280, height: 900 } },
  es360dark: { viewport: { width: 360, height: 800 }, isMobile: true, hasTouch: true, locale: "es-MX", colorScheme: "dark" },
  es320: { viewport: { width: 320, height: 800 }, isMobile: true, hasTouch: true, locale: "es-MX" },
  forced: { viewport: { width: 900, height: 900 }, forcedColors: "active" },
  esES: { viewport: { width: 1280, height: 900 }, locale: "es-ES" },
};
for (const [name, options] of Object.entries(SC)) {
  if (only && !only.includes(name)) continue;
  const page = await openPage(browser, { ...options, scripts: [AXE] });
  const c = new Checkout(page, env.SHOP_URL);
  const shot = async (step) => {
    await page.waitForTimeout(250);
    await page.screenshot({ path: `${out}/${name}-${step}.png`, fullPage: true });
    for (const frame of page.frames()) {
      const v = await frame.evaluate(() => globalThis.axe?.run(document, { resultTypes: ["violations"], iframes: false }).then((r) => r.violations.map((x) => `${x.id} (${x.impact}): ${x.nodes.map((n) => n.html.slice(0, 160)).join(" | ")}`))).catch(() => []);
      for (const one of v ?? []) console.log(`AXE ${name} ${step}: ${one}`);
    }
    if (process.env.ARIA) console.log(`--- ${name} ${step}\n${await page.locator("body").ariaSnapshot()}`);
  };
  await c.open();
  await shot("1amount");
  await page.locator("#amount-send").fill("1,5x"); await page.waitForTimeout(400); await shot("1amount-problem");
  await page.locator("#amount-send").fill("200"); await c.priced();
  await c.openProfile(); await shot("0profile"); await c.closeProfile("amount");
  await c.chooseRoute({ method: "PUSH_TO_CARD" });
  await c.goOn("recipient");
  await page.locator(".field-form").waitFor();
  await c.goOn(); await shot("2recipient-problems");
  await c.fillForm(); await shot("2recipient");
  await page.route(/\/v2\/add-card\//, (r) => r.abort("connectionrefused"));
  await c.goOn("account"); await c.notice("error").waitFor(); await shot("3card-unreachable");
  await page.unroute(/\/v2\/add-card\//);
  await c.notice("error").getByRole("button").first().click();
  await c.waitForEvent("READY"); await c.frame.locator("#verify").waitFor(); await shot("3card");
  await c.frame.locator("#card-number").fill("4242");
  await page.locator("[data-language]:not([aria-pressed=true])").click(); await shot("3card-language");
  await page.locator("[data-language]:not([aria-pressed=true])").click();
  await c.verifyCard(EXPIRING_CARD); await c.waitForEvent("CARD_VALIDATION_STOP_EXPIRED"); await shot("3card-expired");
  await page.locator(".card-room .notice button").click();
  await page.locator(".card-status[data-status=ready]").waitFor();
  await c.verifyCard(GOOD_CARD); await c.step("review"); await c.readyToSend(); await shot("4review");
  await c.send(); await c.outcome(); await shot("5done");
  await page.context().close();
}
await browser.close();
