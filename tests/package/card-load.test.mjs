// What a customer sees when the card form's server fails, and how the form comes back, under a strict policy.

import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { startEngine } from "../forge/engines.mjs";
import { ENGINES, cardShop } from "./card-load.mjs";

const SPANISH = ["No se pudo cargar el formulario de la tarjeta. Inténtelo de nuevo.", "Intentar de nuevo"];
const ENGLISH = ["The card form could not be loaded. Please try again.", "Try again"];

const shop = await cardShop();

/** Takes a source out of a directive of a policy. */
const without = (name, source) => (policy) => {
  const left = policy[name].filter((one) => one !== source);
  return { ...policy, [name]: name === "frame-src" ? [...left, "'none'"] : left };
};

for (const [engine, program] of ENGINES) {
  const skip = program ? false : `${engine} is not there`;
  describe(`in ${engine}`, { skip, timeout: 240_000 }, () => {
    let browser;
    before(async () => {
      browser = await startEngine(engine, program);
    });
    after(() => browser?.stop());

    const run = (script, ...args) => browser.evaluate(script, ...args);
    const until = async (condition, ...args) => {
      for (const end = Date.now() + 30_000; Date.now() < end; await sleep(50)) {
        const found = await run(condition, ...args).catch(() => undefined);
        if (found) return found;
      }
      throw new Error(`never: ${condition}, but ${JSON.stringify(await seen())}`);
    };
    const events = (count) => until("(count) => events.length >= count && events", count);
    const button = () => until('() => document.querySelector("#card button")');
    const noButton = () => until('() => !document.querySelector("#card button")');
    const seen = () =>
      run(`() => {
        const alert = document.querySelector("#card [role=alert]");
        const button = document.querySelector("#card button");
        const frames = [...document.querySelectorAll("iframe")];
        return {
          events,
          text: alert && [alert.textContent, button.textContent],
          lang: alert?.closest("[lang]").lang ?? null,
          reachable: button && button.tabIndex === 0 && button.getBoundingClientRect().height >= 44,
          frames: frames.map((frame) => frame.getClientRects().length),
          below: document.querySelector("#below").getBoundingClientRect().top,
          focused: document.activeElement.localName,
        };
      }`);
    const open = async ({ cardUrl = shop.cardUrl, policy, locale = "en-US", ...options }) => {
      await browser.open(await shop.pageUrl(cardUrl, policy));
      await until("() => globalThis.isThere");
      await run("(locale, options) => void mount(locale, options)", locale, options);
    };

    test("a server that is gone is reported in Spanish; its form returns later", async () => {
      await shop.card.stop();
      await open({ locale: "es-MX", theme: { primary: "#0a7", font: "Inter" } });
      await button();
      const failed = await seen();
      const { text, lang, reachable, frames } = failed;
      assert.deepEqual([text, lang, reachable, frames], [SPANISH, "es", true, [0]]);
      await run('() => { document.querySelector("#card button").focus(); document.activeElement.click(); }');
      await events(2);
      await until('(text) => document.querySelector("#card button").textContent === text', SPANISH[1]);
      assert.equal((await seen()).focused, "button");
      await shop.card.start();
      await run('() => document.querySelector("#card button").click()');
      await events(3);
      await noButton();
      const back = await seen();
      assert.deepEqual([back.text, back.frames, back.focused], [null, [1], "iframe"]);
      assert.equal(back.below, failed.below, "no layout shift");
      await run('() => document.querySelector("iframe").contentWindow.postMessage("", "*")');
      const gone = "LOAD_FAILED unreachable";
      assert.deepEqual(await events(4), [gone, gone, "READY", "START"]);
    });

    test("a form that the page's policy blocks is reported in English", async () => {
      await open({ policy: without("frame-src", shop.cardUrl) });
      await button();
      const { events, text, lang } = await seen();
      assert.match(events.join(), /^VIOLATION frame-src [^,]*,LOAD_FAILED blocked frame-src$/);
      assert.deepEqual([text, lang], [ENGLISH, "en"]);
    });

    test("a form that never loads is reported in time, and may still load late", async () => {
      shop.delay(3000);
      await open({ loadTimeoutMs: 500 });
      await button();
      assert.deepEqual((await seen()).text, ENGLISH);
      shop.delay(0);
      assert.deepEqual(await events(2), ["LOAD_FAILED timeout", "READY"]);
      await noButton();
    });

    test("a form that the page may not probe is ready once it has loaded", async () => {
      await open({ policy: without("connect-src", shop.cardUrl), autoFocus: true });
      await until('() => events.includes("READY")');
      await until('() => document.activeElement.localName === "iframe"');
      const { events, text, frames } = await seen();
      assert.deepEqual(events.filter((event) => !/^VIOLATION connect-src/.test(event)), ["READY"]);
      assert.deepEqual([text, frames], [null, [1]]);
    });

    test("a form with autoFocus leaves the focus to a customer who types", async () => {
      shop.delay(1000);
      await open({ autoFocus: true });
      await until("() => globalThis.form");
      shop.delay(0);
      await run('() => document.querySelector("input").focus()');
      await events(1);
      assert.equal((await seen()).focused, "input");
      await run("() => form.focus()");
      assert.equal((await seen()).focused, "iframe");
    });
  });
}
