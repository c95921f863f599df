import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { AXE, axeProblems } from "./support/axe.mjs";
import { layoutFaults } from "./support/geometry.mjs";
import { toFilledAccount } from "./support/paths.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();
const NBSP = /\u00a0/g;

/** What stands below a control. */
async function noteOf(page, control) {
  const id = await control.getAttribute("aria-describedby");
  return page.locator(`#${id}`).innerText();
}

describe("a field's problem names the field and the fault", () => {
  for (const { locale, lines } of [
    {
      locale: "en-US",
      lines: {
        firstName: { Ana5: "First name can’t contain “5”.", "": "First name is missing." },
        EMAIL_ADDRESS: { "ana@": "Email must look like name@example.com." },
        PHONE_NUMBER: {
          12345: "Mobile phone number has at least 7 digits; this has 5.",
          "+1 555 123 4567": "Mobile phone number must have the country code +52.",
        },
      },
    },
    {
      locale: "es-MX",
      lines: {
        firstName: { Ana5: "“Nombre” no puede llevar “5”.", "": "Falta “Nombre”." },
        EMAIL_ADDRESS: { "ana@": "“Correo electrónico” debe ser como nombre@ejemplo.com." },
        PHONE_NUMBER: {
          12345: "“Teléfono móvil” lleva al menos 7 dígitos; aquí hay 5.",
          "+1 555 123 4567": "“Teléfono móvil” debe tener el código de país +52.",
        },
      },
    },
  ]) {
    test(`in ${locale}, with a summary that links to each`, async () => {
      await shop.inShop(async (checkout, page) => {
        await checkout.chooseRoute({ country: "MEX", method: "CASH_PICKUP" });
        await checkout.goOn("recipient");
        await page.locator(".field-form").waitFor();
        await checkout.fillForm();
        for (const [id, cases] of Object.entries(lines)) {
          const control = page.locator(`[data-field=${id}]`);
          for (const [text, says] of Object.entries(cases)) {
            await control.fill(text);
            await checkout.goOn();
            assert.equal(await noteOf(page, control), says);
            assert.equal(await page.evaluate(() => document.activeElement.dataset.field), id);
            assert.equal(await page.locator(".problem-summary").count(), 0, "one problem needs no summary");
          }
          await control.fill(id === "PHONE_NUMBER" ? "+52 55 1234 5678" : id === "EMAIL_ADDRESS" ? "" : "Ana");
        }
        // Its code beside the field is not held against who types it too.
        await page.locator("[data-field=lastName]").fill("");
        await page.locator("[data-field=firstName]").fill("");
        await checkout.goOn();
        const summary = page.locator(".problem-summary");
        assert.equal(await page.evaluate(() => document.activeElement.closest(".problem-summary") !== null), true);
        assert.equal(await summary.getByRole("link").count(), 2);
        assert.deepEqual(await layoutFaults(page), []);
        assert.deepEqual(await axeProblems(page), []);
        await page.keyboard.press("Tab");
        await page.keyboard.press("Tab");
        await page.keyboard.press("Enter");
        assert.equal(await page.evaluate(() => document.activeElement.dataset.field), "lastName");
        await page.keyboard.type("García");
        assert.equal(await summary.getByRole("link").count(), 1, "what is mended is not asked for");
        await page.locator("[data-field=firstName]").fill("Ana");
        await page.locator("[data-field=firstName]").press("Tab");
        assert.equal(await summary.count(), 0);
        const sent = page.waitForRequest((request) => request.method() === "POST" && request.url().endsWith("/v1/recipients"));
        await checkout.goOn("account");
        const phone = (await sent).postDataJSON().fields.find(({ id }) => id === "PHONE_NUMBER").value;
        assert.deepEqual(phone, { number: "5512345678", countryIso3Code: "MEX", countryPhoneCode: "52" });
      }, { locale, scripts: [AXE], viewport: { width: 320, height: 800 }, isMobile: true, hasTouch: true });
    });
  }

  for (const [locale, says] of Object.entries({ "en-US": "CLABE has 18 digits; this has 17.", "es-MX": "“CLABE” lleva 18 dígitos; aquí hay 17." })) {
    test(`problems of length count the digits, ${locale}`, async () => {
      await shop.inShop(async (checkout, page) => {
        await toFilledAccount(checkout);
        const number = page.locator("[data-field=BANK_ACCOUNT_NUMBER]");
        await number.fill("03218000011835971");
        await checkout.goOn();
        assert.equal(await noteOf(page, number), says);
      }, { locale });
    });
  }
});

describe("an amount is read by its locale, and problems show at its field", () => {
  const ROWS = [
    { locale: "en-US", typed: { "$300": "USD 300.00", "US$ 1,250.5": "USD 1,250.50", "300 USD": "USD 300.00" }, refused: { "1,5": "Use a point for decimals: 1.5", "3oo": "Use digits only, such as 1,250.00" } },
    { locale: "es-MX", typed: { "$300": "USD 300.00", "1,250.5": "USD 1,250.50" }, refused: { "1,5": "Usa punto para decimales: 1.5", "3oo": "Usa solo cifras, como 1,250.00" } },
    { locale: "es-ES", typed: { "1,5": "1,50 USD", "1.250,50 US$": "1250,50 USD", "300": "300,00 USD" }, refused: { "1.5": "Usa coma para decimales: 1,5" } },
  ];
  for (const { locale, typed, refused } of ROWS) {
    test(`in ${locale}`, async () => {
      await shop.inShop(async (checkout, page) => {
        const send = page.locator("#amount-send");
        for (const [text, amount] of Object.entries(typed)) {
          await send.fill(text);
          await checkout.priced();
          const shown = (await page.locator(".line.send dd").innerText()).replace(NBSP, " ");
          assert.equal(locale === "en-US" ? `USD ${shown.replace("$", "")}` : shown, amount);
          assert.equal(await send.getAttribute("aria-invalid"), null);
        }
        for (const side of ["send", "receive"]) {
          const control = page.locator(`#amount-${side}`);
          for (const [text, says] of Object.entries(refused)) {
            await control.fill(text);
            assert.equal(await noteOf(page, control), says);
            assert.equal(await control.getAttribute("aria-invalid"), "true");
            assert.equal(await page.locator(".field-note.problem").count(), 1);
          }
          await control.fill("200");
          await checkout.priced();
        }
        // What the shop fills in by itself is written so that it reads it again.
        const other = page.locator("#amount-receive");
        const before = await other.inputValue();
        await other.fill(before);
        await checkout.priced();
        assert.equal(await other.getAttribute("aria-invalid"), null);
      }, { locale });
    });
  }
});

describe("money in Spanish is a code and a number, everywhere", () => {
  for (const [locale, money] of Object.entries({ "es-MX": /^(USD|MXN) [\d,]+\.\d\d$/, "es-ES": /^[\d.]+,\d\d (USD|MXN)$/ })) {
    test(locale, async () => {
      await shop.inShop(async (checkout, page) => {
        assert.equal(await page.locator("html").getAttribute("lang"), locale);
        for (const line of ["send", "total", "receive"]) {
          assert.match((await page.locator(`.line.${line} dd`).innerText()).replace(NBSP, " "), money, line);
        }
        assert.doesNotMatch(await page.locator("main").innerText(), /\$/);
      }, { locale });
    });
  }
});

for (const [locale, words] of Object.entries({
  "en-US": { where: "Where should we send the money?", location: /^Main Square \(\$10 to \$500\)$/, rate: "Rate", keep: /you can look up this transfer/, address: "Address", savings: "Savings", rule: "Send twice with one quote." },
  "es-MX": { where: "¿A dónde enviamos el dinero?", location: /^Main Square \(de USD 10 a USD 500\)$/, rate: "Tipo de cambio", keep: /podrás consultar tu envío/, address: "Calle y número", savings: "Ahorros", rule: "Envía dos veces con el mismo precio." },
})) {
  test(`the checkout uses everyday words, ${locale}`, async () => {
    await shop.inShop(async (checkout, page) => {
      const text = async (locator) => (await locator.innerText()).replace(NBSP, " ");
      assert.equal(await text(page.locator(".line.rate dt")), words.rate);
      await page.locator(".trigger-picker summary").click();
      await page.locator("select[name=trigger]").selectOption("transfer TransferDuplicatedByQuote");
      assert.equal(await text(page.locator(".ways li").first()), words.rule);
      await checkout.chooseRoute({ country: "MEX", method: "BANK_ACCOUNT" });
      await checkout.goOn("recipient");
      await checkout.fillForm();
      const address = await page.locator("[data-field=ADDRESS_LINE_1]").getAttribute("id");
      assert.equal(await page.locator(`label[for=${address}]`).evaluate((label) => label.firstChild.data), words.address);
      await checkout.goOn("account");
      assert.equal(await text(page.locator("h1")), words.where);
      await page.locator(".stepper button").first().click();
      await toFilledAccount(checkout, { method: "CASH_PICKUP" });
      const options = async (id) => (await page.locator(`[data-field=${id}] option`).allTextContents()).map((option) => option.replace(NBSP, " "));
      assert.ok((await options("PAYER_LOCATION")).some((option) => words.location.test(option)), String(await options("PAYER_LOCATION")));
      await checkout.goOn("review");
      await checkout.readyToSend();
      await checkout.fillForm();
      assert.ok((await options("SOURCE_OF_FUNDS")).includes(words.savings));
      await checkout.goOn();
      await checkout.outcome();
      assert.match(await text(page.locator(".panel .done")), words.keep);
    }, { locale });
  });
}

test("typed amounts are rewritten for the chosen language", async () => {
  await shop.inShop(async (checkout, page) => {
    await page.locator("#amount-send").fill("1234,5");
    await checkout.priced();
    await page.locator("[data-language=en]").click();
    await page.waitForFunction(() => document.querySelector("#amount-send").value === "1,234.50");
    await checkout.priced();
    await page.locator("[data-language=es]").click();
    await page.waitForFunction(() => /^1\.?234,50$/.test(document.querySelector("#amount-send").value));
    await checkout.priced();
    await checkout.goOn("recipient");
  }, { locale: "es-ES" });
});
