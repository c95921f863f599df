// React's component, and the controller that it shares with the custom element.

import assert from "node:assert/strict";
import { EXPIRED, FAIL, sessionId, START, SUCCESS, violate } from "./card-page.mjs";
import { assertRefused, errorOf, ID, never, OTHER } from "./kit.mjs";
import { refusal, service } from "./kit.mjs";
import { test, withReact } from "./react-page.mjs";

const denied = () => refusal("AccessDenied", 403);
const codeOf = async (work) => (await errorOf(work)).code;

withReact((page) => {
  const { h, React, RemitKitProvider, CardForm, calls, created, act } = page;

  /** Renders a form; `heard` is what its listeners got. */
  async function mounted(props = {}, { waits = true } = {}) {
    const remit = await page.newKit();
    calls.length = 0;
    const heard = [];
    const ref = React.createRef();
    const listeners = {
      onEvent: ({ type }) => heard.push(type),
      onReady: (form) => heard.push(`ready ${form.sessionId}`),
      onCompleted: ({ cardId }) => heard.push(`completed ${cardId}`),
      onError: ({ code }) => heard.push(`error ${code}`),
    };
    const tree = (props, kit = remit) =>
      h(RemitKitProvider, { remit: kit }, h(CardForm, { ref, ...listeners, ...props }));
    const { render, unmount, container } = await page.render(tree(props));
    if (waits) await page.until(() => ref.current?.form !== undefined);
    else await page.settle();
    const show = (props, kit) => render(tree(props, kit));
    const destroy = () => act(async () => ref.current.destroy());
    const renew = (options) => act(() => ref.current.renew(options));
    const frame = () => container.querySelector("iframe");
    return { remit, heard, ref, show, unmount, container, destroy, renew, frame };
  }

  const themes = () => page.callsOf("update").map(([, { theme }]) => theme);

  test("StrictMode's double mount makes one form and leaves nothing behind", async () => {
    const { container, unmount } = await mounted({ title: "Your card" });
    assert.deepEqual(created(), [{ title: "Your card", height: 620 }]);
    assert.equal(container.querySelectorAll("iframe").length, 1);
    assert.equal(container.firstChild.getAttribute("aria-busy"), "true");
    await unmount();
    assert.deepEqual([container.innerHTML, page.callsOf("destroyForm").length], ["", 1]);
  });

  test("a load failure shows in the form's place, as the page renders it", async () => {
    const block = (form) => act(() => violate("frame-src", form.ref.current.form.url));
    const retried = [];
    const loadError = ({ reason, retry }) => h("button", { onClick: () => retried.push(retry()) }, reason);
    const form = await mounted({ loadError });
    const { container, heard, frame } = form;
    await block(form);
    const button = () => container.querySelector("button");
    assert.deepEqual([button().textContent, frame().style.display], ["blocked", "none"]);
    await form.show({ loadError: () => "Words alone" });
    assert.deepEqual([container.textContent, frame().style.display], ["Words alone", "none"]);
    await form.show({ loadError });
    await act(async () => button().click());
    await act(() => Promise.all(retried));
    await page.load();
    assert.deepEqual([button(), frame().style.display], [null, "block"]);
    assert.deepEqual(heard, ["LOAD_FAILED", "READY", `ready ${sessionId(2)}`]);
    form.ref.current.focus();
    assert.equal(document.activeElement, frame());
    await form.unmount();

    const usual = await mounted({ loadError: { button: "Again" } });
    await block(usual);
    assert.equal(usual.container.querySelector("button").textContent, "Again");
    await usual.destroy();
    assert.equal(usual.container.firstChild.childNodes.length, 0);
  });

  test("events, card and errors reach the newest render's listeners in order", async () => {
    const { heard, show, container } = await mounted();
    await page.load();
    assert.equal(container.firstChild.getAttribute("aria-busy"), "false");
    await page.say(START, FAIL);
    const later = [];
    await show({ onEvent: ({ type }) => later.push(type), onCompleted: (card) => later.push(card) });
    await page.verify("c");
    assert.deepEqual(heard, ["READY", `ready ${sessionId(1)}`, START, FAIL]);
    assert.deepEqual(later, [START, SUCCESS, { cardId: "c", sessionId: sessionId(1) }]);
  });

  test("another theme, title or height updates the form; an equal one does nothing", async () => {
    const { show, ref, heard } = await mounted({ theme: { primary: "#0a7", lng: "en" } });
    const { form } = ref.current;
    await show({ theme: { lng: "en", primary: "#0a7" } });
    assert.deepEqual(themes(), []);
    await show({ theme: { primary: "#00f" } });
    await show({});
    assert.deepEqual(themes(), [{ primary: "#00f" }, {}]);
    await show({ title: "Other", height: 700 });
    const { element } = form;
    const look = () => [element.title, element.style.height, element.parentNode.style.height];
    assert.deepEqual(look(), ["Other", "700px", "700px"]);
    await show({});
    assert.deepEqual(look(), ["Card details", "620px", "620px"]);
    await show({ theme: { primary: NaN } });
    assert.deepEqual(heard, ["error InvalidRequest"]);
    assert.deepEqual([created().length, ref.current.form], [1, form]);
  });

  test("another session or kit makes another form and removes the first", async () => {
    const { show, container } = await mounted({ sessionId: ID });
    await show({ sessionId: OTHER });
    await page.until(() => created().length === 2);
    await show({ sessionId: OTHER }, await page.newKit());
    await page.until(() => created().length === 3);
    await page.settle();
    assert.deepEqual(created().map(({ sessionId }) => sessionId), [ID, OTHER, OTHER]);
    assert.equal(container.querySelectorAll("iframe").length, 1);
    assert.equal(page.callsOf("destroyForm").length, 2);
  });

  test("an expired session is reported; after a renewal a card succeeds", async () => {
    const { heard, ref, renew } = await mounted();
    await page.say(EXPIRED);
    const expired = ["READY", `ready ${sessionId(1)}`, EXPIRED, "error InvalidCardOnboardingSession"];
    assert.deepEqual(heard.splice(0), expired);
    const { open } = page.sessions;
    page.sessions.open = denied;
    assert.equal(await codeOf(renew()), "AccessDenied");
    await page.settle();
    assert.deepEqual(heard, [], "the caller has the error");
    page.sessions.open = open;
    await renew();
    assert.equal(ref.current.form.sessionId, sessionId(3));
    await page.load();
    await page.verify("d");
    assert.deepEqual(heard, ["READY", `ready ${sessionId(3)}`, START, SUCCESS, "completed d"]);
  });

  test("a form that cannot be shown reports once; a renewal shows another", async () => {
    const { answer } = service;
    service.answer = denied;
    const { heard, ref, frame, renew } = await mounted({ sessionId: ID }, { waits: false });
    await page.until(() => heard.length > 0);
    assert.equal(ref.current.form, undefined);
    assert.equal(await codeOf(renew()), "AccessDenied");
    service.answer = answer;
    await renew();
    assert.deepEqual(heard, ["error AccessDenied"]);
    assert.deepEqual(created().map(({ sessionId }) => sessionId), [ID, undefined, undefined]);
    assert.ok(frame());
  });

  test("destroying by the ref is silent, and renewals at once bring one form back", async () => {
    const { heard, ref, frame, unmount, destroy } = await mounted();
    await destroy();
    await destroy();
    assert.deepEqual([heard, frame(), ref.current.form], [[], null, undefined]);
    await act(() => Promise.all([ref.current.renew(), ref.current.renew()]));
    assert.ok(frame());
    assert.equal(created().length, 2);
    const handle = ref.current;
    await unmount();
    assert.equal(await codeOf(handle.renew()), "CardFormDestroyed");
    assert.equal(handle.form, undefined);
    handle.destroy();
  });

  test("a form renewed and removed while being made does not come back", async () => {
    for (const remove of ["unmount", "destroy"]) {
      const held = page.sessions.hold();
      const { ref, unmount, destroy, frame, heard } = await mounted({}, { waits: false });
      const renewing = codeOf(ref.current.renew());
      await (remove === "unmount" ? unmount() : destroy());
      assert.equal(page.callsOf("cardForm")[0][2].signal.aborted, true);
      await act(held[0]);
      assert.equal(await renewing, "CardFormDestroyed", remove);
      await page.settle();
      assert.deepEqual([created().length, frame(), heard], [1, null, []], remove);
    }
  });

  test("a renewal ends when the form is removed or its signal aborted", async () => {
    const { ref, frame, destroy, renew } = await mounted();
    await destroy();
    const renewing = codeOf(ref.current.renew());
    await destroy();
    assert.equal(await renewing, "CardFormDestroyed");
    service.requests.length = 0;
    assert.equal(await codeOf(renew({ signal: AbortSignal.abort() })), "Aborted");
    await assertRefused((signal) => renew({ signal }), [["no", "signal"]]);
    assert.deepEqual(service.requests, []);
    page.sessions.open = never;
    const controller = new AbortController();
    const aborted = codeOf(renew({ signal: controller.signal }));
    await page.settle();
    controller.abort();
    assert.deepEqual([await aborted, frame()], ["Aborted", null]);
  });

  test("a kit that fails or ends is reported and leaves no form", async () => {
    const { remit, heard, frame, ref, show, renew } = await mounted();
    await act(() => remit.destroy());
    await page.settle();
    assert.deepEqual([heard, frame(), ref.current.form], [["error Destroyed"], null, undefined]);
    await show({}, {});
    assert.equal(heard.at(-1), "error InvalidConfiguration");
    assert.deepEqual([await codeOf(renew()), frame()], ["CardFormDestroyed", null]);
  });

  // React 19 introduced custom elements' properties in JSX.
  if (page.React.version.startsWith("19.")) {
    test("the element takes its kit, theme and listeners from JSX", async () => {
      page.defineRemitCardForm();
      const remit = await page.newKit();
      const cards = [];
      const oncompleted = ({ detail }) => cards.push(detail.cardId);
      const props = { remit, oncompleted, required: true, height: 500 };
      const tree = (lng) => h("remit-card-form", { ...props, theme: { lng } });
      const { container, render, unmount } = await page.render(tree("en"));
      await page.until(() => container.firstChild.cardForm);
      await render(tree("es-MX"));
      await page.settle();
      await page.verify("c");
      assert.deepEqual([cards, themes(), created().length], [["c"], [{ lng: "es-MX" }], 1]);
      assert.equal(container.firstChild.height, 500);
      await unmount();
      await page.settle();
      assert.equal(page.callsOf("destroyForm").length, 1);
    });
  }
});
