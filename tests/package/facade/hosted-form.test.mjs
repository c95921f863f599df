// A form whose container the page takes out, or that cannot be put back into it.

import assert from "node:assert/strict";
import { formTest, sessionId } from "./card-page.mjs";
import { errorOf, settled } from "./kit.mjs";

const language = (form) => new URL(form.element.src).searchParams.get("lng");
const outcome = ({ completed }) => Promise.race([completed.catch((error) => error), settled().then(() => "open")]);

formTest("a form outside the document refuses a theme or renewal unchanged", async (it) => {
  const { form, sessions, container, window } = it;
  const { url } = form;
  container.remove();
  for (const refused of [() => form.update({ theme: { lng: "es-MX" } }), () => form.renew()]) {
    assert.equal((await errorOf(refused)).option, "container");
  }
  assert.deepEqual([form.sessionId, form.url], [sessionId(1), url]);
  assert.equal(sessions.opened.length, 1, "no session was opened for nothing");
  window.document.body.append(container);
  form.update({ theme: { lng: "en" } });
  assert.equal(language(form), "en");
  container.remove();
  await errorOf(() => form.update({ theme: { lng: "es-MX" } }));
  window.document.body.append(container);
  await form.renew();
  assert.deepEqual([form.sessionId, language(form)], [sessionId(2), "en"]);
});

formTest("removing a form during a renewal keeps its session", async (it) => {
  const { form, sessions, container, window } = it;
  const held = sessions.hold();
  const renewed = errorOf(form.renew());
  await settled();
  container.remove();
  await held[0]();
  assert.equal((await renewed).option, "container");
  window.document.body.append(container);
  form.update({ theme: { lng: "en" } });
  assert.deepEqual([form.sessionId, language(form)], [sessionId(1), "en"]);
});

formTest("a renewal that cannot be shown gives way to one that can", async (it) => {
  const { form, sessions, container, window } = it;
  const held = sessions.hold();
  const [first, second] = [form.renew(), errorOf(form.renew())];
  await settled();
  container.remove();
  await held[1]();
  assert.equal((await second).option, "container");
  window.document.body.append(container);
  await held[0]();
  await first;
  assert.equal(form.sessionId, sessionId(2));
});

const CHANGES = [
  ["a new session", (form) => form.renew()],
  ["another theme", (form) => form.update({ theme: { lng: "en" } })],
];

for (const [name, change] of CHANGES) {
  formTest(`the page may destroy a form as its frame moves: ${name}`, async (it) => {
    const { form, remit } = it;
    const { element } = form;
    element.remove = () => {
      delete element.remove;
      form.destroy();
    };
    await (async () => change(form))().catch(() => {});
    await settled();
    assert.deepEqual([element.isConnected, element.hasAttribute("src")], [false, false]);
    assert.equal((await errorOf(form.completed)).code, "CardFormDestroyed");
    assert.ok((await remit.nonce()).nonce, "the kit is sound");
  });

  formTest(`a form that cannot be reinserted fails until renewed: ${name}`, async (it) => {
    const { form, container } = it;
    container.append = container.insertBefore = container.appendChild = () => {
      throw new Error("the page's own");
    };
    const error = await errorOf(() => change(form));
    assert.deepEqual([error.name, error.option], ["RemitError", "container"]);
    assert.deepEqual(await outcome(form), error);
    for (const method of ["append", "insertBefore", "appendChild"]) {
      delete container[method];
    }
    await form.renew();
    assert.equal(await outcome(form), "open");
    assert.equal(form.element.parentNode, container);
  });
}
