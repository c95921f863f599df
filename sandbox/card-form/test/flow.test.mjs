import assert from "node:assert/strict";
import { test } from "node:test";
import { CardFlow, EVENTS } from "../flow.js";

const { start, success, fail, expired } = EVENTS;
const CARD = { number: "4111111111111111" };
const known = (status, expiresInMs = 600_000) => ({ kind: "known", status, expiresInMs });
const OPEN = known("INCOMPLETE");
const AWAY = { kind: "unreachable" };

/** A flow with a clock of its own; `statuses` and `answers` are taken in turn, the last one for good. */
function flowWith({ statuses = [OPEN], answers = [] } = {}) {
  let now = 0;
  let nextId = 1;
  const timers = new Map();
  const trace = { events: [], states: [], warnings: 0, cleared: 0, asked: 0, sent: 0 };
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
    post: (event) => trace.events.push(event),
    show: (state, detail) => trace.states.push(detail ? [state, detail] : state),
    warn: () => {
      trace.warnings += 1;
    },
    clear: () => {
      trace.cleared += 1;
    },
    timers: {
      set: (run, delay) => {
        nextId += 1;
        timers.set(nextId, { run, at: now + delay });
        return nextId;
      },
      clear: (id) => timers.delete(id),
      now: () => now,
    },
  });
  const settle = async () => {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  };
  const pass = async (ms) => {
    const end = now + ms;
    for (;;) {
      await settle();
      const due = [...timers].filter(([, timer]) => timer.at <= end).sort((a, b) => a[1].at - b[1].at)[0];
      if (!due) break;
      timers.delete(due[0]);
      now = Math.max(now, due[1].at);
      due[1].run();
    }
    now = end;
    await settle();
  };
  return { flow, trace, pass, timers, statuses };
}

test("a good card: START, then SUCCESS, and the inputs are cleared", async () => {
  const { flow, trace, timers } = flowWith({ answers: [{ kind: "success" }] });
  await flow.start();
  await flow.verify(CARD);
  assert.deepEqual(trace.states, ["loading", "ready", "verifying", "success"]);
  assert.deepEqual(trace.events, [start, success]);
  assert.equal(trace.cleared, 1);
  assert.equal(timers.size, 0);
});

test("inputs are cleared before the embedding page hears of success", async () => {
  const order = [];
  const flow = new CardFlow({
    session: { status: async () => OPEN, verify: async () => ({ kind: "success" }) },
    post: (event) => order.push(event),
    show: (state) => order.push(state),
    warn: () => {},
    clear: () => order.push("cleared"),
    timers: { set: () => 1, clear: () => {}, now: () => 0 },
  });
  await flow.start();
  await flow.verify(CARD);
  assert.deepEqual(order, ["loading", "ready", "verifying", start, "cleared", "success", success]);
});

test("a refused card may be followed by another", async () => {
  const { flow, trace } = flowWith({ answers: [{ kind: "fail", code: "CardNotSupported", message: "m" }, { kind: "success" }] });
  await flow.start();
  await flow.verify(CARD);
  assert.deepEqual(trace.states.at(-1), ["failed", { code: "CardNotSupported", message: "m", unfinished: false }]);
  assert.equal(trace.cleared, 0);
  await flow.verify(CARD);
  assert.deepEqual(trace.events, [start, fail, start, success]);
});

test("a second activation while verifying sends nothing", async () => {
  const { flow, trace } = flowWith({ answers: [{ kind: "success" }] });
  await flow.start();
  await Promise.all([flow.verify(CARD), flow.verify(CARD), flow.verify(CARD)]);
  await flow.verify(CARD);
  assert.equal(trace.sent, 1);
  assert.deepEqual(trace.events, [start, success]);
});

test("nothing is sent before the session is known", async () => {
  const { flow, trace } = flowWith();
  await flow.verify(CARD);
  assert.equal(trace.sent, 0);
  assert.deepEqual(trace.events, []);
});

test("a lost answer is settled by asking for the session's status", async () => {
  for (const [status, state, event] of [["SUCCEEDED", "success", success], ["EXPIRED", "expired", expired], ["INCOMPLETE", "failed", fail]]) {
    const { flow, trace, pass } = flowWith({ statuses: [OPEN, AWAY, known(status)], answers: [{ kind: "lost" }] });
    await flow.start();
    const done = flow.verify(CARD);
    await pass(10_000);
    await done;
    assert.equal(flow.state, state);
    assert.deepEqual(trace.events, [start, event], status);
    assert.equal(trace.sent, 1);
  }
});

test("without any answer the form reports no outcome until it learns one", async () => {
  const { flow, trace, pass, statuses } = flowWith({ statuses: [OPEN, AWAY], answers: [{ kind: "lost" }] });
  await flow.start();
  const done = flow.verify(CARD);
  await pass(60_000);
  await done;
  assert.equal(flow.state, "unsettled");
  assert.deepEqual(trace.events, [start]);
  statuses.push(known("SUCCEEDED"));
  statuses.shift();
  await flow.retry();
  assert.deepEqual(trace.events, [start, success]);
  assert.equal(trace.sent, 1);
});

test("a session that is gone after a card was sent counts as expired", async () => {
  const { flow, trace, pass } = flowWith({ statuses: [OPEN, { kind: "unknown" }], answers: [{ kind: "unknown" }] });
  await flow.start();
  const done = flow.verify(CARD);
  await pass(1_000);
  await done;
  assert.deepEqual(trace.events, [start, expired]);
});

test("sessions that cannot be used say so at once", async () => {
  for (const [answer, state, events] of [
    [known("EXPIRED"), "expired", [expired]],
    [{ kind: "unknown" }, "unknown", []],
    [known("SUCCEEDED"), "used", []],
  ]) {
    const { flow, trace } = flowWith({ statuses: [answer] });
    await flow.start();
    await flow.verify(CARD);
    await flow.retry();
    await flow.recheck();
    assert.equal(flow.state, state);
    assert.deepEqual(trace.events, events);
    assert.equal(trace.asked, 1);
  }
});

test("an open form that expires warns once, asks once and reports once", async () => {
  const { flow, trace, pass, timers } = flowWith({ statuses: [known("INCOMPLETE", 300_000), known("EXPIRED")] });
  await flow.start();
  await pass(179_000);
  assert.equal(trace.warnings, 0);
  await pass(2_000);
  assert.equal(trace.warnings, 1);
  await pass(118_000);
  assert.deepEqual([flow.state, trace.asked], ["ready", 1]);
  await pass(2_000);
  assert.deepEqual([flow.state, trace.asked, trace.cleared], ["expired", 2, 1]);
  await pass(3_600_000);
  assert.deepEqual([trace.events, trace.asked, trace.warnings, timers.size], [[expired], 2, 1, 0]);
});

test("the form closes at expiry even if the server is unreachable", async () => {
  const { flow, trace, pass } = flowWith({ statuses: [known("INCOMPLETE", 1_000), AWAY] });
  await flow.start();
  await pass(1_500);
  assert.deepEqual(trace.events, [expired]);
});

test("a server whose clock runs behind is not asked too often", async () => {
  const { flow, trace, pass } = flowWith({ statuses: [known("INCOMPLETE", 0), known("INCOMPLETE", -1_000)] });
  await flow.start();
  await pass(60_000);
  assert.equal(flow.state, "ready");
  assert.ok(trace.asked <= 14, `${trace.asked} questions`);
});

test("expiry during verification waits for the card's own answer", async () => {
  let answer;
  const { flow, trace, pass, statuses } = flowWith({
    statuses: [known("INCOMPLETE", 1_000)],
    answers: [new Promise((resolve) => { answer = resolve; })],
  });
  await flow.start();
  const done = flow.verify(CARD);
  await pass(5_000);
  assert.deepEqual(trace.events, [start]);
  statuses[0] = known("EXPIRED");
  answer({ kind: "fail", code: null, message: null });
  await done;
  await pass(10);
  assert.deepEqual(trace.events, [start, fail, expired]);
});

test("an unreachable server is asked twice, then on request", async () => {
  const { flow, trace, pass, statuses } = flowWith({ statuses: [AWAY] });
  const done = flow.start();
  await pass(1_000);
  await done;
  assert.deepEqual([flow.state, trace.asked, trace.events], ["unreachable", 2, []]);
  statuses[0] = OPEN;
  await flow.recheck();
  assert.equal(flow.state, "ready");
});

test("returning to the page detects expiry and changes nothing else", async () => {
  const { flow, trace, statuses } = flowWith();
  await flow.start();
  await flow.recheck();
  assert.deepEqual(trace.states, ["loading", "ready"]);
  statuses[0] = AWAY;
  await flow.recheck();
  assert.equal(flow.state, "ready");
  statuses[0] = known("EXPIRED");
  await flow.recheck();
  assert.deepEqual(trace.events, [expired]);
});

test("a status requested before the card was sent is ignored", async () => {
  let late;
  const statuses = [OPEN, new Promise((resolve) => { late = resolve; }), OPEN];
  const { flow, trace } = flowWith({ statuses, answers: [new Promise(() => {})] });
  await flow.start();
  const looked = flow.recheck();
  flow.verify(CARD);
  late(known("EXPIRED"));
  await looked;
  assert.equal(flow.state, "verifying");
  assert.deepEqual(trace.events, [start]);
});
