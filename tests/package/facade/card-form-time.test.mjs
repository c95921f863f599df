// How long a session lasts, on devices whose clock is wrong.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Sessions, withPage } from "./card-page.mjs";
import { kit, loadParts, remitkit, unpacked } from "./kit.mjs";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const LENGTH = 30 * MINUTE;
const NOW = Date.parse("2030-01-01T00:00:00.600Z");

/**
 * Declares a test of a form in a session of half an hour, on a device whose clock is `wrong` by this many
 * milliseconds. `pass` has time pass, and `setClock` sets the device's clock.
 */
function timeTest(name, wrong, work, { tellsTime = false } = {}) {
  test(name, (t) =>
    withPage(async () => {
      t.mock.timers.enable({ apis: ["setTimeout", "Date"], now: NOW });
      const { now } = Date;
      const served = () => now.call(Date);
      let offset = wrong;
      t.mock.method(performance, "now", () => served() - NOW + 5000);
      t.mock.method(Date, "now", () => served() + offset);
      const sessions = new Sessions();
      sessions.expirationDate = new Date(NOW + LENGTH).toISOString();
      const date = () => new Date(Math.floor(served() / 1000) * 1000).toUTCString();
      sessions.open = (reply) => (tellsTime ? Response.json(reply, { headers: { date: date() } }) : reply);
      let module = remitkit;
      if (tellsTime) {
        // What one service has told must not reach the other tests.
        const { load } = await unpacked();
        await loadParts(load);
        module = await load("index.js");
      }
      const { remit } = await kit(sessions.answer, {}, module);
      const form = await remit.cardForm({ container: "#card" });
      const pass = (ms) => t.mock.timers.tick(ms);
      await work({ form, sessions, pass, setClock: (ms) => (offset = ms) });
      form.destroy();
    }),
  );
}

timeTest("a clock that is set back leaves a session no longer, and one that has gone on ends it", 0, async (it) => {
  const { form, pass, setClock } = it;
  assert.deepEqual([form.secondsLeft(), form.expiresAt], [1800, NOW + LENGTH]);
  for (const ms of [-49 * HOUR, 0]) {
    pass(10_000);
    setClock(ms);
    form.update({ theme: {} });
  }
  assert.equal(form.secondsLeft(), 1780);
  // As after an hour of sleep, in which the other clock has stood still. What has ended stays so.
  setClock(HOUR);
  assert.equal(form.secondsLeft(), 0);
  setClock(0);
  assert.equal(form.secondsLeft(), 0);
});

const WRONG = [["an hour fast", HOUR], ["two days fast", 48 * HOUR], ["two days slow", -48 * HOUR]];
for (const [what, wrong] of WRONG) {
  timeTest(`a clock ${what} is noticed: what is left is unknown`, wrong, async ({ form, pass }) => {
    for (let minutes = 0; minutes < 2; minutes += 1) {
      assert.deepEqual([form.secondsLeft(), form.expiresAt], [undefined, undefined]);
      pass(MINUTE);
    }
  });
}

for (const wrong of [0, 10 * MINUTE, -10 * MINUTE, 48 * HOUR, -48 * HOUR]) {
  timeTest(
    `a service whose replies tell its time needs no clock: ${wrong / MINUTE} minutes`,
    wrong,
    async ({ form, sessions, pass }) => {
      const left = form.secondsLeft();
      assert.ok(left > 1798 && left <= 1800, String(left));
      assert.ok(Math.abs(form.expiresAt - Date.now() - left * 1000) <= 1000);
      pass(MINUTE);
      assert.equal(form.secondsLeft(), left - 60);
      sessions.expirationDate = new Date(NOW + MINUTE + LENGTH).toISOString();
      await form.renew();
      assert.ok(form.secondsLeft() > 1798 && form.secondsLeft() <= 1800);
    },
    { tellsTime: true },
  );
}
