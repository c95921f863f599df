import { CARD_MESSAGES } from "../card/card-event-types.js";
import { failure, invalid } from "../errors/errors.js";
import { readKnown } from "../input/known-options.js";
import { toPlain } from "../input/plain.js";
import { nodeModule } from "./node.js";
import { testCards } from "./triggers.js";

const CODE = "InvalidRequest";
const TIMING = ["loading", "delayMs"];
/** The maximum of setTimeout, which fires longer ones at once. */
const MAX_DELAY_MS = 2 ** 31 - 1;

const FORM = /^\/v2\/add-card\/([^/]+)(?:\/(steps|verify))?$/;
const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Fake card form</title>
<script type="module" src="/frame/form.js"></script>
<h1>Fake card form</h1>
<p>Takes no card. Each button sends its message to the surrounding page.</p>
${CARD_MESSAGES.map((event) => `<button type="button" data-event="${event}">${event}</button>`).join("\n")}
<button type="button" id="continue" hidden>Continue</button>
<p id="problem" role="alert"></p>
</html>
`;
const INNER = `<!doctype html><meta charset="utf-8"><script type="module" src="/frame/inner.js"></script>`;

export async function fakeCardFrame(options = {}) {
  const { createServer } = await nodeModule("http", "fakeCardFrame");
  const { readFile } = await nodeModule("fs/promises", "fakeCardFrame");
  const known = ["script", "port", "sandbox", ...TIMING];
  const { script = [], port = 0, sandbox, ...timing } = readKnown(options, known, "InvalidConfiguration");
  if (!Number.isInteger(port) || port < 0 || port > 65_535) {
    throw invalid("InvalidConfiguration", "port", "a port, or 0 for any that is free");
  }
  if (sandbox !== undefined && typeof sandbox?.cardUrl !== "string") {
    throw invalid("InvalidConfiguration", "sandbox", "what startSandbox or connectSandbox gives");
  }
  const read = (name) => readFile(new URL(name, import.meta.url), "utf8");
  const files = {
    "/frame/inner": ["text/html", INNER],
    "/frame/form.js": ["text/javascript", await read("card-frame-form.js")],
    "/frame/inner.js": ["text/javascript", await read("card-frame-inner.js")],
  };
  const frame = new FakeCardFrame(sandbox, files);
  frame.play(script, timing);
  await frame.listen(createServer, port);
  return frame;
}

/** A server with two origins: the form's, and another that sends forged messages. */
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

  constructor(sandbox, files) {
    this.#sandbox = sandbox;
    this.#files = files;
  }

  async listen(createServer, port) {
    for (const wanted of [port, 0]) {
      const server = createServer((request, reply) => this.#answer(request, reply));
      this.#servers.push(server);
      try {
        await new Promise((resolve, reject) => {
          server.once("error", reject);
          server.listen(wanted, "127.0.0.1", resolve);
        });
      } catch (cause) {
        await this.stop();
        const message = `Port ${wanted} of 127.0.0.1 can't be used.`;
        throw failure("InvalidConfiguration", message, { option: "port", cause });
      }
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

  play(script, options = {}) {
    const { loading = "normal", delayMs = 0 } = readKnown(options, TIMING, CODE);
    this.#script = readScript(script);
    this.#loading = readChoice(loading, ["normal", "never", "dropped", "unframeable"], "loading");
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
    // An invalid one, such as `*`, must not end the test runner's process.
    const { pathname, searchParams } = URL.canParse(address) ? new URL(address) : {};
    const [, session, action] = FORM.exec(pathname) ?? [];
    if (session !== undefined && action === undefined) {
      this.#answerForm(request, reply, session, searchParams);
    } else if (action === "steps") {
      const steps = this.#steps.get(session) ?? [];
      sendJson(reply, { steps, otherOrigin: this.#origins[1] });
    } else if (action === "verify" && request.method === "POST") {
      this.#verify(request, reply, session);
    } else if (Object.hasOwn(this.#files, pathname)) {
      send(reply, ...this.#files[pathname]);
    } else {
      send(reply, "text/plain", "", 404);
    }
  }

  #answerForm(request, reply, sessionId, searchParams) {
    // The SDK's separate request, which opens nothing.
    const isProbe = request.method === "HEAD";
    // A form that has moved to the other origin continues with its steps.
    if (!isProbe && !searchParams.has("step")) {
      this.#opened.push({ sessionId, parameters: Object.fromEntries(searchParams) });
      try {
        this.#steps.set(sessionId, this.#script({ sessionId, opening: this.#opened.length }));
      } catch (error) {
        // An uncaught exception would end the test runner's process.
        return send(reply, "text/plain", `The script has failed: ${error?.message}`, 500);
      }
    }
    const loading = this.#loading;
    if (loading === "never") return;
    if (loading === "dropped") {
      request.socket.destroy();
      return;
    }
    if (loading === "unframeable") {
      reply.setHeader("content-security-policy", "frame-ancestors 'none'");
    }
    setTimeout(() => send(reply, "text/html", PAGE), isProbe ? 0 : this.#delayMs).unref();
  }

  /** Has the sandbox verify the session, so that the SDK finds the card when it reads the session back. */
  async #verify(request, reply, sessionId) {
    if (this.#sandbox === undefined) return send(reply, "text/plain", "", 204);
    let problem = "";
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
      const answer = await fetch(`${this.#sandbox.cardUrl}/v2/add-card/${sessionId}/verify`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(card),
      });
      const { result, code } = await answer.json();
      if (result !== "SUCCESS") {
        problem = `The sandbox did not verify the card: ${code ?? result ?? answer.status}`;
      }
    } catch {
      problem = "The sandbox could not be asked.";
    }
    sendJson(reply, { problem });
  }
}

function send(reply, type, text, status = 200) {
  reply.writeHead(status, { "content-type": `${type}; charset=utf-8`, "cache-control": "no-store" });
  reply.end(text);
}

function sendJson(reply, data) {
  send(reply, "application/json", JSON.stringify(data));
}

/** Returns the steps by opening. Checks a list at once, so that its author gets the error. */
function readScript(script) {
  if (typeof script === "function") return (opened) => readSteps(script(opened));
  const steps = readSteps(script);
  return () => steps;
}

function readSteps(script) {
  if (!Array.isArray(script)) {
    throw invalid(CODE, "script", "a list of steps, or a function that gives one");
  }
  return script.map((step, at) =>
    readStep(typeof step === "string" ? { event: step } : step, `script[${at}]`),
  );
}

function readStep(step, name) {
  const { event, message, until, move, from = "form", delayMs = 0, verify, card } = step ?? {};
  const given = [event !== undefined, "message" in Object(step), until !== undefined, move !== undefined];
  if (given.filter(Boolean).length !== 1) {
    throw invalid(CODE, name, "an event, or an object with one of event, message, until, move");
  }
  readChoice(event, [undefined, ...CARD_MESSAGES], `${name}.event`, "; anything else is a message");
  readChoice(until, [undefined, "click"], `${name}.until`);
  readChoice(move, [undefined, "other-origin"], `${name}.move`);
  readChoice(from, ["form", "inner-frame", "other-origin"], `${name}.from`);
  const wait = readDelay(delayMs, `${name}.delayMs`);
  if (until !== undefined || move !== undefined) return { until, move, delayMs: wait };
  // The service knows only of a success that the form itself reports.
  const verifies = (verify ?? true) && from === "form" && event === "CARD_VALIDATION_STOP_SUCCESS";
  return { message: event ?? toPlain(message, `${name}.message`, CODE), from, delayMs: wait, verifies, card };
}

function readChoice(value, choices, name, hint = "") {
  if (choices.includes(value)) return value;
  throw invalid(CODE, name, `one of ${choices.filter((choice) => choice !== undefined).join(", ")}${hint}`);
}

function readDelay(delayMs, name) {
  if (typeof delayMs === "number" && delayMs >= 0 && delayMs <= MAX_DELAY_MS) return delayMs;
  throw invalid(CODE, name, "a number of milliseconds, not negative");
}
