import assert from "node:assert/strict";
import { EXPIRED, FAIL, sessionId, START, SUCCESS, violate } from "./card-page.mjs";
import { errorOf, ID, OPTIONS, OTHER, refusal, service } from "./kit.mjs";
import { test, withReact } from "./react-page.mjs";

const denied = () => refusal("AccessDenied", 403);

withReact((page) => {
  const { h, React, RemitKitProvider, CardForm, calls } = page;

  async function mounted(props = {}, { waits = true, ...rendering } = {}) {
    const remit = await page.newKit();
    calls.length = 0;
    const told = [];
    const ref = React.createRef();
    const listeners = {
      onEvent: ({ type }) => told.push(type),
      onReady: (form) => told.push(`ready ${form.sessionId}`),
      onCompleted: ({ cardId }) => told.push(`completed ${cardId}`),
      onError: ({ code }) => told.push(`error ${code}`),
    };
    const tree = (props, kit = remit) =>
      h(RemitKitProvider, { remit: kit }, h(CardForm, { ref, ...listeners, ...props }));
    const { render, unmount, container } = await page.render(tree(props), rendering);
    if (waits) {
      await page.until(() => ref.current?.form !== undefined);
    }
    return {
      remit,
      told,
      ref,
      tree,
      render,
      unmount,
      container,
      show: (props, kit) => render(tree(props, kit)),
    };
  }

  const optionsOf = ([, { container: _, ...options }]) => JSON.parse(JSON.stringify(options));

  test("StrictMode's double mount makes one form and leaves nothing behind", async () => {
    const { container, unmount } = await mounted({ title: "Your card" });
    assert.equal(page.callsOf("cardForm").length, 1);
    assert.deepEqual(optionsOf(page.callsOf("cardForm")[0]), { title: "Your card", height: 620 });
    assert.equal(container.querySelectorAll("iframe").length, 1);
    assert.equal(container.firstChild.getAttribute("aria-busy"), "true");
    await unmount();
    assert.equal(container.innerHTML, "");
    assert.equal(page.callsOf("destroyForm").length, 1);
  });

  test("unmounting while the form is being made leaves nothing", async () => {
    const held = page.sessions.hold();
    const { unmount, told, container } = await mounted({}, { waits: false });
    await page.settle();
    assert.equal(page.callsOf("cardForm").length, 1);
    await unmount();
    assert.equal(page.callsOf("cardForm")[0][2].signal.aborted, true);
    await held[0]();
    assert.deepEqual([container.innerHTML, told], ["", []]);
  });

  test("a load failure shows in the form's place, as the page renders it", async () => {
    const fail = async (form) => {
      await page.act(async () => violate("frame-src", form.ref.current.form.url));
      await page.settle();
    };
    const retried = [];
    const loadError = ({ reason, retry }) => h("button", { onClick: () => retried.push(retry()) }, reason);
    const form = await mounted({ loadError });
    const { container, told } = form;
    await fail(form);
    const frame = container.querySelector("iframe");
    assert.deepEqual([container.querySelector("button").textContent, frame.style.display], ["blocked", "none"]);
    await form.show({ loadError: () => "Words alone" });
    assert.equal(container.textContent, "Words alone");
    assert.equal(container.querySelector("iframe"), frame, "words take nothing away");
    await form.show({ loadError });
    await page.act(async () => container.querySelector("button").click());
    await page.act(() => Promise.all(retried));
    await page.load();
    assert.deepEqual([container.querySelector("button"), frame.style.display], [null, "block"]);
    assert.deepEqual(told, ["LOAD_FAILED", "READY", `ready ${sessionId(2)}`]);
    form.ref.current.focus();
    assert.equal(document.activeElement, frame);
    await form.unmount();

    const usual = await mounted({ loadError: { button: "Again" } });
    await fail(usual);
    assert.equal(usual.container.querySelector("button").textContent, "Again");
    await page.act(() => usual.ref.current.destroy());
    assert.equal(usual.container.firstChild.childNodes.length, 0);
    await usual.unmount();

    const none = await mounted({ loadError: "never" });
    await fail(none);
    assert.deepEqual(none.told, ["LOAD_FAILED", "error CardFormLoadFailed"]);
    await none.unmount();
  });

  test("events, card and errors reach the newest render's listeners in order", async () => {
    const { told, show, container } = await mounted();
    await page.load();
    assert.equal(container.firstChild.getAttribute("aria-busy"), "false");
    await page.say(START, FAIL);
    const later = [];
    await show({ onEvent: ({ type }) => later.push(type), onCompleted: (card) => later.push(card) });
    await page.pay("c");
    assert.deepEqual(told, ["READY", `ready ${sessionId(1)}`, START, FAIL]);
    assert.deepEqual(later, [START, SUCCESS, { cardId: "c", sessionId: sessionId(1) }]);
    assert.equal(page.callsOf("cardForm").length, 1);
  });

  test("a listener that throws is reported and stops nothing", async () => {
    const thrown = [];
    globalThis.reportError = (error) => thrown.push(error.message);
    try {
      const { told } = await mounted({
        onEvent: () => {
          throw new Error("the page's own");
        },
      });
      await page.load();
      await page.pay("c");
      assert.deepEqual(told, [`ready ${sessionId(1)}`, "completed c"]);
      assert.deepEqual(thrown, Array(3).fill("the page's own"));
    } finally {
      delete globalThis.reportError;
    }
  });

  test("another theme updates the form, an equal one does nothing", async () => {
    const { show, ref } = await mounted({ theme: { primary: "#0a7", lng: "en" } });
    const { form } = ref.current;
    await show({ theme: { lng: "en", primary: "#0a7" } });
    assert.equal(page.callsOf("update").length, 0);
    await show({ theme: { primary: "#00f" } });
    await show({});
    assert.deepEqual(page.callsOf("update").map(([, { theme }]) => theme), [{ primary: "#00f" }, {}]);
    await show({ title: "Other", height: 700 });
    assert.deepEqual([form.element.title, form.element.style.height], ["Other", "700px"]);
    assert.equal(form.element.parentNode.style.height, "700px");
    await show({});
    assert.deepEqual([form.element.title, form.element.style.height], ["Card details", "620px"], "nobody's name stays");
    assert.deepEqual([page.callsOf("cardForm").length, ref.current.form], [1, form]);
  });

  test("a form appears once its refused first theme and height are fixed", async () => {
    const { show, told, ref } = await mounted({ theme: { primary: NaN }, height: -5 }, { waits: false });
    await page.settle();
    assert.deepEqual([told, ref.current.form], [["error InvalidRequest"], undefined]);
    await show({ theme: { primary: NaN }, height: -5 });
    assert.equal(told.length, 1, "the same wrong again is not told again");
    await show({ theme: { primary: "#076" }, height: -5 });
    await page.settle();
    assert.deepEqual([told.length, ref.current.form], [2, undefined]);
    await show({ theme: { primary: "#076" }, height: 500 });
    await page.until(() => ref.current.form);
    assert.deepEqual([told.length, ref.current.form.element.style.height], [2, "500px"]);
  });

  test("a theme that changes while the form is being made is applied later", async () => {
    const held = page.sessions.hold();
    const { show, ref } = await mounted({ theme: { lng: "en" } }, { waits: false });
    await page.settle();
    await show({ theme: { lng: "es-MX" } });
    await page.act(held[0]);
    await page.until(() => ref.current.form);
    assert.deepEqual(page.callsOf("update").map(([, { theme }]) => theme), [{ lng: "es-MX" }]);
  });

  test("a refused theme is reported", async () => {
    const { show, told } = await mounted();
    await show({ theme: { primary: NaN } });
    assert.deepEqual(told, ["error InvalidRequest"]);
  });

  test("another session or kit makes another form and removes the first", async () => {
    const { show, container } = await mounted({ sessionId: ID });
    await show({ sessionId: OTHER });
    await page.until(() => page.callsOf("cardForm").length === 2);
    await show({ sessionId: OTHER }, await page.newKit());
    await page.until(() => page.callsOf("cardForm").length === 3);
    assert.deepEqual(
      page.callsOf("cardForm").map((call) => optionsOf(call).sessionId),
      [ID, OTHER, OTHER],
    );
    await page.settle();
    assert.equal(container.querySelectorAll("iframe").length, 1);
    assert.equal(page.callsOf("destroyForm").length, 2);
  });

  test("an expired session is reported; after a renewal a card succeeds", async () => {
    const { told, ref } = await mounted();
    await page.say(EXPIRED);
    const over = "error InvalidCardOnboardingSession";
    assert.deepEqual(told.splice(0), ["READY", `ready ${sessionId(1)}`, EXPIRED, over]);
    await page.act(() => ref.current.renew());
    assert.equal(ref.current.form.sessionId, sessionId(2));
    await page.load();
    await page.pay("d");
    assert.deepEqual(told, ["READY", `ready ${sessionId(2)}`, START, SUCCESS, "completed d"]);
    assert.equal(page.callsOf("cardForm").length, 1);
  });

  test("a form that cannot be shown reports once; a renewal shows another", async () => {
    const { answer } = service;
    service.answer = denied;
    const { told, ref, container } = await mounted({ sessionId: ID }, { waits: false });
    await page.until(() => told.length > 0);
    assert.deepEqual([told, ref.current.form], [["error AccessDenied"], undefined]);
    assert.equal((await errorOf(page.act(() => ref.current.renew()))).code, "AccessDenied");
    service.answer = answer;
    await page.act(() => ref.current.renew());
    assert.deepEqual(told, ["error AccessDenied"], "who calls is told by the call");
    const sessions = page.callsOf("cardForm").map((call) => optionsOf(call).sessionId);
    assert.deepEqual(sessions, [ID, undefined, undefined]);
    assert.ok(container.querySelector("iframe"));
  });

  test("a failed renewal rejects and does not call onError", async () => {
    const { told, ref } = await mounted();
    await page.say(EXPIRED);
    told.length = 0;
    page.sessions.open = denied;
    assert.equal((await errorOf(page.act(() => ref.current.renew()))).code, "AccessDenied");
    await page.settle();
    assert.deepEqual(told, []);
  });

  test("destroying by the ref is silent, and renewing brings the form back", async () => {
    const { told, ref, container, unmount } = await mounted();
    await page.act(async () => ref.current.destroy());
    await page.act(async () => ref.current.destroy());
    assert.deepEqual([told, container.querySelector("iframe"), ref.current.form], [[], null, undefined]);
    await page.act(() => ref.current.renew());
    assert.ok(container.querySelector("iframe"));
    const handle = ref.current;
    await unmount();
    assert.equal((await errorOf(handle.renew())).code, "CardFormDestroyed");
    assert.equal(handle.form, undefined);
    handle.destroy();
  });

  test("a form renewed and removed while being made does not come back", async () => {
    for (const remove of ["unmount", "destroy"]) {
      const held = page.sessions.hold();
      const { ref, unmount, container } = await mounted({}, { waits: false });
      await page.settle();
      const renewing = errorOf(ref.current.renew());
      await (remove === "unmount" ? unmount() : page.act(async () => ref.current.destroy()));
      await page.act(held[0]);
      assert.equal((await renewing).code, "CardFormDestroyed", remove);
      await page.settle();
      assert.deepEqual(
        [page.callsOf("cardForm").length, container.querySelector("iframe")],
        [1, null],
        remove,
      );
    }
  });

  test("two renewals at once make one form", async () => {
    const { ref, container } = await mounted();
    await page.act(async () => ref.current.destroy());
    await page.act(() => Promise.all([ref.current.renew(), ref.current.renew()]));
    assert.equal(container.querySelectorAll("iframe").length, 1);
    assert.equal(page.callsOf("cardForm").length, 2);
  });

  test("a renewal rejects if the form is removed meanwhile", async () => {
    const { ref } = await mounted();
    await page.act(async () => ref.current.destroy());
    const renewing = errorOf(ref.current.renew());
    await page.act(async () => ref.current.destroy());
    assert.equal((await renewing).code, "CardFormDestroyed");
  });

  test("a renewal can be aborted while the form is being made", async () => {
    const { ref, container } = await mounted();
    await page.act(async () => ref.current.destroy());
    page.sessions.hold();
    const controller = new AbortController();
    const renewing = errorOf(page.act(() => ref.current.renew({ signal: controller.signal })));
    await page.settle();
    controller.abort();
    assert.deepEqual([(await renewing).kind, container.querySelector("iframe")], ["aborted", null]);
  });

  test("an aborted or invalid signal ends a renewal before any request", async () => {
    const { ref } = await mounted();
    await page.act(async () => ref.current.destroy());
    service.requests.length = 0;
    const ended = await errorOf(page.act(() => ref.current.renew({ signal: AbortSignal.abort() })));
    assert.equal(ended.kind, "aborted");
    const error = await errorOf(page.act(() => ref.current.renew({ signal: "no" })));
    assert.deepEqual([error.code, error.option], ["InvalidRequest", "signal"]);
    assert.deepEqual(service.requests, []);
  });

  test("a kit that fails to load is reported, and nothing can be renewed", async () => {
    const { told, ref, show, container } = await mounted();
    await show({}, {});
    assert.deepEqual(told, ["error InvalidConfiguration"]);
    assert.equal((await errorOf(ref.current.renew())).code, "CardFormDestroyed");
    assert.equal(container.querySelector("iframe"), null);
  });

  test("a kit that ends takes its form along and reports it", async () => {
    const { remit, told, container, ref } = await mounted();
    assert.ok(ref.current.form);
    await page.act(() => remit.destroy());
    await page.settle();
    assert.deepEqual([told, container.querySelector("iframe")], [["error Destroyed"], null]);
    assert.equal(ref.current.form, undefined, "a form that has ended is not given out");
  });

  // React 19 introduced custom elements' properties in JSX, and trees that are kept without effects.
  if (page.React.version.startsWith("19.")) {
    test("the element takes its kit, theme and listeners from JSX", async () => {
      page.defineRemitCardForm();
      const remit = await page.newKit();
      const told = [];
      const oncompleted = ({ detail }) => told.push(detail.cardId);
      const tree = (theme) =>
        h("remit-card-form", { remit, theme, oncompleted, required: true, height: 500 });
      const { container, render, unmount } = await page.render(tree({ lng: "en" }));
      await page.until(() => container.firstChild.cardForm);
      await render(tree({ lng: "es-MX" }));
      await page.settle();
      await page.pay("c");
      assert.deepEqual(told, ["c"]);
      assert.deepEqual(page.callsOf("update").map(([, { theme }]) => theme), [{ lng: "es-MX" }]);
      assert.deepEqual([page.callsOf("cardForm").length, container.firstChild.height], [1, 500]);
      await unmount();
      await page.settle();
      assert.equal(page.callsOf("destroyForm").length, 1);
    });

    test("hiding removes the form and kit, and showing brings them back", async () => {
      const told = [];
      const onError = ({ code }) => told.push(code);
      const tree = (mode) =>
        h(React.Activity, { mode }, h(RemitKitProvider, { options: OPTIONS }, h(CardForm, { onError })));
      const { container, render } = await page.render(tree("visible"));
      await page.until(() => container.querySelector("iframe"));
      await render(tree("hidden"));
      await page.settle();
      assert.deepEqual([container.querySelector("iframe"), page.callsOf("end").length, told], [null, 1, []]);
      await render(tree("visible"));
      await page.until(() => container.querySelector("iframe"));
      assert.deepEqual([page.callsOf("new").length, page.callsOf("cardForm").length], [2, 2]);
    });
  }
});
