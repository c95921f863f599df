// What a customer sees when the card form's server is away, and how the form comes back, under a
// strict policy, in each installed engine.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startEngine } from "../forge/engines.mjs";
import { ENGINES, cardShop } from "./card-load.mjs";

const SPANISH = ["No se pudo cargar el formulario de la tarjeta. Inténtelo de nuevo.", "Intentar de nuevo"];
const ENGLISH = ["The card form could not be loaded. Please try again.", "Try again"];

const shop = await cardShop();

const without = (name, source) => (policy) => ({
  ...policy,
  [name]: [...policy[name].filter((one) => one !== source), ...(name === "frame-src" ? ["'none'"] : [])],
});

for (const [engine, program] of ENGINES) {
  const skip = program ? false : `${engine} is not there`;
  describe(`in ${engine}`, { skip, timeout: 240_000 }, () => {
    let browser;
    before(async () => {
      browser = await startEngine(engine, program, { trustsAll: false });
    });
    after(() => browser?.stop());

    const until = async (condition, ...args) => {
      for (const end = Date.now() + 30_000; Date.now() < end; await sleep(50)) {
        const found = await browser.evaluate(condition, ...args).catch(() => undefined);
        if (found) {
          return found;
        }
      }
      throw new Error(`never: ${condition}, but ${JSON.stringify(await seen())}`);
    };
    const events = (count) => until("(count) => told.length >= count && told", count);
    const seen = () =>
      browser.evaluate(`() => {
        const [alert, button] = ["#card [role=alert]", "#card button"].map((css) => document.querySelector(css));
        const frames = [...document.querySelectorAll("iframe")];
        return {
          told,
          text: alert && [alert.textContent, button.textContent],
          lang: alert?.closest("[lang]").lang ?? null,
          reachable: button && button.tabIndex === 0 && button.getBoundingClientRect().height >= 44,
          frames: frames.map((frame) => frame.getClientRects().length),
          below: document.querySelector("#below").getBoundingClientRect().top,
          focused: document.activeElement.localName,
        };
      }`);
    const open = async (cardUrl, change, locale, options = {}) => {
      await browser.open(await shop.pageUrl(cardUrl, change));
      await until("() => globalThis.isThere");
      await browser.evaluate("(locale, options) => void mount(locale, options)", locale, options);
    };

    test("a server that is gone is reported in Spanish; its form returns later", async () => {
      await shop.card.stop();
      await open(shop.cardUrl, undefined, "es-MX", { theme: { primary: "#0a7", font: "Inter" } });
      assert.deepEqual(await events(1), ["LOAD_FAILED unreachable"]);
      await until('() => document.querySelector("#card button")');
      const failed = await seen();
      assert.deepEqual([failed.text, failed.lang, failed.reachable, failed.frames], [SPANISH, "es", true, [0]]);
      await browser.evaluate('() => { document.querySelector("#card button").focus(); document.activeElement.click(); }');
      assert.equal((await events(2))[1], "LOAD_FAILED unreachable");
      await until('(text) => document.querySelector("#card button").textContent === text', SPANISH[1]);
      assert.equal((await seen()).focused, "button", "the focus is not lost");
      await shop.card.start();
      await browser.evaluate('() => document.querySelector("#card button").click()');
      await events(3);
      await until('() => !document.querySelector("#card button")');
      const back = await seen();
      assert.deepEqual([back.told[2], back.text, back.frames, back.focused], ["READY", null, [1], "iframe"]);
      assert.equal(back.below, failed.below, "nothing moves");
      assert.deepEqual((await seen()).told.slice(0, 3), ["LOAD_FAILED unreachable", "LOAD_FAILED unreachable", "READY"]);
      await browser.evaluate('() => document.querySelector("iframe").contentWindow.postMessage("", "*")');
      assert.equal((await events(4))[3], "START");
    });

    test("an unknown host or an untrusted certificate counts as unreachable", async () => {
      for (const cardUrl of ["https://card.invalid", shop.untrustedUrl]) {
        await open(cardUrl, undefined, "en-US", { loadError: "never" });
        assert.deepEqual(await events(2), ["LOAD_FAILED unreachable", "CardFormLoadFailed"], cardUrl);
        assert.deepEqual([(await seen()).text, (await seen()).frames], [null, [1]]);
      }
    });

    test("a form that the page's policy blocks is reported in English", async () => {
      await open(shop.cardUrl, without("frame-src", shop.cardUrl), "en-US");
      await until('() => document.querySelector("#card button")');
      const { told, text, lang } = await seen();
      assert.match(told.join(), /^VIOLATION frame-src [^,]*,LOAD_FAILED blocked frame-src$/);
      assert.deepEqual([text, lang], [ENGLISH, "en"]);
    });

    test("a form that never loads is reported in time, and may still load late", async () => {
      shop.delay(3000);
      await open(shop.cardUrl, undefined, "en-US", { loadTimeoutMs: 500 });
      assert.deepEqual(await events(1), ["LOAD_FAILED timeout"]);
      await until('() => document.querySelector("#card button")');
      assert.deepEqual((await seen()).text, ENGLISH);
      shop.delay(0);
      assert.deepEqual(await events(2), ["LOAD_FAILED timeout", "READY"]);
      await until('() => !document.querySelector("#card button")');
    });

    test("a form that the page may not probe is ready once it has loaded", async () => {
      await open(shop.cardUrl, without("connect-src", shop.cardUrl), "en-US", { autoFocus: true });
      await until('() => told.includes("READY")');
      await until('() => document.activeElement.localName === "iframe"');
      const { told, text, frames, focused } = await seen();
      assert.deepEqual(told.filter((one) => !/^VIOLATION connect-src/.test(one)), ["READY"]);
      assert.deepEqual([text, frames, focused], [null, [1], "iframe"]);
    });

    test("a form with autoFocus leaves the focus to a customer who types", async () => {
      shop.delay(1000);
      await open(shop.cardUrl, undefined, "en-US", { autoFocus: true });
      await until("() => globalThis.form");
      shop.delay(0);
      await browser.evaluate('() => document.querySelector("input").focus()');
      await events(1);
      assert.equal((await seen()).focused, "input");
      await browser.evaluate("() => form.focus()");
      assert.equal((await seen()).focused, "iframe");
    });
  });
}
