// The message in place of a form that failed to load, in a page of jsdom, over a scripted form.

import assert from "node:assert/strict";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import { errorOf, unpacked } from "./unpacked.mjs";

const { load } = await unpacked();
const { CardForm } = await load("card-form.js");
const { lightTheme } = await load("theme.js");
const { RemitError } = await load("remit-error.js");
const { FakeHandle } = await load("testing/fake-handle.js");
// Loaded once, as by any form before this one.
await load("load-error-notice.js");

const turns = () => new Promise((resolve) => setTimeout(resolve, 5));
const LOAD_FAILED = new RemitError("CardFormLoadFailed", "…", { kind: "frame" });

/** A test with a form in a container, and `fail` and `deliver` at its other end. */
function noticeTest(name, work, options, locale = "en-US") {
  test(name, async () => {
    const { window } = new JSDOM("<input><div></div>", { url: "https://shop.example", pretendToBeVisual: true });
    globalThis.document = window.document;
    const container = window.document.querySelector("div");
    const frame = container.appendChild(window.document.createElement("iframe"));
    Object.assign(frame.style, { display: "block", height: "500px" });
    const handle = Object.assign(new FakeHandle(), { locale, ownMessage: (code) => (locale === "fr" && code === "CardFormLoadFailed" ? "Formulaire indisponible." : undefined) });
    const core = {
      sessionId: "s",
      url: "https://card.example",
      element: frame,
      renewals: 0,
      async renew() {
        this.renewals += 1;
        if (this.renewalError) {
          throw this.renewalError;
        }
      },
      state() {
        return this;
      },
      update() {},
      destroy: () => frame.remove(),
    };
    const begin = (_, deliver) => Object.assign(core, { deliver });
    const given = typeof options === "function" ? options(window.document) : options;
    const form = await CardForm.over(handle, begin, given);
    const deliver = async (...events) => {
      events.forEach((event) => core.deliver(...event));
      await turns();
    };
    const fail = (reason = "unreachable", directive) =>
      deliver(["LOAD_FAILED", { reason, ...(directive && { directive }) }], ["FAILED", LOAD_FAILED]);
    const alert = () => container.querySelector("[role=alert]");
    const button = () => container.querySelector("button");
    try {
      await work({ document: window.document, container, frame, form, core, handle, deliver, fail, alert, button });
    } finally {
      form.destroy();
      delete globalThis.document;
    }
  });
}

const state = (form) => Promise.race([form.completed.then(() => "card", ({ code }) => code), turns().then(() => "open")]);

for (const [locale, lang, texts, label] of [
  ["en-GB", "en", [/could not be loaded/, /You are offline/, /Your browser blocked/, /could not be loaded/], "Try again"],
  ["es-MX", "es", [/No se pudo cargar/, /No hay conexión/, /Su navegador bloqueó/, /No se pudo cargar/], "Intentar de nuevo"],
]) {
  noticeTest(
    `in ${locale} the message says what the customer can do`,
    async ({ fail, alert, button, container }) => {
      const failures = [["unreachable"], ["offline"], ["blocked"], ["blocked", "frame-src"]];
      for (const [at, failure] of failures.entries()) {
        await fail(...failure);
        assert.match(alert().textContent, texts[at], failure.join(" "));
        assert.deepEqual([button().textContent, button().type], [label, "button"]);
        assert.equal(alert().closest("[lang]").lang, lang);
        assert.equal(container.querySelectorAll("[role=alert]").length, 1);
      }
    },
    undefined,
    locale,
  );
}

noticeTest("the frame is hidden until it has loaded, without a layout shift", async ({ fail, frame, deliver, alert, container }) => {
  await fail();
  assert.deepEqual([frame.style.display, frame.nextSibling.style.minHeight], ["none", "500px"]);
  assert.equal(container.querySelectorAll("input, iframe:not([style*=none])").length, 0);
  await deliver(["READY"]);
  assert.deepEqual([frame.style.display, alert(), container.children.length], ["block", null, 1]);
});

noticeTest("the button renews once, and stays for another try", async ({ fail, button, alert, core, form, deliver }) => {
  await fail();
  assert.equal(await state(form), "open");
  button().focus();
  button().click();
  button().click();
  await turns();
  assert.deepEqual([core.renewals, button().textContent], [1, "Trying again…"]);
  assert.deepEqual([button().getAttribute("aria-disabled"), button().disabled], ["true", false]);
  await fail("offline");
  assert.deepEqual([button().textContent, button().getAttribute("aria-disabled")], ["Try again", "false"]);
  assert.equal(button().ownerDocument.activeElement, button(), "the focus is not lost");
  assert.match(alert().textContent, /offline/);
  button().click();
  await deliver(["READY"], ["COMPLETED", { cardId: "c" }]);
  assert.equal(await state(form), "card");
  assert.equal(core.element.ownerDocument.activeElement, core.element, "the form has it");
});

noticeTest("a failed renewal can be retried, unless no retry can help", async ({ fail, button, core, form }) => {
  await fail();
  core.renewalError = new RemitError("NetworkFailure", "…", { kind: "unavailable", retryable: true });
  button().click();
  await turns();
  assert.deepEqual([button().textContent, await state(form)], ["Try again", "open"]);
  core.renewalError = new RemitError("Unauthorized", "…", { kind: "authentication", retryable: false });
  button().click();
  assert.equal(await state(form), "Unauthorized");
});

noticeTest(
  "it follows the theme's colours, fonts and corners, and its updates",
  async ({ fail, alert, button, form }) => {
    await fail();
    const place = () => alert().parentNode.style;
    assert.deepEqual([place().backgroundColor, place().color], ["rgb(10, 10, 10)", "rgb(240, 240, 240)"]);
    assert.match(place().fontFamily, /^"?Source Sans 3"?, serif, /);
    const { style } = button();
    assert.deepEqual(
      [style.backgroundColor, style.borderRadius, style.textTransform, style.letterSpacing],
      ["rgb(0, 0, 128)", "50%", "uppercase", "0.05em"],
    );
    form.update({ theme: { foreground: "#fff", text: "#111" } });
    await fail();
    assert.deepEqual([place().backgroundColor, place().color], ["rgb(255, 255, 255)", "rgb(17, 17, 17)"]);
  },
  {
    theme: {
      foreground: "#0a0a0a",
      text: "#f0f0f0",
      primary: "#000080",
      font: "'Source Sans 3', serif",
      buttonRadius: "50%",
      buttonTextCase: "UPPER",
      buttonLetterSpacing: "0.05em",
    },
  },
);

for (const [theme, text, label] of [
  [undefined, "rgb(22, 33, 58)", "rgb(255, 255, 255)"],
  [{ primary: "#00aa77" }, "rgb(22, 33, 58)", "#000"],
  [{ foreground: "#101010", buttonColor: "#ffffff" }, "#fff", "#000"],
]) {
  noticeTest(
    `it is readable with the theme ${JSON.stringify(theme)}`,
    async ({ fail, alert, button }) => {
      await fail();
      const plain = (color) => ({ "rgb(0, 0, 0)": "#000", "rgb(255, 255, 255)": "#fff" })[color] ?? color;
      assert.deepEqual(
        [alert().parentNode, button()].map((element) => plain(element.style.color)),
        [plain(text), plain(label)],
      );
    },
    { theme },
  );
}

noticeTest("without a theme it has the colours of lightTheme", async ({ fail, alert, button, document }) => {
  await fail();
  const plain = (color) => Object.assign(document.createElement("i").style, { color }).color;
  const { style } = alert().parentNode;
  assert.deepEqual(
    [style.color, style.backgroundColor, button().style.color, button().style.backgroundColor, style.borderColor],
    ["text", "foreground", "buttonText", "buttonColor", "divider"].map((name) => plain(lightTheme[name])),
  );
});

noticeTest(
  "the page's own text for the code replaces every message",
  async ({ fail, alert }) => {
    await fail("offline");
    assert.equal(alert().textContent, "Formulaire indisponible.");
    assert.equal(alert().closest("[lang]"), null);
  },
  undefined,
  "fr",
);

noticeTest(
  "the page's own texts appear in it",
  async ({ fail, alert, button }) => {
    await fail();
    assert.deepEqual([alert().textContent, button().textContent], ["Formulaire indisponible.", "Réessayer"]);
    assert.equal(alert().closest("[lang]"), null, "its language is the page's");
  },
  { loadError: { message: "Formulaire indisponible.", button: "Réessayer" } },
);

noticeTest(
  "the page's own element replaces it at each failure",
  async ({ fail, frame, deliver, form, document }) => {
    for (let i = 0; i < 2; i += 1) {
      await fail();
      assert.equal(frame.nextSibling.firstChild.id, "own");
      form.focus();
      assert.equal(document.activeElement.id, "again");
      await deliver(["READY"]);
      assert.equal(document.querySelector("#own"), null);
    }
    assert.equal(await state(form), "open");
  },
  (document) => {
    const own = Object.assign(document.createElement("p"), { id: "own" });
    own.append(Object.assign(document.createElement("button"), { id: "again" }));
    return { loadError: own };
  },
);

const told = [];
noticeTest(
  "a function learns why and returns an element, texts or nothing",
  async ({ fail, container, frame, alert, core, document }) => {
    const gives = async (answer, failure = ["blocked", "frame-src"]) => {
      told.answer = answer;
      await fail(...failure);
    };
    await gives(document.createElement("hr"));
    assert.ok(container.querySelector("hr"));
    const { retry, ...failure } = told.at(-1);
    const message = "The card form could not be loaded. Please try again.";
    assert.deepEqual(failure, { reason: "blocked", directive: "frame-src", message });
    await retry();
    assert.equal(core.renewals, 1);
    await gives({ message: "Own" }, ["offline"]);
    assert.equal(alert().textContent, "Own");
    assert.deepEqual(Object.keys(told.at(-1)), ["reason", "message", "retry"]);
    await gives("auto");
    assert.equal(alert().textContent, message);
    await gives(undefined);
    assert.deepEqual([alert(), frame.style.display, frame.nextSibling.childNodes.length], [null, "none", 0]);
    const { reportError } = globalThis;
    const reported = [];
    globalThis.reportError = (error) => reported.push(error.message);
    await gives(new Error("the page's own"));
    globalThis.reportError = reportError;
    assert.deepEqual([alert().textContent, reported], [message, ["the page's own"]]);
  },
  {
    loadError(failure) {
      told.push(failure);
      if (told.answer instanceof Error) {
        throw told.answer;
      }
      return told.answer;
    },
  },
);

noticeTest(
  "without a message the frame stays as it is, and completed rejects",
  async ({ fail, container, frame, form }) => {
    await fail();
    assert.deepEqual([container.children.length, frame.style.display], [1, "block"]);
    assert.equal(await state(form), "CardFormLoadFailed");
  },
  { loadError: "never" },
);

test("an invalid loadError or autoFocus is refused", async () => {
  const begin = () => assert.fail("a form was begun");
  for (const loadError of [null, "", "none", 1, true, { message: 1 }, { text: "x" }, { button: " " }]) {
    const error = await errorOf(CardForm.over(new FakeHandle(), begin, { loadError }));
    assert.deepEqual([error.kind, error.option], ["invalid_request", "loadError"], JSON.stringify(loadError));
  }
  const error = await errorOf(CardForm.over(new FakeHandle(), begin, { autoFocus: "yes" }));
  assert.deepEqual([error.kind, error.option], ["invalid_request", "autoFocus"]);
});

for (const [name, end] of [
  ["destroyed", ({ form }) => form.destroy()],
  ["left without its kit", ({ handle }) => handle.destroy()],
]) {
  noticeTest(`${name}, a form leaves nothing, even just after a failure`, async (it) => {
    await it.fail();
    end(it);
    assert.equal(it.container.children.length, 0);
  });
  noticeTest(`${name} as it fails, a form shows nothing`, async (it) => {
    it.core.deliver("LOAD_FAILED", { reason: "timeout" });
    await Promise.resolve();
    end(it);
    await turns();
    assert.equal(it.container.children.length, 0);
  });
}

noticeTest("focus goes to the form, or to the button for another try", async ({ form, frame, fail, button, document }) => {
  form.focus();
  assert.equal(document.activeElement, frame);
  await fail();
  assert.equal(document.activeElement, button(), "what had it is hidden");
  document.querySelector("input").focus();
  form.focus();
  assert.equal(document.activeElement, button());
});

noticeTest("a form takes no focus on its own", async ({ deliver, document }) => {
  await deliver(["READY"]);
  assert.equal(document.activeElement, document.body);
});

noticeTest(
  "a form with autoFocus takes the focus once, when it has loaded",
  async ({ deliver, document, frame }) => {
    assert.equal(document.activeElement, document.body);
    await deliver(["READY"]);
    assert.equal(document.activeElement, frame);
    document.querySelector("input").focus();
    await deliver(["READY"]);
    assert.equal(document.activeElement, document.querySelector("input"));
  },
  { autoFocus: true },
);

noticeTest(
  "a form that loads at the second try takes the focus too",
  async ({ deliver, document, frame, fail, container }) => {
    await fail();
    assert.equal(container.querySelector("button"), null);
    await deliver(["READY"]);
    assert.equal(document.activeElement, frame);
  },
  { autoFocus: true, loadError: () => {} },
);

noticeTest(
  "a form takes no focus that the customer has moved elsewhere",
  async ({ deliver, document }) => {
    document.querySelector("input").focus();
    await deliver(["READY"]);
    assert.equal(document.activeElement, document.querySelector("input"));
  },
  { autoFocus: true },
);
