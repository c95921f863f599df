import { failure, invalid } from "../errors.js";
import { toPlain } from "../plain.js";
import { nodeModule } from "./node.js";
import { testCards } from "./triggers.js";

const EVENTS = [
  "CARD_VALIDATION_START",
  "CARD_VALIDATION_STOP_SUCCESS",
  "CARD_VALIDATION_STOP_FAIL",
  "CARD_VALIDATION_STOP_EXPIRED",
];
const SPEAKERS = ["form", "inner-frame", "other-origin"];
const LOADINGS = ["normal", "never", "dropped", "unframeable"];
/** setTimeout takes no more; what is longer fires at once. */
const LONGEST_DELAY_MS = 2 ** 31 - 1;

const FORM = /^\/v2\/add-card\/([^/]+)$/;
const STEPS = /^\/v2\/add-card\/([^/]+)\/steps$/;
const VERIFY = /^\/v2\/add-card\/([^/]+)\/verify$/;

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Fake card form</title>
<script type="module" src="/frame/form.js"></script>
<h1>Fake card form</h1>
<p>Takes no card. Each button says to the page around it what is written on it.</p>
${EVENTS.map((event) => `<button type="button" data-event="${event}">${event}</button>`).join("\n")}
<button type="button" id="continue" hidden>Continue</button>
<p id="problem" role="alert"></p>
</html>
`;
const INNER = `<!doctype html><meta charset="utf-8"><script type="module" src="/frame/inner.js"></script>`;
const SCRIPTS = { "/frame/form.js": "card-frame-form.js", "/frame/inner.js": "card-frame-inner.js" };

export async function fakeCardFrame(options = {}) {
  const { createServer } = await nodeModule("http", "fakeCardFrame");
  const { readFile } = await nodeModule("fs/promises", "fakeCardFrame");
  const { script, loading, delayMs, port, sandbox } = readOptions(options);
  const files = {};
  for (const [path, name] of Object.entries(SCRIPTS)) {
    files[path] = await readFile(new URL(name, import.meta.url), "utf8");
  }
  const frame = new FakeCardFrame({ script, loading, delayMs, sandbox, files });
  await frame.listen(createServer, port);
  return frame;
}

/** A server of two origins: the form's, and another that messages may come from. */
class FakeCardFrame {
  #script;
  #loading;
  #delayMs;
  #sandbox;
  #files;
  #servers = [];
  #origins = [];
  #opened = [];
  #steps = new Map();
  #stopping;

  constructor({ script, loading, delayMs, sandbox, files }) {
    this.#script = script;
    this.#loading = loading;
    this.#delayMs = delayMs;
    this.#sandbox = sandbox;
    this.#files = files;
  }

  async listen(createServer, port) {
    for (const wanted of [port, 0]) {
      const server = createServer((request, reply) => this.#answer(request, reply));
      this.#servers.push(server);
      await new Promise((resolve, reject) => {
        server.once("error", (cause) =>
          reject(
            failure("InvalidConfiguration", `Port ${wanted} of 127.0.0.1 can't be used.`, {
              option: "port",
              cause,
            }),
          ),
        );
        server.listen(wanted, "127.0.0.1", resolve);
      }).catch(async (error) => {
        await this.stop();
        throw error;
      });
      server.unref();
      this.#origins.push(`http://127.0.0.1:${server.address().port}`);
    }
  }

  get cardUrl() {
    return this.#origins[0];
  }

  get opened() {
    return this.#opened.map((one) => ({ ...one }));
  }

  play(script, { loading = "normal", delayMs = 0 } = {}) {
    this.#script = readScript(script);
    this.#loading = readLoading(loading);
    this.#delayMs = readDelay(delayMs, "delayMs");
  }

  stop() {
    this.#stopping ??= Promise.all(
      this.#servers.map((server) => {
        const closed = new Promise((resolve) => server.close(resolve));
        server.closeAllConnections();
        return closed;
      }),
    ).then(() => {});
    return this.#stopping;
  }

  [Symbol.asyncDispose ?? Symbol()]() {
    return this.stop();
  }

  #answer(request, reply) {
    const address = this.cardUrl + request.url;
    // Such as `*`, which would end the test runner's process.
    if (!URL.canParse(address)) {
      return send(reply, "text/plain", "", 404);
    }
    const { pathname, searchParams } = new URL(address);
    const match = (pattern) => pattern.exec(pathname)?.[1];
    const session = match(FORM);
    if (session !== undefined) {
      return this.#answerForm(request, reply, session, searchParams);
    }
    const stepsOf = match(STEPS);
    if (stepsOf !== undefined) {
      const steps = this.#steps.get(stepsOf) ?? [];
      return send(reply, "application/json", JSON.stringify({ steps, otherOrigin: this.#origins[1] }));
    }
    const verified = match(VERIFY);
    if (verified !== undefined && request.method === "POST") {
      return void this.#verify(request, reply, verified);
    }
    if (pathname === "/frame/inner") {
      return send(reply, "text/html", INNER);
    }
    if (Object.hasOwn(this.#files, pathname)) {
      return send(reply, "text/javascript", this.#files[pathname]);
    }
    return send(reply, "text/plain", "", 404);
  }

  #answerForm(request, reply, sessionId, searchParams) {
    // The SDK asks beside the frame whether anybody is there, which opens nothing.
    const isAsked = request.method === "HEAD";
    // A form that has moved to the other origin goes on with the steps that it has.
    if (!isAsked && !searchParams.has("step")) {
      this.#opened.push({ sessionId, parameters: Object.fromEntries(searchParams) });
      const opening = this.#opened.length;
      try {
        this.#steps.set(sessionId, this.#script({ sessionId, opening }));
      } catch (error) {
        // Thrown here it would end the test runner's process.
        return send(reply, "text/plain", `The script has failed: ${error?.message}`, 500);
      }
    }
    const loading = this.#loading;
    if (loading === "never") {
      return;
    }
    if (loading === "dropped") {
      request.socket.destroy();
      return;
    }
    if (loading === "unframeable") {
      reply.setHeader("content-security-policy", "frame-ancestors 'none'");
    }
    setTimeout(() => send(reply, "text/html", PAGE), isAsked ? 0 : this.#delayMs).unref();
  }

  /** Has the session verified by the sandbox, so that the SDK, which reads it back, finds the card. */
  async #verify(request, reply, sessionId) {
    if (this.#sandbox === undefined) {
      return send(reply, "text/plain", "", 204);
    }
    try {
      let text = "";
      for await (const chunk of request.setEncoding("utf8")) {
        text += chunk;
      }
      const card = {
        number: JSON.parse(text).card ?? testCards.success.number,
        expiryMonth: 12,
        expiryYear: new Date().getFullYear() + 9,
        name: "Test Person",
        securityCode: "123",
      };
      const address = `${this.#sandbox.cardUrl}/v2/add-card/${sessionId}/verify`;
      const answer = await fetch(address, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(card),
      });
      const { result, code } = await answer.json();
      const problem =
        result === "SUCCESS" ? "" : `The sandbox did not verify the card: ${code ?? result ?? answer.status}`;
      send(reply, "application/json", JSON.stringify({ problem }));
    } catch {
      send(reply, "application/json", JSON.stringify({ problem: "The sandbox could not be asked." }));
    }
  }
}

function send(reply, type, text, status = 200) {
  reply.writeHead(status, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" }).end(text);
}

function readOptions(options) {
  if (typeof options !== "object" || options === null) {
    throw invalid("InvalidConfiguration", "options", "an object");
  }
  const { script = [], loading = "normal", delayMs = 0, port = 0, sandbox } = options;
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw invalid("InvalidConfiguration", "port", "a port, or 0 for any that is free");
  }
  if (sandbox !== undefined && typeof sandbox?.cardUrl !== "string") {
    throw invalid("InvalidConfiguration", "sandbox", "what startSandbox or connectSandbox gives");
  }
  return {
    script: readScript(script),
    loading: readLoading(loading),
    delayMs: readDelay(delayMs, "delayMs"),
    port,
    sandbox,
  };
}

/**
 * What is played, by the opening. A list is looked through at once, so that its mistakes meet the one who
 * made them.
 */
function readScript(script) {
  if (typeof script === "function") {
    return (opened) => readSteps(script(opened));
  }
  const steps = readSteps(script);
  return () => steps;
}

function readSteps(script) {
  if (!Array.isArray(script)) {
    throw invalid("InvalidRequest", "script", "a list of steps, or a function that gives one");
  }
  return script.map((step, at) => readStep(step, `script[${at}]`));
}

function readStep(step, name) {
  if (typeof step === "string") {
    return readStep({ event: step }, name);
  }
  const { event, message, until, move, from = "form", delayMs = 0, verify, card } = step ?? {};
  const given = [event !== undefined, "message" in Object(step), until !== undefined, move !== undefined];
  if (given.filter(Boolean).length !== 1) {
    throw invalid("InvalidRequest", name, "an event, or an object with one of event, message, until, move");
  }
  if (event !== undefined && !EVENTS.includes(event)) {
    throw invalid("InvalidRequest", `${name}.event`, `one of ${EVENTS.join(", ")}; anything else is a message`);
  }
  if (until !== undefined && until !== "click") {
    throw invalid("InvalidRequest", `${name}.until`, '"click"');
  }
  if (move !== undefined && move !== "other-origin") {
    throw invalid("InvalidRequest", `${name}.move`, '"other-origin"');
  }
  if (!SPEAKERS.includes(from)) {
    throw invalid("InvalidRequest", `${name}.from`, `one of ${SPEAKERS.join(", ")}`);
  }
  const wait = readDelay(delayMs, `${name}.delayMs`);
  if (until !== undefined || move !== undefined) {
    return { until, move, delayMs: wait };
  }
  // Only a success that the form itself reports is one that the service knows of.
  const verifies = (verify ?? true) && from === "form" && event === "CARD_VALIDATION_STOP_SUCCESS";
  const said = event ?? toPlain(message, `${name}.message`, "InvalidRequest");
  return { message: said, from, delayMs: wait, verifies, card };
}

function readLoading(loading) {
  if (!LOADINGS.includes(loading)) {
    throw invalid("InvalidRequest", "loading", `one of ${LOADINGS.join(", ")}`);
  }
  return loading;
}

function readDelay(delayMs, name) {
  if (!(typeof delayMs === "number" && delayMs >= 0 && delayMs <= LONGEST_DELAY_MS)) {
    throw invalid("InvalidRequest", name, "a number of milliseconds, not negative");
  }
  return delayMs;
}
