// What a customer sees when the card form's server fails, and how the form comes back, under a strict policy.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { pathToFileURL } from "node:url";
import { startEngine } from "../forge/engines.mjs";
import { buildWithVite, cardService, serveFolder } from "./chromium.mjs";
import { shop } from "./packed.mjs";

/** The engines, each with its program where this machine has it. */
const ENGINES = Object.entries({
  chromium: process.env.REMITKIT_CHROMIUM,
  firefox: process.env.FIREFOX_DRIVER,
  webkit: process.env.WEBKIT_DRIVER,
});

const MAIN = `
import { createRemitKit } from "remitkit";

const events = (globalThis.events = []);
addEventListener("securitypolicyviolation", ({ effectiveDirective, blockedURI }) => {
  // WebKit requests the icon by itself, at any moment.
  if (!blockedURI.endsWith("/favicon.ico")) events.push("VIOLATION " + effectiveDirective + " " + blockedURI);
});
addEventListener("unhandledrejection", (event) => events.push("UNHANDLED " + event.reason));
globalThis.mount = async (options, formOptions) => {
  try {
    const remit = await createRemitKit(options);
    const form = (globalThis.form = await remit.cardForm({ container: "#card", ...formOptions }));
    for (const type of ["READY", "CARD_VALIDATION_START"]) form.on(type, () => events.push(type));
    form.on("LOAD_FAILED", ({ reason, directive }) => {
      events.push(["LOAD_FAILED", reason, directive].filter(Boolean).join(" "));
    });
    await form.completed;
  } catch ({ code }) {
    events.push(code);
  }
};
`;

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Shop</title>
<script type="module" src="/main.js"></script>
<h1>Pay</h1><input aria-label="Name"><div id="card"></div><p id="below">Below</p></html>`;

const SPANISH = ["No se pudo cargar el formulario de la tarjeta. Inténtalo de nuevo.", "Intentar de nuevo"];
/** Where the frame has loaded a page, which may be the form: Chromium's error page loads like one. */
const SPANISH_BELOW = ["Si aquí no aparece el formulario de la tarjeta, inténtalo de nuevo.", SPANISH[1]];
const ENGLISH = ["The card form could not be loaded. Please try again.", "Try again"];

const folder = await shop({ "main.js": MAIN, "index.html": PAGE });
const dist = await buildWithVite(folder, { build: { target: "esnext", modulePreload: false } });
const index = await readFile(join(dist, "index.html"));
const pageUrl = await serveFolder(dist, {
  "/": ({ url }, reply) => {
    const { policy, coep } = Object.fromEntries(new URL(url, "http://shop.example").searchParams);
    const headers = { "content-type": "text/html", "content-security-policy": policy };
    if (coep) headers["cross-origin-embedder-policy"] = coep;
    reply.writeHead(200, headers).end(index);
  },
});

const packed = join(folder, "node_modules/remitkit");
const load = (name) => import(pathToFileURL(join(packed, name)).href);
const { fakeCardFrame } = await load("testing.js");
const frame = await fakeCardFrame();
after(() => frame.stop());
const { origin: baseUrl } = await cardService();
const options = { baseUrl, cardUrl: frame.cardUrl, token: "t" };
const wasm = await readFile(join(packed, "remitkit_core_bg.wasm"));
const remit = await (await load("index.js")).createRemitKit({ ...options, wasm });

/**
 * Returns the address of a page with the kit's own policy, without the form's server in a directive, and with
 * an embedder policy.
 */
function pageWithout(directive, coep) {
  const allowed = { ...remit.contentSecurityPolicy() };
  if (directive) allowed[directive] = allowed[directive].filter((source) => source !== frame.cardUrl);
  const listed = Object.entries(allowed).map(([name, sources]) => `${name} ${sources.join(" ") || "'none'"}`);
  const strict = ["default-src 'none'", "require-trusted-types-for 'script'", "trusted-types 'none'"];
  const policy = [...strict, ...listed].join("; ");
  return `${pageUrl}/?${new URLSearchParams({ policy, ...(coep && { coep }) })}`;
}

for (const [engine, program] of ENGINES) {
  const skip = program ? false : `${engine} is not there`;
  describe(`in ${engine}`, { skip, timeout: 240_000 }, () => {
    let browser;
    before(async () => {
      browser = await startEngine(engine, program);
    });
    after(() => browser?.stop());
    beforeEach(() => frame.play([]));

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
    const open = async ({ without, coep, locale = "en-US", ...formOptions }) => {
      await browser.open(pageWithout(without, coep));
      await until("() => Boolean(globalThis.mount)");
      await run("(...options) => void mount(...options)", { ...options, locale }, formOptions);
    };

    test("a server that is gone is reported in Spanish; its form returns later", async () => {
      frame.play([], { loading: "dropped" });
      await open({ locale: "es-MX", theme: { primary: "#0a7", font: "Inter" } });
      await button();
      const failed = await seen();
      const { text, lang, reachable, frames } = failed;
      const expected = engine === "chromium" ? [SPANISH_BELOW, [1]] : [SPANISH, [0]];
      assert.deepEqual([text, frames, lang, reachable], [...expected, "es", true]);
      // While another window is the active one, WebKit matches nothing with `:focus-within`.
      await run(`() => {
        const { matches } = Element.prototype;
        Element.prototype.matches = function (css) {
          return !css.startsWith(":focus") && matches.call(this, css);
        };
      }`);
      await run('() => { document.querySelector("#card button").focus(); document.activeElement.click(); }');
      await events(2);
      await until('(text) => document.querySelector("#card button").textContent === text', SPANISH[1]);
      // Chromium's error page takes the focus.
      if (engine !== "chromium") assert.equal((await seen()).focused, "button");
      frame.play(["CARD_VALIDATION_START"]);
      await run('() => document.querySelector("#card button").click()');
      await events(3);
      await noButton();
      await until('() => document.activeElement.localName === "iframe"');
      const back = await seen();
      assert.deepEqual([back.text, back.frames], [null, [1]]);
      if (engine !== "chromium") assert.equal(back.below, failed.below, "no layout shift");
      const gone = "LOAD_FAILED unreachable";
      assert.deepEqual(await events(4), [gone, gone, "READY", "CARD_VALIDATION_START"]);
    });

    test("a form that the page's policy blocks is reported in English", async () => {
      await open({ without: "frame-src" });
      await button();
      const { events, text, lang } = await seen();
      assert.match(events.join(), /^VIOLATION frame-src [^,]*,LOAD_FAILED blocked frame-src$/);
      assert.deepEqual([text, lang], [ENGLISH, "en"]);
    });

    test("a form that never loads is reported in time, and may still load late", async () => {
      frame.play([], { delayMs: 3000 });
      await open({ loadTimeoutMs: 500 });
      await button();
      assert.deepEqual((await seen()).text, ENGLISH);
      assert.deepEqual(await events(2), ["LOAD_FAILED timeout", "READY"]);
      await noButton();
    });

    test("a form that the page may not probe is ready once it has loaded", async () => {
      frame.play([]);
      await open({ without: "connect-src", autoFocus: true });
      await until('() => events.includes("READY")');
      await until('() => document.activeElement.localName === "iframe"');
      const { events, text, frames } = await seen();
      assert.deepEqual(events.filter((event) => !/^VIOLATION connect-src/.test(event)), ["READY"]);
      assert.deepEqual([text, frames], [null, [1]]);
    });

    for (const coep of ["require-corp", "credentialless"]) {
      test(`with the embedder policy ${coep} the form works, or is reported`, async () => {
        frame.play(["CARD_VALIDATION_START"]);
        // Where the form may stay away, this is waited for.
        await open({ coep, loadTimeoutMs: engine === "chromium" ? 30_000 : 3000 });
        if (engine === "chromium") {
          assert.deepEqual(await events(2), ["READY", "CARD_VALIDATION_START"]);
          assert.deepEqual((await seen()).frames, [1]);
        } else {
          const [first] = await events(1);
          const isHeard = () => until('() => events.includes("CARD_VALIDATION_START")');
          if (first === "READY") await isHeard();
          else assert.match(first, /^LOAD_FAILED (blocked|unreachable|timeout)$/);
        }
      });
    }

    test("the message grows with the customer's font size, and reads left to right", async () => {
      frame.play([], { loading: "dropped" });
      await open({});
      await button();
      const shown = `() => {
        const [alert, button] = document.querySelectorAll("#card [role=alert], #card button");
        const of = (element) => [getComputedStyle(element).fontSize, getComputedStyle(element).direction];
        return [...of(alert), ...of(button), button.getBoundingClientRect().height];
      }`;
      await run('() => { document.documentElement.dir = "rtl"; }');
      assert.deepEqual(await run(shown), ["16px", "ltr", "16px", "ltr", 44]);
      await run('() => { document.documentElement.style.fontSize = "32px"; }');
      assert.deepEqual(await run(shown), ["32px", "ltr", "32px", "ltr", 88]);
      await run('() => { document.documentElement.style.fontSize = "10px"; }');
      assert.deepEqual((await run(shown)).slice(0, 3), ["16px", "ltr", "16px"]);
    });

    test("a form with autoFocus leaves the focus to a customer who types", async () => {
      frame.play([], { delayMs: 1000 });
      await open({ autoFocus: true });
      await until("() => globalThis.form");
      await run('() => document.querySelector("input").focus()');
      await events(1);
      assert.equal((await seen()).focused, "input");
      await run("() => form.focus()");
      assert.equal((await seen()).focused, "iframe");
    });
  });
}
