import { failure, invalid } from "../errors.js";
import { readMembers } from "../plain.js";
import { RemitKit } from "../remit-kit.js";
import { fakeCardForm } from "./fake-card-form.js";
import { FakeHandle } from "./fake-handle.js";

/** Those that answer at once, and so throw where the others reject. */
const ANSWERS = ["cardFormUrl", "pushToCard", "contentSecurityPolicy"];
const OWN = ["constructor", "destroy"];
const CALLS = Object.getOwnPropertyNames(RemitKit.prototype).filter((name) => ![...OWN, ...ANSWERS].includes(name));

export function fakeRemitKit(methods = {}) {
  const given = readMembers(methods, "methods");
  for (const [name, method] of Object.entries(given)) {
    if (![...CALLS, ...ANSWERS].includes(name)) {
      throw invalid("InvalidRequest", `methods.${name}`, "a method of RemitKit");
    }
    if (typeof method !== "function") {
      throw invalid("InvalidRequest", `methods.${name}`, "a function");
    }
  }
  const calls = [];
  const cardForms = [];
  const handle = new FakeHandle();
  given.cardForm ??= async ({ container, sessionId } = {}) => {
    const fake = await fakeCardForm({ container, sessionId, handle, events: ["READY"] });
    cardForms.push(fake);
    return fake.form;
  };
  const run = (name, args) => {
    calls.push([name, ...args]);
    return handle.run(() => {
      if (given[name] === undefined) {
        throw failure("InvalidRequest", `This RemitKit is a fake, which was given no ${name}.`, {
          option: `methods.${name}`,
        });
      }
      return given[name](...args);
    });
  };
  const remit = {
    ...Object.fromEntries(CALLS.map((name) => [name, async (...args) => run(name, args)])),
    ...Object.fromEntries(ANSWERS.map((name) => [name, (...args) => run(name, args)])),
    async destroy() {
      handle.destroy();
    },
    [Symbol.dispose ?? Symbol()]: () => handle.destroy(),
  };
  return { remit, cardForms, calls };
}
