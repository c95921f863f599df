import { readAnswer } from "./answer.js";
import { AskedForm } from "./asked-form.js";
import { Engine, LATE } from "./engine.js";
import { HostedForm } from "./hosted-form.js";
import { Core } from "./remitkit_core.js";
import { standardFailure } from "./errors.js";

// A token source gets this long, and a journal: what does not answer would hold `destroy` up for ever.
const SOURCE_TIMEOUT_MS = 30_000;
// After a submission was given up, what is certain within this time is told as it is.
const ABORT_GRACE_MS = 800;
const GIVEN_UP = Symbol("given up");

/** Drives the flows of a core: does what they ask for, one thing at a time each, and tells them what became of it. */
export class Driver {
  #core;
  #host;
  #engine = new Engine((id, ...told) => this.#told(id, ...told));
  #flows = new Map();
  #newest = 0;
  // What the token source was asked and has not answered yet.
  #asked;
  // Attempts that are being brought to their outcome, by quote and nonce: another one may have taken the place of one that was dropped.
  #submissions = new Map();
  #isEnding = false;

  constructor(settings, host) {
    this.#host = host;
    this.#core = new Core(settings, globalThis.location?.origin, host.diagnostic !== undefined);
    try {
      readAnswer(this.#core.fault());
    } catch (error) {
      this.#core.free();
      throw error;
    }
  }

  /** An operation by its public name, or what is done with a transfer. */
  call(name, ids, input, signal) {
    return name === "submitTransfer" ? this.#submit(ids, signal) : this.#begin(name, ids, input, signal);
  }

  async fieldForm(name, query, signal) {
    let form;
    const { fieldSets } = await this.#begin(name, "[]", query, signal, () => {
      form = this.#core.takeForm();
    });
    return new AskedForm(form, fieldSets);
  }

  options(form, fieldId, values, signal) {
    return this.#run((...flow) => this.#core.beginOptions(...flow, form.core, fieldId, values), signal);
  }

  cardFormUrl(sessionId, theme = "{}") {
    return readAnswer(this.#core.cardFormUrl(sessionId, theme));
  }

  cardForm(container, options, deliver, signal) {
    const { cardOrigin } = this.#core;
    return HostedForm.mount(this, container, cardOrigin, readAnswer(this.#core.cardFormOptions(options)), deliver, signal);
  }

  contentSecurityPolicy() {
    return readAnswer(this.#core.contentSecurityPolicy());
  }

  /** The core has crashed, and tells nothing any more. */
  abandon(error) {
    for (const [id, { reject }] of this.#flows) {
      this.#engine.stop(id);
      this.#engine.release(id);
      reject(error);
    }
    this.#flows.clear();
    this.#isEnding = false;
  }

  /** Nothing is begun any more. What works on behind the calls goes on to its end. */
  end() {
    this.#isEnding = true;
    this.#freeIfIdle();
  }

  #begin(name, ids, input, signal, ended) {
    return this.#run((...flow) => this.#core.begin(...flow, name, ids, input), signal, ended);
  }

  /** One run for all who wait for it. It goes on though nobody does: half done, it would keep its lock and have no outcome. */
  async #submit(ids, signal) {
    const gaveUp = givingUp(signal, this.#core.longestSubmissionMs - ABORT_GRACE_MS);
    try {
      let run = this.#submissions.get(ids);
      while (run?.leaving.signal.aborted) {
        // Given up by those who waited for it, it sends nothing more.
        const done = await Promise.race([run.outcome.catch(() => {}), gaveUp.promise]);
        if (done !== undefined) {
          return done === GIVEN_UP ? Promise.reject(standardFailure("OutcomeUnknown")) : this.#toldOf(ids, done);
        }
        run = this.#submissions.get(ids);
      }
      run ??= this.#beginSubmission(ids, signal);
      return this.#toldOf(ids, await this.#waitFor(run, gaveUp.promise, signal));
    } finally {
      gaveUp.release();
    }
  }

  async #waitFor(run, gaveUp, signal) {
    run.waiting += 1;
    if (isAborted(signal) || (await Promise.race([run.outcome, gaveUp])) === GIVEN_UP) {
      run.waiting -= 1;
      if (run.waiting === 0) {
        run.leaving.abort();
      }
      // What is certain by now is told.
      const grace = givingUp(undefined, ABORT_GRACE_MS);
      const known = await Promise.race([run.outcome.catch(() => {}), grace.promise]).finally(grace.release);
      if (known === GIVEN_UP) {
        throw standardFailure("OutcomeUnknown");
      }
    }
    return run.outcome.catch((error) => {
      // It was not this caller's signal, but the bound.
      throw error.code === "Aborted" && !isAborted(signal) ? standardFailure("Timeout") : error;
    });
  }

  #beginSubmission(ids, signal) {
    const leaving = new AbortController();
    if (isAborted(signal)) {
      leaving.abort();
    }
    const run = { leaving, waiting: 0, outcome: this.#settle(ids, leaving.signal) };
    run.outcome.catch(() => {});
    this.#submissions.set(ids, run);
    return run;
  }

  /** The journal keeps it until the page has had the time to show it; what nobody was told of it keeps for the next page. */
  #toldOf(ids, transfer) {
    this.#begin("forgetTransfer", ids).catch(() => {});
    return transfer;
  }

  async #settle(ids, signal) {
    try {
      const [recovered, transfer] = await this.#begin("submitTransfer", ids, undefined, signal);
      return { ...transfer, recovered };
    } finally {
      this.#submissions.delete(ids);
    }
  }

  #run(begin, signal, ended) {
    this.#newest += 1;
    const id = this.#newest;
    return new Promise((resolve, reject) => {
      this.#flows.set(id, { signal, resolve, reject, ended, accept: undefined, body: undefined });
      this.#proceed(id, () => begin(id, isAborted(signal)));
    });
  }

  #told(id, status, body, requestId, type, retryAfter) {
    const flow = this.#flows.get(id);
    // Of what any type will do for, the core does not look at the bytes.
    const isBlob = flow.accept === "*/*" && status >= 200 && status < 300;
    flow.body = isBlob ? new Blob([body], { type }) : body;
    const told = [status, isBlob ? undefined : body, requestId, retryAfter];
    this.#proceed(id, () => this.#core.resume(id, isAborted(flow.signal), ...told));
  }

  #proceed(id, step) {
    const flow = this.#flows.get(id);
    try {
      const answer = step();
      this.#tellTraces();
      if (answer[0] === "[") {
        this.#act(id, flow, JSON.parse(answer));
        return;
      }
      flow.ended?.();
      flow.resolve(this.#read(answer, flow.body));
    } catch (error) {
      flow.reject(error);
    }
    this.#flows.delete(id);
    this.#engine.release(id);
    this.#freeIfIdle();
  }

  #read(answer, body) {
    if (answer === "~" && body instanceof Blob) {
      return body;
    }
    if (answer[0] !== "%") {
      return readAnswer(answer, body);
    }
    // Rows that are the same letter by letter are one object, which nobody can change for the others.
    const rows = freeze(JSON.parse(answer.slice(1)));
    return Array.from(this.#core.takeOrder(), (place) => rows[place]);
  }

  #act(id, flow, [name, heedsSignal, ...details]) {
    const signal = heedsSignal ? flow.signal : undefined;
    const given = details.map((detail) => detail ?? undefined);
    switch (name) {
      case "send":
        [, , , flow.accept] = given;
        this.#engine.send(id, signal, ...given);
        break;
      case "wait":
        this.#engine.wait(id, signal, ...given);
        break;
      case "lock":
        this.#engine.lock(id, signal, ...given);
        break;
      case "token":
        this.#engine.ask(id, signal, this.#token());
        break;
      default:
        this.#engine.ask(id, undefined, inTime(this.#keep(name, ...given)));
    }
  }

  // The core reads texts alone.
  async #keep(name, ...given) {
    const answer = await this.#host.journal[name](...given);
    return name === "keys" ? JSON.stringify(answer) : answer;
  }

  // Asked once for all who wait.
  #token() {
    const asked = async () => JSON.stringify(await this.#host.token());
    this.#asked ??= inTime(asked()).finally(() => {
      this.#asked = undefined;
    });
    return this.#asked;
  }

  #tellTraces() {
    const { diagnostic } = this.#host;
    if (diagnostic !== undefined) {
      this.#core.takeTraces().split("\n").slice(0, -1).forEach((trace) => diagnostic(trace));
    }
  }

  #freeIfIdle() {
    if (this.#isEnding && this.#flows.size === 0) {
      this.#core.free();
      this.#isEnding = false;
    }
  }
}

function freeze(value) {
  if (typeof value === "object" && value !== null) {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
  return value;
}

function inTime(promise) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(reject, SOURCE_TIMEOUT_MS, LATE);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function givingUp(signal, ms) {
  let release;
  const promise = new Promise((resolve) => {
    const giveUp = () => resolve(GIVEN_UP);
    const timer = setTimeout(giveUp, ms);
    signal?.addEventListener("abort", giveUp);
    if (isAborted(signal)) {
      giveUp();
    }
    release = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", giveUp);
    };
  });
  return { promise, release };
}

function isAborted(signal) {
  return signal?.aborted === true;
}
