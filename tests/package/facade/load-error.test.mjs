// The message in place of a form that failed to load, over the package's fake card form.

import assert from "node:assert/strict";
import { test } from "node:test";
import { START, SUCCESS, withPage } from "./card-page.mjs";
import { load, remitkit, replaceGlobal, settled } from "./kit.mjs";

const { cardFormOver } = await load("testing/fake-card-form.js");
const { FakeHandle } = await load("testing/fake-handle.js");
const { lightTheme, RemitError } = remitkit;

const FAILED = "The card form could not be loaded. Please try again.";
const failureOf = (code, retryable) => new RemitError(code, "…", { kind: "unavailable", retryable });
const outcome = ({ completed }) =>
  Promise.race([completed.then(() => "card", ({ code }) => code), settled().then(() => "open")]);

/** Declares a test with a form in a container. `fail` and `deliver` play its frame. */
function noticeTest(name, work, options = {}, { locale = "en-US", message } = {}) {
  test(name, (t) =>
    withPage(async ({ container, window: { document } }) => {
      container.insertAdjacentHTML("beforebegin", "<input>");
      const given = typeof options === "function" ? options(document) : options;
      const handle = Object.assign(new FakeHandle(), { locale, ownMessage: () => message });
      const fake = await cardFormOver(handle, { container, ...given });
      const { form } = fake;
      const frame = form.element;
      Object.assign(frame.style, { display: "block", height: "500px" });
      const deliver = (...events) => fake.emit(...events).then(settled);
      const fail = (reason = "unreachable", directive) => deliver({ type: "LOAD_FAILED", reason, directive });
      const input = document.querySelector("input");
      const alert = () => container.querySelector("[role=alert]");
      const button = () => container.querySelector("button");
      const hasFocus = (element, why) => assert.equal(document.activeElement, element, why);
      const page = { t, document, container, frame, input, alert, button, hasFocus };
      await work({ ...page, fake, form, handle, deliver, fail });
      form.destroy();
    }),
  );
}

for (const [locale, lang, texts, label] of [
  ["en-GB", "en", [/could not be loaded/, /You are offline/, /Your browser blocked/], "Try again"],
  ["es-MX", "es", [/No se pudo cargar/, /No hay conexión/, /Tu navegador bloqueó/], "Intentar de nuevo"],
]) {
  noticeTest(
    `in ${locale} the message says what the customer can do`,
    async ({ fail, alert, button, container }) => {
      const [failed, offline, blocked] = texts;
      for (const [text, ...failure] of [
        [failed, "unreachable"],
        [offline, "offline"],
        [blocked, "blocked"],
        [failed, "blocked", "frame-src"],
      ]) {
        await fail(...failure);
        assert.match(alert().textContent, text, failure.join(" "));
        assert.deepEqual([button().textContent, button().type], [label, "button"]);
        assert.equal(alert().closest("[lang]").lang, lang);
        assert.equal(container.querySelectorAll("[role=alert]").length, 1);
      }
    },
    {},
    { locale },
  );
}

noticeTest("the button renews once, and keeps the focus for another try", async (it) => {
  const { fail, button, alert, fake, form, frame, deliver, hasFocus } = it;
  await fail();
  assert.equal(await outcome(form), "open");
  button().focus();
  button().click();
  button().click();
  await settled();
  assert.deepEqual([fake.renewals, button().textContent], [1, "Trying again…"]);
  assert.deepEqual([button().getAttribute("aria-disabled"), button().disabled], ["true", false]);
  await fail("offline");
  assert.deepEqual([button().textContent, button().getAttribute("aria-disabled")], ["Try again", "false"]);
  hasFocus(button());
  assert.match(alert().textContent, /offline/);
  button().click();
  await deliver("READY", START, SUCCESS);
  assert.equal(await outcome(form), "card");
  hasFocus(frame);
});

noticeTest("a failed renewal can be retried, unless no retry can help", async (it) => {
  const { fail, button, fake, form } = it;
  await fail();
  for (const [error, expected] of [
    [failureOf("NetworkFailure", true), "open"],
    [failureOf("Unauthorized", false), "Unauthorized"],
  ]) {
    fake.failRenewal(error);
    button().click();
    assert.deepEqual([await outcome(form), button().textContent], [expected, "Try again"]);
  }
});

const THEME = {
  foreground: "#0a0a0a",
  text: "#f0f0f0",
  primary: "#000080",
  font: "'Source Sans 3', serif",
  buttonRadius: "50%",
  buttonTextCase: "UPPER",
  buttonLetterSpacing: "0.05em",
};
noticeTest(
  "it follows the theme's colors, fonts and corners, and its updates",
  async ({ fail, alert, button, form }) => {
    const colors = ({ backgroundColor, color }) => [backgroundColor, color];
    await fail();
    const { style } = alert().parentNode;
    assert.deepEqual(colors(style), ["rgb(10, 10, 10)", "rgb(240, 240, 240)"]);
    assert.match(style.fontFamily, /^"?Source Sans 3"?, serif, /);
    const { backgroundColor, borderRadius, textTransform, letterSpacing } = button().style;
    const shape = [backgroundColor, borderRadius, textTransform, letterSpacing];
    assert.deepEqual(shape, ["rgb(0, 0, 128)", "50%", "uppercase", "0.05em"]);
    form.update({ theme: { foreground: "#fff", text: "#111" } });
    await fail();
    assert.deepEqual(colors(alert().parentNode.style), ["rgb(255, 255, 255)", "rgb(17, 17, 17)"]);
  },
  { theme: THEME },
);

noticeTest("without a theme it has the colors of lightTheme", async ({ fail, alert, button }) => {
  await fail();
  const canonical = (color) => Object.assign(document.createElement("i").style, { color }).color;
  const { border, backgroundColor, color } = alert().parentNode.style;
  const { backgroundColor: buttonColor, color: buttonText } = button().style;
  const { divider, foreground, text, ...theme } = lightTheme;
  assert.deepEqual([backgroundColor, color, buttonColor, buttonText], [
    foreground, text, theme.buttonColor, theme.buttonText,
  ].map(canonical));
  assert.ok(border.includes(divider) || border.includes(canonical(divider)), border);
});

for (const [theme, text, label] of [
  [{ primary: "#00aa77" }, lightTheme.text, "#000"],
  [{ foreground: "#101010", buttonColor: "#ffffff" }, "#fff", "#000"],
  [undefined, lightTheme.text, lightTheme.buttonText],
]) {
  const readable = async ({ fail, alert, button, document }) => {
    await fail();
    const canonical = (color) => Object.assign(document.createElement("i").style, { color }).color;
    const colors = [alert().parentNode, button()].map(({ style }) => canonical(style.color));
    assert.deepEqual(colors, [text, label].map(canonical));
  };
  noticeTest(`its text stays readable with the theme ${JSON.stringify(theme)}`, readable, { theme });
}

for (const [what, options, setting, button] of [
  ["text for the code", {}, { locale: "fr", message: "Indisponible." }, "Try again"],
  ["own texts", { loadError: { message: "Indisponible.", button: "Réessayer" } }, {}, "Réessayer"],
]) {
  const shown = async (it) => {
    await it.fail("offline");
    assert.deepEqual([it.alert().textContent, it.button().textContent], ["Indisponible.", button]);
    assert.equal(it.alert().closest("[lang]"), null);
  };
  noticeTest(`the page's ${what} replaces every message`, shown, options, setting);
}

noticeTest(
  "the page's own element replaces it at each failure",
  async ({ fail, frame, deliver, form, document, hasFocus }) => {
    for (let i = 0; i < 2; i += 1) {
      await fail();
      assert.equal(frame.nextSibling.firstChild.id, "own");
      form.focus();
      hasFocus(document.querySelector("#own button"));
      await deliver("READY");
      assert.equal(document.querySelector("#own"), null);
    }
    assert.equal(await outcome(form), "open");
  },
  (document) => {
    const own = Object.assign(document.createElement("p"), { id: "own" });
    own.append(document.createElement("button"));
    return { loadError: own };
  },
);

const failures = [];
let content;
noticeTest(
  "a function gets the failure and returns an element, texts or nothing",
  async ({ t, fail, container, frame, alert, fake, document }) => {
    const failWith = (next, ...failure) => ((content = next), fail(...failure));
    await failWith(() => document.createElement("hr"), "blocked", "frame-src");
    assert.ok(container.querySelector("hr"));
    const { retry, ...failure } = failures.at(-1);
    assert.deepEqual(failure, { reason: "blocked", directive: "frame-src", message: FAILED });
    await retry();
    assert.equal(fake.renewals, 1);
    await failWith(() => ({ message: "Own" }), "offline");
    assert.equal(alert().textContent, "Own");
    assert.deepEqual(Object.keys(failures.at(-1)), ["reason", "message", "retry"]);
    await failWith(() => "auto");
    assert.equal(alert().textContent, FAILED);
    await failWith(() => undefined);
    assert.deepEqual([alert(), frame.style.display, frame.nextSibling.childNodes.length], [null, "none", 0]);
    const reported = [];
    replaceGlobal(t, "reportError", { value: (error) => reported.push(error.message) });
    await failWith(() => {
      throw new Error("in the page");
    });
    assert.deepEqual([alert().textContent, reported], [FAILED, ["in the page"]]);
  },
  { loadError: (failure) => (failures.push(failure), content()) },
);

for (const [name, end] of [
  ["destroyed", ({ form }) => form.destroy()],
  ["left without its kit", ({ handle }) => handle.destroy()],
]) {
  noticeTest(`a form ${name} leaves no message`, async (it) => {
    await it.fail();
    await end(it);
    assert.equal(it.container.children.length, 0);
  });
}

noticeTest(
  "a form with autoFocus takes the focus once, at its first load",
  async ({ fail, deliver, frame, input, hasFocus }) => {
    await fail();
    await deliver("READY");
    hasFocus(frame);
    input.focus();
    await deliver("READY");
    hasFocus(input);
  },
  { autoFocus: true, loadError: () => {} },
);
