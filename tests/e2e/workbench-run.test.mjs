import assert from "node:assert/strict";
import { test } from "node:test";
import { AXE, axeProblems } from "./support/axe.mjs";
import { shopSuite } from "./support/suite.mjs";
import { BROUGHT_ABOUT, benchOf, mustBeCode } from "./support/workbench.mjs";

const GOOD_CARD = "4111111111111111";
const shop = shopSuite();
const atTheBench = benchOf(shop);

const WORDS = {
  "en-US": {
    headings: ["Scenarios", "Hosted card form", "Theme", "Timeline", "Content security policy"],
    contents: "On this page",
    lost: "The answer to a transfer is lost",
    nothing: /Nothing to handle: the SDK settled it by itself\./,
    verdict: "As expected",
    changed: /^The price has changed\./,
    sides: ["Expected", "Result"],
    parts: ["The call", "The calls before it", "The code that handles it", "Requests and replies, redacted (N)", "The request with curl"],
    docs: /^In the documentation:/,
  },
  "es-MX": {
    headings: ["Escenarios", "Formulario de tarjeta", "Tema", "Cronología", "Política de seguridad de contenido"],
    contents: "En esta página",
    lost: "Se pierde la respuesta a un envío",
    nothing: /No hay nada que manejar: el SDK lo ha resuelto por sí mismo\./,
    verdict: "Como se esperaba",
    changed: /^El precio cambió\./,
    sides: ["Se esperaba", "Resultado"],
    parts: ["La llamada", "Las llamadas anteriores", "El código que lo maneja", "Solicitudes y respuestas, sin datos personales (N)", "La solicitud con curl"],
    docs: /^En la documentación:/,
  },
};

for (const [locale, words] of Object.entries(WORDS)) {
  test(`scenarios come first, and one press shows a result, ${locale}`, async () => {
    await atTheBench(async (_, page) => {
      const headings = await page.locator("main h2").allInnerTexts();
      assert.deepEqual(headings, words.headings);
      // Without scrolling: what there is, and what to press.
      for (const shown of [page.getByRole("navigation", { name: words.contents }), page.getByRole("button", { name: words.lost })]) {
        const { y, height } = await shown.boundingBox();
        assert.ok(y + height <= 720, `in sight at once: ${await shown.innerText()}`);
      }
      for (const link of await page.locator(".contents a").all()) {
        assert.equal(await page.locator(await link.getAttribute("href")).count(), 1);
      }
      await page.getByRole("button", { name: words.lost }).click();
      await page.locator(".outcome-view[data-expected]").waitFor();
      assert.equal(await page.locator("select[name=scenario]").inputValue(), "fault drop after");
      assert.equal(await page.locator("[data-fact=recorded] dd").innerText(), "1");
      assert.match(await page.locator(".run").innerText(), words.nothing);
    }, { viewport: { width: 1440, height: 720 }, locale, ...BROUGHT_ABOUT });
  });

  test(`a run shows the expected and actual result and its code, ${locale}`, async () => {
    await atTheBench(async (bench, page) => {
      await bench.run("transfer QuoteAmountChanged");
      const side = (name) => page.locator(`[data-side=${name}] dd`).innerText();
      assert.deepEqual([await side("expected"), await side("result")], ["QuoteAmountChanged", "QuoteAmountChanged"]);
      assert.equal(await page.locator(".verdict").innerText(), words.verdict);
      assert.match(await page.locator(".customer-words").innerText(), words.changed);
      assert.deepEqual(await page.locator(".compared dt").allInnerTexts(), words.sides);
      const parts = await page.locator(".run h3").allInnerTexts();
      assert.deepEqual(parts.map((title) => title.replace(/\d+/, "N")), words.parts);
      assert.match(await page.locator(".run-docs").innerText(), words.docs);

      const call = await bench.part("call");
      const before = await bench.part("before");
      assert.match(before, /^const \{ recipientId \} = await remit\.createRecipient\(/m);
      assert.match(before, /^const \{ quoteHistoryId \} = await remit\.quote\(\{\n {2}dstCountryIso3Code: "MEX",$/m);
      assert.match(call, /^const request = \{[^}]*\n {2}quoteHistoryId,\n\};\nawait remit\.transfer\(request\);$/);
      mustBeCode(`${before}\n${call}`);
      const handled = await bench.part("catch");
      mustBeCode(handled);
      assert.match(handled, /await remit\.transfer\(request\);\n\} catch \(error\) \{\n {2}if \(!isRemitError\(error\)\) throw error;\n {2}if \(error\.resolution === "fetch_new_quote"\)/);

      const wire = await bench.part("wire");
      assert.match(wire, /POST http:\/\/[^/]+\/v1\/transfers\nauthorization: Bearer \$TOKEN\n/);
      assert.match(wire, /"quoteHistoryId": "<quoteHistoryId>"/);
      assert.match(wire, /→ 400\n\n(.|\n)*"code": "QuoteAmountChanged"/);
      assert.match(await bench.part("curl"), /^curl -X POST 'http:\/\/[^']+\/v1\/transfers' \\\n {2}-H "authorization: Bearer \$TOKEN"(.|\n)* {2}-d '\{.*"quoteHistoryId":"<quoteHistoryId>"/);
    }, { locale, ...BROUGHT_ABOUT });
  });
}

test("each starter scenario gives the result it expects", async () => {
  await atTheBench(async (_, page) => {
    const first = page.locator(".first button");
    assert.equal(await first.count(), 5);
    for (const one of await first.all()) {
      const before = await page.locator(".outcome-view").elementHandle({ timeout: 1 }).catch(() => null);
      await one.click();
      await page.waitForFunction((before) => { const view = document.querySelector(".outcome-view"); return view && view !== before; }, before);
      assert.equal(await page.locator(".outcome-view[data-expected]").count(), 1, await one.innerText());
    }
  }, BROUGHT_ABOUT);
});

test("a refused field's code shows its cause and reports at the field", async () => {
  await atTheBench(async (bench) => {
    await bench.run("createRecipient RecipientInvalidPhoneNumber");
    const call = await bench.part("call");
    assert.match(call, /"4711"/);
    assert.match(call, /\{ id: "firstName", value: "<firstName>" \}/);
    assert.match(await bench.part("catch"), /showAtField\(fieldId, message\)/);
    await bench.run("createRecipient InvalidRecipientName");
    assert.doesNotMatch(await bench.part("call"), /lastName/);
  }, BROUGHT_ABOUT);
});

test("the code handles a form's messages as events", async () => {
  await atTheBench(async (bench) => {
    await bench.chooseSort("cards");
    await bench.run("session silent");
    assert.match(await bench.part("call"), /^const form = await remit\.cardForm\(\{\n {2}container: "#card",$/m);
    assert.match(await bench.part("catch"), /^form\.on\("READY"/);
  }, BROUGHT_ABOUT);
});

test("every kind of outcome links to its documentation", async () => {
  await atTheBench(async (bench, page) => {
    const found = new Map();
    const runs = { errors: ["transfer QuoteAmountChanged", "transfer RecipientNotFound", "transfer TransferDuplicatedByQuote"], cards: ["session silent"], faults: ["fault status always", "fault status unauthorized", "fault drop after", "fault status once"], clock: ["clock session", "clock token"] };
    for (const [sort, ids] of Object.entries(runs)) {
      await bench.chooseSort(sort);
      for (const id of ids) {
        await bench.run(id);
        for (const link of await page.locator(".run-docs a").all()) found.set(new URL(await link.getAttribute("href"), page.url()).href, await link.innerText());
      }
    }
    assert.ok(found.size >= 10, [...found.keys()].join(" "));
    for (const [href, title] of found) {
      await page.goto(href);
      assert.equal(await page.locator(":target").innerText(), title);
    }
  }, BROUGHT_ABOUT);
});

test("a run names no token, person, account or id", async () => {
  await atTheBench(async (bench, page) => {
    const texts = [];
    for (const id of ["transfer TransferDuplicatedByQuote", "createRecipient InvalidRecipientName", "updateSender InvalidSenderName", "transfer RecipientAccountNotFound"]) {
      await bench.run(id);
      texts.push(await page.locator(".run").evaluate((run) => run.textContent));
    }
    await bench.chooseSort("cards");
    await bench.run(`card ${GOOD_CARD}`, () => bench.fillCard({ number: GOOD_CARD, name: "Aurelia Quintana" }));
    texts.push(await page.locator(".run").evaluate((run) => run.textContent));
    const text = texts.join("\n");
    const tokens = new Set(page.seen.requests.map(({ headers }) => headers.authorization?.replace("Bearer ", "")).filter(Boolean));
    assert.ok(tokens.size >= 2);
    const ids = page.seen.requests.flatMap(({ url }) => [...new URL(url).pathname.matchAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g)].map(([id]) => id));
    assert.ok(ids.length > 0);
    const typed = [GOOD_CARD, GOOD_CARD.slice(-6), "Aurelia", "Rojas", "Calle Mayor", "012345678901234567", "9125550142", "Harbour"];
    for (const secret of [...tokens, ...ids, ...typed]) assert.ok(!text.includes(secret), `${secret} is shown`);
  }, BROUGHT_ABOUT);
});

test("the address keeps the theme, and the code is the complete call", async () => {
  await atTheBench(async (bench, page) => {
    await page.locator("input[name=primary]").fill("#0a7a5a");
    await page.locator("select[name=showStep]").selectOption("false");
    await page.waitForURL((url) => url.searchParams.get("primary") === "#0a7a5a" && url.searchParams.get("showStep") === "false");
    const code = 'const form = await remit.cardForm({\n  container: "#card",\n  theme: {\n    primary: "#0a7a5a",\n    showStep: false,\n  },\n});';
    assert.equal(await bench.code(), code);
    mustBeCode(code);
    const diff = page.locator(".theme-diff li");
    assert.match(await diff.first().innerText(), /^primary #[0-9a-f]{6} → #0a7a5a$/i);
    assert.equal(await diff.count(), 2);

    await page.reload();
    await page.locator(".card-status[data-status=ready]").waitFor();
    assert.equal(await page.locator("input[name=primary]").inputValue(), "#0a7a5a");
    assert.equal(await page.locator("select[name=showStep]").inputValue(), "false");
    assert.equal(await bench.code(), code);
    await page.waitForFunction(() => document.querySelector(".card-frame iframe").src.includes("primary="));

    await page.getByRole("button", { name: "Form’s own" }).click();
    await page.waitForURL((url) => url.search === "");
    assert.equal(await diff.count(), 0);
  });
});

test("an invalid theme value appears in neither the code nor the address", async () => {
  await atTheBench(async (bench, page) => {
    await page.goto(`${shop.shopUrl}/workbench.html?buttonRadius=8&primary=%230a7a5a&lng=xx&showStep=true`);
    await page.locator(".card-status[data-status=ready]").waitFor();
    const only = 'const form = await remit.cardForm({\n  container: "#card",\n  theme: {\n    primary: "#0a7a5a",\n    showStep: true,\n  },\n});';
    assert.equal(await bench.code(), only);
    await page.locator("input[name=buttonRadius][aria-invalid=true]").waitFor();

    await page.locator("input[name=text]").fill("no colour");
    await page.locator("input[name=text][aria-invalid=true]").waitFor();
    await page.locator("input[name=icon]").fill("#123456");
    await page.waitForURL((url) => url.searchParams.get("icon") === "#123456");
    assert.deepEqual([...new URL(page.url()).searchParams.keys()].sort(), ["icon", "primary", "showStep"]);
    const code = await bench.code();
    assert.match(code, /icon: "#123456"/);
    assert.doesNotMatch(code, /no colour|buttonRadius|lng/);
    assert.equal(await page.locator("input[name=text][aria-invalid=true]").count(), 1);
    assert.equal(await page.locator("input[name=buttonRadius][aria-invalid=true]").count(), 1);
  });
});

test("the documentation is the package's own and passes axe", async () => {
  await shop.onPage(async (page) => {
    await page.goto(`${shop.shopUrl}/docs.html`);
    await page.getByRole("heading", { level: 1, name: "RemitKit" }).waitFor();
    const broken = await page.locator("main a[href^='#']").evaluateAll((links) => links.map(({ hash }) => hash.slice(1)).filter((id) => !document.getElementById(id)));
    assert.deepEqual(broken, []);
    assert.deepEqual(await axeProblems(page), []);
  }, { scripts: [AXE] });
});
