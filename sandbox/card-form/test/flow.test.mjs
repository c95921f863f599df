import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { setImmediate as settled } from "node:timers/promises";
import { CardFlow, EVENTS } from "../flow.js";

const { start, success, fail, expired } = EVENTS;
const CARD = { number: "4111111111111111" };
const known = (status, expiresInMs = 600_000) => ({ kind: "known", status, expiresInMs });
const OPEN = known("INCOMPLETE");
const UNREACHABLE = { kind: "unreachable" };

/** Returns a flow in virtual time. `statuses` and `answers` are used in turn, the last one for good. */
function flowWith({ statuses = [OPEN], answers = [] } = {}) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"] });
  const trace = { events: [], states: [], order: [], warnings: 0, cleared: 0, asked: 0, sent: 0 };
  const take = (list) => (list.length > 1 ? list.shift() : list[0]);
  const flow = new CardFlow({
    session: {
      status: async () => {
        trace.asked += 1;
        return take(statuses);
      },
      verify: async () => {
        trace.sent += 1;
        return take(answers);
      },
    },
    post: (event) => trace.events.push(event) && trace.order.push(event),
    show: (state, detail) => trace.states.push(detail ? [state, detail] : state) && trace.order.push(state),
    warn: () => (trace.warnings += 1),
    clear: () => (trace.cleared += 1) && trace.order.push("cleared"),
  });
  const pass = async (ms) => {
    for (let left = ms; left > 0; left -= 500) {
      await settled();
      mock.timers.tick(Math.min(left, 500));
    }
    await settled();
  };
  /** Verifies a card while time passes. */
  const verify = async (ms = 10_000) => {
    const done = flow.verify(CARD);
    await pass(ms);
    await done;
  };
  return { flow, trace, pass, verify, statuses };
}

async function started(options) {
  const context = flowWith(options);
  await context.flow.start();
  return context;
}

test("a verified card is cleared before the embedding page learns of the success", async () => {
  const { trace, pass, verify } = await started({ answers: [{ kind: "success" }] });
  await verify();
  assert.deepEqual(trace.order, ["loading", "ready", "verifying", start, "cleared", "success", success]);
  await pass(3_600_000);
  assert.equal(trace.asked, 1);
});

test("another card may follow a rejected one", async () => {
  const rejected = { kind: "fail", code: "CardNotSupported", message: "m" };
  const { flow, trace, verify } = await started({ answers: [rejected, { kind: "success" }] });
  await verify();
  await flow.recheck();
  const detail = { code: "CardNotSupported", message: "m", unfinished: false };
  assert.deepEqual([trace.states.at(-1), trace.cleared], [["failed", detail], 0]);
  await verify();
  assert.deepEqual(trace.events, [start, fail, start, success]);
});

test("a card is sent once, and not before the session is known", async () => {
  const { flow, trace } = flowWith({ answers: [{ kind: "success" }] });
  await flow.verify(CARD);
  assert.deepEqual([trace.sent, trace.events], [0, []]);
  await flow.start();
  await Promise.all([flow.verify(CARD), flow.verify(CARD), flow.verify(CARD)]);
  await flow.verify(CARD);
  assert.deepEqual([trace.sent, trace.events], [1, [start, success]]);
});

test("the session's status settles a lost answer", async () => {
  for (const [status, state, event] of [
    [known("SUCCEEDED"), "success", success],
    [known("EXPIRED"), "expired", expired],
    [{ kind: "unknown" }, "expired", expired],
    [OPEN, "failed", fail],
  ]) {
    const statuses = [OPEN, UNREACHABLE, status];
    const { flow, trace, verify } = await started({ statuses, answers: [{ kind: "lost" }] });
    await verify();
    assert.deepEqual([flow.state, trace.events, trace.sent], [state, [start, event], 1]);
  }
});

test("without any answer no result is posted until one is known", async () => {
  const { flow, trace, verify, statuses } = await started({
    statuses: [OPEN, UNREACHABLE],
    answers: [{ kind: "lost" }],
  });
  await verify(60_000);
  assert.deepEqual([flow.state, trace.events], ["unsettled", [start]]);
  statuses[0] = known("SUCCEEDED");
  await flow.retry();
  assert.deepEqual([trace.events, trace.sent], [[start, success], 1]);
});

test("unusable sessions end the flow at once", async () => {
  for (const [answer, state, events] of [
    [known("EXPIRED"), "expired", [expired]],
    [{ kind: "unknown" }, "unknown", []],
    [known("SUCCEEDED"), "used", []],
  ]) {
    const { flow, trace } = await started({ statuses: [answer] });
    for (const act of ["verify", "retry", "recheck"]) await flow[act](CARD);
    assert.deepEqual([flow.state, trace.events, trace.asked, trace.sent], [state, events, 1, 0]);
  }
});

test("an open form that expires warns, asks and reports once", async () => {
  const statuses = [known("INCOMPLETE", 300_000), known("EXPIRED")];
  const { flow, trace, pass } = await started({ statuses });
  await pass(179_000);
  assert.equal(trace.warnings, 0);
  await pass(2_000);
  assert.equal(trace.warnings, 1);
  await pass(118_000);
  assert.deepEqual([flow.state, trace.asked], ["ready", 1]);
  await pass(2_000);
  assert.deepEqual([flow.state, trace.asked, trace.cleared], ["expired", 2, 1]);
  await pass(3_600_000);
  assert.deepEqual([trace.events, trace.asked, trace.warnings], [[expired], 2, 1]);
});

test("the form closes at its expiry even if the server is unreachable", async () => {
  const { trace, pass } = await started({ statuses: [known("INCOMPLETE", 1_000), UNREACHABLE] });
  await pass(1_500);
  assert.deepEqual(trace.events, [expired]);
});

test("a server whose clock is slow is not asked too often", async () => {
  const statuses = [known("INCOMPLETE", 0), known("INCOMPLETE", -1_000)];
  const { flow, trace, pass } = await started({ statuses });
  await pass(60_000);
  assert.equal(flow.state, "ready");
  assert.ok(trace.asked <= 14, `asked ${trace.asked} times`);
});

test("an expiry during verification waits for the card's answer", async () => {
  let answer;
  const { flow, trace, pass, statuses } = await started({
    statuses: [known("INCOMPLETE", 1_000)],
    answers: [new Promise((resolve) => { answer = resolve; })],
  });
  const done = flow.verify(CARD);
  await pass(5_000);
  assert.deepEqual(trace.events, [start]);
  statuses[0] = known("EXPIRED");
  answer({ kind: "fail", code: null, message: null });
  await done;
  await pass(1_000);
  assert.deepEqual(trace.events, [start, fail, expired]);
});

test("an unreachable server is asked twice, and again on request", async () => {
  const { flow, trace, pass, statuses } = flowWith({ statuses: [UNREACHABLE] });
  const done = flow.start();
  await pass(1_000);
  await done;
  assert.deepEqual([flow.state, trace.asked, trace.events], ["unreachable", 2, []]);
  statuses[0] = OPEN;
  await flow.recheck();
  assert.equal(flow.state, "ready");
});

test("returning to the page detects an expiry and changes nothing else", async () => {
  const { flow, trace, statuses } = await started();
  for (const status of [OPEN, UNREACHABLE]) {
    statuses[0] = status;
    await flow.recheck();
    assert.deepEqual(trace.states, ["loading", "ready"]);
  }
  statuses[0] = known("EXPIRED");
  await flow.recheck();
  assert.deepEqual(trace.events, [expired]);
});

test("a status from before the card was sent is ignored", async () => {
  let late;
  const statuses = [OPEN, new Promise((resolve) => { late = resolve; }), OPEN];
  const { flow, trace } = await started({ statuses, answers: [new Promise(() => {})] });
  const checked = flow.recheck();
  flow.verify(CARD);
  late(known("EXPIRED"));
  await checked;
  assert.deepEqual([flow.state, trace.events], ["verifying", [start]]);
});
