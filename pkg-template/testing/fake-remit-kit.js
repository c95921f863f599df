import { failure, invalid, standardFailure } from "../errors/errors.js";
import { readMembers } from "../input/plain.js";
import { RemitKit } from "../kit/remit-kit.js";
import { isAbortSignal, unlessAborted } from "../input/signal.js";
import { cardFormOver } from "./fake-card-form.js";
import { FakeHandle } from "./fake-handle.js";

/** Synchronous methods, which throw instead of rejecting. */
const SYNCHRONOUS = ["cardFormUrl", "pushToCard", "userMessageOf", "contentSecurityPolicy"];
const OWN = ["constructor", "destroy"];
const CALLS = Object.getOwnPropertyNames(RemitKit.prototype).filter(
  (name) => ![...OWN, ...SYNCHRONOUS].includes(name),
);

/** Methods whose outcome is unknown after an abort, as that of a raw request is unless it reads. */
const CREATING = [
  "createSender", "createRecipient", "createRecipientAccount", "releaseCustomerHold", "cancelCustomerHold",
];

export function fakeRemitKit(methods = {}) {
  const given = readMembers(methods, "methods");
  for (const [name, method] of Object.entries(given)) {
    if (![...CALLS, ...SYNCHRONOUS].includes(name)) {
      throw invalid("InvalidRequest", `methods.${name}`, "a method of RemitKit");
    }
    if (typeof method !== "function") throw invalid("InvalidRequest", `methods.${name}`, "a function");
  }
  const calls = [];
  const cardForms = [];
  const handle = new FakeHandle();
  given.cardForm ??= async ({ container, sessionId, theme, loadError, autoFocus } = {}, options) => {
    const settings = { container, sessionId, theme, loadError, autoFocus };
    const fake = await cardFormOver(handle, { ...settings, events: ["READY"] });
    if (options?.signal?.aborted) {
      fake.form.destroy();
    } else {
      cardForms.push(fake);
    }
    return fake.form;
  };
  const run = (name, args, signal) => {
    calls.push([name, ...args]);
    return handle.run(() => {
      if (given[name] === undefined) {
        const message = `This RemitKit is a fake, which was given no ${name}.`;
        throw failure("InvalidRequest", message, { option: `methods.${name}` });
      }
      if (signal?.aborted) throw standardFailure("Aborted");
      return given[name](...args);
    });
  };
  const call = async (name, args) => {
    const signal = signalOf(args);
    const answer = run(name, args, signal);
    // A submission settles before its abort.
    return name === "transfer" ? answer : unlessAborted(answer, signal, codeOfAbort(name, args));
  };
  const remit = {
    ...Object.fromEntries(CALLS.map((name) => [name, (...args) => call(name, args)])),
    ...Object.fromEntries(SYNCHRONOUS.map((name) => [name, (...args) => run(name, args)])),
    async destroy() {
      handle.destroy();
    },
    [Symbol.dispose ?? Symbol()]: () => handle.destroy(),
  };
  return { remit, cardForms, calls };
}

function signalOf(args) {
  const signal = args[args.length - 1]?.signal;
  return isAbortSignal(signal) ? signal : undefined;
}

function codeOfAbort(name, [request]) {
  const creates = name === "request" ? request?.method !== "GET" : CREATING.includes(name);
  return creates ? "OutcomeUnknown" : "Aborted";
}
