import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { MOST_MOVED, moved, takeBudget, watchBudget } from "./support/budget.mjs";
import { passTimeUntil } from "./support/clock.mjs";
import { EXPIRING_CARD, GOOD_CARD, REFUSED_CARD } from "./support/checkout.mjs";
import { layoutFaults } from "./support/geometry.mjs";
import { toCardForm, toCardReview } from "./support/paths.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const MESSAGES = [
  "CARD_VALIDATION_START",
  "CARD_VALIDATION_STOP_SUCCESS",
  "CARD_VALIDATION_STOP_FAIL",
  "CARD_VALIDATION_STOP_EXPIRED",
];

test("a refused card is reported, and another one goes through", async () => {
  await shop.inShop(async (checkout, page) => {
    await toCardForm(checkout);
    await checkout.verifyCard(REFUSED_CARD);
    await checkout.waitForEvent("CARD_VALIDATION_STOP_FAIL");
    assert.match(await page.locator(".card-status").innerText(), /could not be verified/);
    await checkout.verifyCard(GOOD_CARD);
    await checkout.step("review");
    await checkout.send();
    await checkout.outcome();
  });
});

test("an expired session leads to a new form in the same place", async () => {
  await shop.inShop(async (checkout, page) => {
    await toCardForm(checkout);
    const first = await page.locator(".card-frame iframe").getAttribute("src");
    await checkout.verifyCard(EXPIRING_CARD);
    await checkout.waitForEvent("CARD_VALIDATION_STOP_EXPIRED");
    await page.getByRole("button", { name: "New form" }).click();
    await page.locator(".card-status[data-status=ready]").waitFor();
    const second = await page.locator(".card-frame iframe").getAttribute("src");
    assert.notEqual(new URL(second).pathname, new URL(first).pathname);
    await checkout.verifyCard(GOOD_CARD);
    await checkout.step("review");
  });
});

test("a form that never loads is reported, and can be loaded again", async () => {
  await shop.inShop(async (checkout, page) => {
    await page.route(/\/v2\/add-card\//, () => {});
    await page.clock.install();
    await checkout.chooseRoute({ method: "PUSH_TO_CARD" });
    await checkout.goOn("recipient");
    await checkout.fillForm();
    await checkout.goOn("account");
    const notice = checkout.notice("error");
    await passTimeUntil(page, () => notice.count());
    assert.deepEqual(await checkout.events(), ["LOAD_FAILED"]);
    await page.clock.resume();
    assert.deepEqual(await layoutFaults(page), []);
    await page.unroute(/\/v2\/add-card\//);
    await checkout.waitForEvent("READY");
    assert.equal(await notice.count(), 0);
    const first = await page.locator(".card-frame iframe").getAttribute("src");
    await page.getByText("Card form not showing?").click();
    await page.getByRole("button", { name: "Load the form again" }).click();
    await page.waitForFunction((before) => document.querySelector(".card-frame iframe").src !== before, first);
  }, { viewport: { width: 320, height: 800 }, expectErrors: [/net::ERR_/] });
});

const WORDS = {
  "en-US": { help: "Card form not showing?", reload: "Load the form again", ready: /ready/i, enter: /^Enter the card’s details/, another: "Choose another way to receive" },
  "es-MX": { help: "¿No aparece el formulario?", reload: "Cargar el formulario de nuevo", ready: /list[oa]/i, enter: /^Ingresa los datos de la tarjeta/, another: "Elegir otra forma de recibir" },
};

for (const [locale, words] of Object.entries(WORDS)) {
  test(`a frame's load alone does not count as ready, ${locale}`, async () => {
    await shop.inShop(async (checkout, page) => {
      // The server answers, and the browser shows a page of its own: "refused to connect".
      await page.route(/\/v2\/add-card\//, (route) => route.fulfill({ status: 200, headers: { "x-frame-options": "DENY" }, body: "" }));
      await toCardForm(checkout);
      assert.doesNotMatch(await page.locator("main").innerText(), words.ready);
      assert.match(await page.locator(".card-status").innerText(), words.enter);
      // Neither a reload nor the page's own log stands in the way of who has a form.
      assert.equal(await page.getByRole("button", { name: words.reload }).isVisible(), false);
      assert.equal(await page.locator(".events").isVisible(), false);
      assert.deepEqual(await page.locator(".card-status button:visible").count(), 0);
      await page.unroute(/\/v2\/add-card\//);
      await page.getByText(words.help).click();
      await page.getByRole("button", { name: words.reload }).press("Enter");
      // What was pressed is gone, and the keyboard stands where it is said how far the form is.
      assert.equal(await page.evaluate(() => document.activeElement.closest(".card-status") !== null), true);
      await checkout.verifyCard(GOOD_CARD);
      await checkout.step("review");
    }, { locale, expectErrors: [/X-Frame-Options|refused to (connect|display)/i] });
  });

  test(`a card form that does not load leaves other ways to go on, ${locale}`, async () => {
    await shop.inShop(async (checkout, page) => {
      await page.route(/\/v2\/add-card\//, (route) => route.abort("connectionrefused"));
      await checkout.chooseRoute({ method: "PUSH_TO_CARD" });
      await checkout.goOn("recipient");
      await checkout.fillForm();
      await checkout.goOn("account");
      const notice = checkout.notice("error");
      await notice.waitFor();
      // Said once: neither by the line above nor by the browser's page below.
      assert.equal(await page.locator(".card-status p").isVisible(), false);
      assert.equal(await page.locator(".card-frame iframe").isVisible(), false);
      // On a phone no empty room stands where the form would be.
      const [room, said] = await Promise.all([page.locator(".card-room"), notice].map((one) => one.boundingBox()));
      assert.ok(room.height < said.height + 40, `${room.height} px for a notice of ${said.height}`);
      assert.doesNotMatch(await page.locator("main").innerText(), words.ready);
      const [title, text] = await notice.locator("p").allInnerTexts();
      assert.ok(title && text && title !== text, `${title} / ${text}`);
      await notice.getByRole("button", { name: words.another }).press("Enter");
      await checkout.step("amount");
      await page.locator("input[name=method][value=BANK_ACCOUNT]").check();
      await checkout.goOn("recipient");
    }, { locale, viewport: { width: 320, height: 640 }, expectErrors: [/net::ERR_/] });
  });
}

test("a form that a lost connection kept out opens on reconnecting", async () => {
  await shop.inShop(async (checkout, page) => {
    await checkout.chooseRoute({ method: "PUSH_TO_CARD" });
    await checkout.goOn("recipient");
    await checkout.fillForm();
    await page.route(/\/v2\/add-card\//, async (route) => {
      await page.context().setOffline(true);
      await route.abort("internetdisconnected");
    });
    await checkout.goOn("account");
    const notice = checkout.notice("error");
    await notice.waitFor();
    assert.match(await notice.innerText(), /You’re offline.*opens by itself/s);
    await page.unroute(/\/v2\/add-card\//);
    await page.context().setOffline(false);
    await checkout.verifyCard(GOOD_CARD);
    await checkout.step("review");
  }, { expectErrors: [/net::ERR_/] });
});

test("an unreachable form server is reported, and trying again works", async () => {
  await shop.inShop(async (checkout, page) => {
    await page.route(/\/v2\/add-card\//, (route) => route.abort("connectionrefused"));
    await checkout.chooseRoute({ method: "PUSH_TO_CARD" });
    await checkout.goOn("recipient");
    await checkout.fillForm();
    await checkout.goOn("account");
    await checkout.waitForEvent("LOAD_FAILED");
    assert.deepEqual(await checkout.events(), ["LOAD_FAILED"]);
    await page.unroute(/\/v2\/add-card\//);
    await checkout.notice("error").getByRole("button", { name: "Try again" }).click();
    await checkout.waitForEvent("READY");
    await checkout.verifyCard(GOOD_CARD);
    await checkout.step("review");
  }, { expectErrors: [/net::ERR_/] });
});

test("an account refused after verification is shown without layout shift", async () => {
  await shop.inShop(async (checkout, page) => {
    await toCardForm(checkout);
    const headers = { "access-control-allow-origin": "*" };
    const json = [{ code: "BillingAndDestinationCurrencyCodeDiscrepancyError", message: "The card takes another currency." }];
    await page.route(/\/accounts$/, async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      await route.fulfill({ status: 400, headers, json });
    });
    await takeBudget(page);
    await checkout.verifyCard(GOOD_CARD);
    const notice = checkout.notice("error");
    await notice.waitFor();
    const { shifts } = await takeBudget(page);
    assert.ok(moved(shifts) <= MOST_MOVED, JSON.stringify(shifts));
    assert.deepEqual(await layoutFaults(page), []);
    await page.unroute(/\/accounts$/);
    await notice.getByRole("button", { name: "Use another card" }).click();
    await page.locator(".card-status[data-status=ready]").waitFor();
    await checkout.verifyCard(GOOD_CARD);
    await checkout.step("review");
  }, { viewport: { width: 320, height: 800 }, scripts: [watchBudget], expectErrors: [/status of 400 .*\/accounts/] });
});

test("messages forged by the page or by another frame have no effect", async () => {
  await shop.inShop(async (checkout, page) => {
    await toCardForm(checkout);
    const events = await checkout.events();

    // The page itself, by message and by made-up event with the right origin and source.
    await page.evaluate(
      ({ messages, origin }) => {
        const source = document.querySelector(".card-frame iframe").contentWindow;
        for (const data of messages) {
          window.postMessage(data, "*");
          window.dispatchEvent(new MessageEvent("message", { data, origin, source }));
        }
      },
      { messages: MESSAGES, origin: new URL(shop.cardUrl).origin },
    );

    // A frame of the shop's own origin, and one of the card form's origin that is not the form in use.
    for (const address of ["about:blank", `${shop.cardUrl}/v2/add-card/${randomUUID()}`]) {
      const frame = await addFrame(page, address);
      await frame.evaluate((messages) => {
        for (const data of messages) window.parent.postMessage(data, "*");
      }, MESSAGES);
    }

    await page.waitForTimeout(500);
    assert.deepEqual(await checkout.events(), events);
    assert.equal(await page.locator("html").getAttribute("data-step"), "account");
    assert.equal(page.seen.requests.filter((request) => request.method === "POST" && request.url.endsWith("/accounts")).length, 0);

    await checkout.verifyCard(GOOD_CARD);
    await checkout.step("review");
    // The frame that shows an unknown session may say so on the console; the shop itself says nothing.
  }, { expectErrors: [/\/v2\/add-card\//] });
});

async function addFrame(page, address) {
  const handle = await page.evaluateHandle((src) => {
    const frame = document.createElement("iframe");
    frame.src = src;
    document.body.append(frame);
    return frame;
  }, address);
  const frame = await handle.asElement().contentFrame();
  await frame.waitForLoadState("load");
  return frame;
}

test("the card number goes to the card form's server and nowhere else", async () => {
  await shop.inShop(async (checkout, page) => {
    await toCardReview(checkout);
    await checkout.send();
    await checkout.outcome();

    const grouped = GOOD_CARD.replace(/(\d{4})(?=\d)/g, "$1[ +%20-]*");
    const number = new RegExp(grouped);
    const carrying = page.seen.requests.filter((request) => number.test(`${request.url} ${JSON.stringify(request.headers)} ${request.body}`));
    assert.equal(carrying.length, 1, "exactly one request carries the number");
    assert.equal(new URL(carrying[0].url).origin, new URL(shop.cardUrl).origin);
    assert.equal(carrying[0].method, "POST");
    assert.doesNotMatch(carrying[0].url, number);

    const kept = await page.evaluate(() =>
      [
        document.documentElement.outerHTML,
        ...[...document.querySelectorAll("input")].map((input) => input.value),
        JSON.stringify(localStorage),
        JSON.stringify(sessionStorage),
        document.cookie,
        location.href,
        JSON.stringify(history.state),
      ].join("\n"),
    );
    assert.doesNotMatch(kept, number);
    assert.ok(kept.length > 1_000);
  });
});

for (const { locale, title, about, frame, step } of [
  { locale: "en-US", title: "Ana María García’s debit card", about: /debit card in Mexican pesos, such as one issued in Mexico/, frame: /Ana María García’s debit card/, step: "Their card" },
  { locale: "es-MX", title: "Tarjeta de débito de Ana María García", about: /de débito, en pesos mexicanos, por ejemplo emitida en México/, frame: /tarjeta de débito de Ana María García/, step: "Su tarjeta" },
]) {
  test(`the card step says whose card it wants and which are accepted, ${locale}`, async () => {
    await shop.inShop(async (checkout, page) => {
      await toCardForm(checkout);
      assert.equal(await page.locator("h1").innerText(), title);
      assert.match(await page.locator(".step-head p").innerText(), about);
      assert.match(await page.locator(".card-frame iframe").getAttribute("title"), frame);
      assert.equal(await page.locator(".step.current .step-name").innerText(), step);
      // Not the card of whoever sits there.
      const inputs = checkout.frame.locator("#form input");
      await inputs.first().waitFor();
      assert.deepEqual(await inputs.evaluateAll((all) => all.map((input) => input.autocomplete)), ["off", "off", "off", "off"]);
    }, { locale });
  });
}

const LANGUAGES = [
  { locale: "en-US", other: "es", says: /El formulario de la tarjeta sigue en inglés/, change: "Borrarlo y mostrarlo en español", lng: "es-MX" },
  { locale: "es-MX", other: "en", says: /The card form is still in Spanish/, change: "Clear it and show it in English", lng: "en" },
];

for (const { locale, other, says, change, lng } of LANGUAGES) {
  test(`changing the language from ${locale} keeps the card form's input`, async () => {
    await shop.inShop(async (checkout, page) => {
      await toCardForm(checkout);
      const number = checkout.frame.locator("#card-number");
      await number.fill("4242");
      await page.locator(`[data-language=${other}]`).click();
      const notice = checkout.notice("info");
      assert.match(await notice.innerText(), says);
      await page.emulateMedia({ colorScheme: "dark" });
      assert.equal(await number.inputValue(), "4242");
      assert.deepEqual(await layoutFaults(page), []);
      await page.locator(`[data-language=${other === "es" ? "en" : "es"}]`).click();
      await notice.waitFor({ state: "detached" });
      await page.locator(`[data-language=${other}]`).click();
      await notice.getByRole("button", { name: change }).press("Enter");
      await checkout.frame.locator(`html[lang=${lng}]`).waitFor();
      assert.equal(await notice.count(), 0);
      assert.equal(await page.evaluate(() => document.activeElement.closest(".card-status") !== null), true);
      await checkout.verifyCard(GOOD_CARD);
      await checkout.step("review");
    }, { locale, viewport: { width: 320, height: 800 }, isMobile: true, hasTouch: true });
  });
}
