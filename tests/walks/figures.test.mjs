import assert from "node:assert/strict";
import { test } from "node:test";
import { figuresOf, sumOf } from "./figures.mjs";

const page = (more) => ({ kind: "page", done: {}, notices: [], ...more });
const ready = page({ send: { label: "Send $204.99", isBusy: false } });
const sending = page({ send: { label: "Sending…", isBusy: true } });
const press = { kind: "pressed", isBoth: false };
const action = (what, isSending = false) => ({ kind: "action", what, isSending });
const refused = page({ notices: [{ text: "This transfer was not made" }] });

test("the figures of walks are what they reach and meet", () => {
  assert.deepEqual(figuresOf([action("reload")], []), sumOf([]));
  const met = [{ kind: "trouble" }, action("race"), action("race")];
  const race = [ready, ...met, press, sending, action("tab", true), refused];
  const done = page({ done: { transferId: "t1" } });
  const double = [ready, action("twice"), press, { ...press, isBoth: true }, done];
  const sum = sumOf([figuresOf(race, [{}, {}]), figuresOf(double, [{}]), figuresOf([sending], [])]);
  const reached = { reviews: 2, sending: 2, told: 2, sends: 2, confirmed: 1, transfers: 3, claims: 6 };
  const others = { troubles: 1, actionsInMidSend: 1, doubleClicks: 1, races: 2 };
  assert.deepEqual(sum, { ...sumOf([]), ...reached, ...others });
});
