// The form itself and not a fake one, in a page of jsdom, over the fake core.

import assert from "node:assert/strict";
import { test } from "node:test";
import { JSDOM } from "jsdom";
import { errorOf, facadeFolder, settled } from "./facade.mjs";

const { load } = await facadeFolder();
const { CardForm } = await load("card-form.js");
const { HostedForm } = await load("hosted-form.js");
const { FakeHandle } = await load("testing/fake-handle.js");

const CARD_ORIGIN = "https://card.example";

/** A test with a form in a container. Sessions are numbered as they are opened, by `driver.open`. */
function hostedTest(name, work) {
  test(name, async () => {
    const { document } = new JSDOM("<div></div>", { url: "https://shop.example" }).window;
    const container = document.querySelector("div");
    const driver = {
      opened: 0,
      open: async (id) => ({ id, expirationDate: "2030-01-01T00:00:00Z" }),
      call() {
        this.opened += 1;
        return this.open(`session-${this.opened}`);
      },
      cardFormUrl: (id, theme) => `${CARD_ORIGIN}/${id}#${JSON.parse(theme).lng ?? ""}`,
    };
    const form = await CardForm.over(new FakeHandle(), (_, deliver, signal) =>
      HostedForm.mount(driver, container, CARD_ORIGIN, {}, deliver, signal),
    );
    try {
      await work({ form, driver, container, page: document.body });
    } finally {
      form.destroy();
    }
  });
}

const outcome = ({ completed }) => Promise.race([completed.catch((error) => error), settled().then(() => "open")]);

hostedTest("out of the page a form refuses a theme and a new session, and stays as it was", async (it) => {
  const { form, driver, container, page } = it;
  container.remove();
  for (const refused of [() => form.update({ theme: { lng: "es-MX" } }), () => form.renew()]) {
    assert.equal((await errorOf(refused)).option, "container");
  }
  assert.deepEqual([form.sessionId, form.url], ["session-1", `${CARD_ORIGIN}/session-1#`]);
  assert.equal(driver.opened, 1, "no session was opened for nothing");
  page.append(container);
  form.update({ theme: { lng: "en" } });
  assert.equal(form.element.src, `${CARD_ORIGIN}/session-1#en`);
  container.remove();
  await errorOf(() => form.update({ theme: { lng: "es-MX" } }));
  page.append(container);
  await form.renew();
  assert.equal(form.element.src, `${CARD_ORIGIN}/session-2#en`);
});

hostedTest("a form that leaves the page while its session is opened keeps the one that it has", async (it) => {
  const { form, driver, container, page } = it;
  const { open } = driver;
  let answer;
  driver.open = (id) => new Promise((resolve) => (answer = () => resolve(open(id))));
  const renewed = errorOf(form.renew());
  container.remove();
  answer();
  assert.equal((await renewed).option, "container");
  page.append(container);
  form.update({ theme: { lng: "en" } });
  assert.equal(form.url, `${CARD_ORIGIN}/session-1#en`);
});

hostedTest("a new session that could not be shown is no newer than one that comes after it", async (it) => {
  const { form, driver, container, page } = it;
  const { open } = driver;
  const answers = [];
  driver.open = (id) => new Promise((resolve) => answers.push(() => resolve(open(id))));
  const [first, second] = [form.renew(), errorOf(form.renew())];
  container.remove();
  answers[1]();
  assert.equal((await second).option, "container");
  page.append(container);
  answers[0]();
  await first;
  assert.equal(form.sessionId, "session-2");
});

for (const [name, change] of [
  ["a new session", (form) => form.renew()],
  ["another theme", (form) => form.update({ theme: { lng: "en" } })],
]) {
  hostedTest(`a form that cannot be put back for ${name} has failed, and can be shown later`, async (it) => {
    const { form, container } = it;
    container.append = container.insertBefore = () => {
      throw new Error("the page's own");
    };
    const error = await errorOf(() => change(form));
    assert.deepEqual([error.name, error.option], ["RemitError", "container"]);
    assert.equal(await outcome(form), error);
    delete container.append;
    delete container.insertBefore;
    await form.renew();
    assert.equal(await outcome(form), "open");
    assert.equal(form.element.parentNode, container);
  });
}
