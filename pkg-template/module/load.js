// Loads the wasm, once for all kits of a page.

import { onCrash } from "../core/crash.js";
import { asError, failure, isRemitError } from "../errors/errors.js";
import { releaseLocks } from "../core/part-imports.js";
import init from "../core/remitkit_core.js";

let loading;
let current;
let hasCrashed = false;

onCrash((cause) => {
  hasCrashed = true;
  loading = undefined;
  current?.end(cause);
  current = undefined;
  releaseLocks?.();
});

/** Returns the running instance. Retries after a failed load, and makes a new instance after a crash. */
export function loadInstance(source, ownWasm) {
  loading ??= start(source, ownWasm).catch((cause) => {
    loading = undefined;
    throw cause;
  });
  return loading;
}

async function start(source, ownWasm) {
  if (typeof WebAssembly === "undefined") {
    throw failure(
      "WebAssemblyUnavailable",
      "RemitKit needs WebAssembly, which this browser lacks or has turned off.",
    );
  }
  let isFetched = false;
  let link;
  try {
    let wasm = source === undefined ? ownWasm() : source;
    isFetched = typeof wasm === "string" || wasm instanceof URL;
    if (hasCrashed) {
      // The glue has kept the compiled module.
      link = await init();
      hasCrashed = false;
    } else {
      if (isFetched) wasm = await fetch(wasm);
      checkReply(wasm);
      link = await init(wasm);
    }
  } catch (cause) {
    throw isRemitError(cause) ? cause : loadFailure(isFetched, cause);
  }
  current = new Instance(link);
  return current;
}

/**
 * Returns a function that links a part of the module into an instance, once. The part is compiled once and
 * linked again after a crash; an instance of the whole module needs no parts. `download(address)` gets its
 * bytes.
 */
export function partLinker(ownWasm, download) {
  const linked = new WeakMap();
  let compiled;
  const add = async (link) => {
    compiled = await link(compiled ?? (await download(ownWasm(), checkReply)));
  };
  return ({ link }) => {
    if (link && !linked.has(link)) {
      linked.set(link, add(link));
      linked.get(link).catch(() => linked.delete(link));
    }
    return linked.get(link);
  };
}

// A server may answer an unknown address with a page. The engine would only say that this is not wasm.
function checkReply({ ok, headers, status, url }) {
  const type = headers?.get("content-type");
  if (ok === false || /html/.test(type)) {
    throw failure(
      ok ? "InvalidConfiguration" : "LoadFailed",
      `RemitKit could not be loaded: ${url} was answered with status ${status} and content type ${type}.`,
      { option: "wasm" },
    );
  }
}

function loadFailure(isFetched, cause) {
  if (isFetched && !(cause instanceof WebAssembly.CompileError)) {
    const message =
      "RemitKit could not be loaded: the wasm could not be fetched. Outside a browser, import " +
      "remitkit/inline.";
    return failure("LoadFailed", message, { cause });
  }
  return failure(
    "InvalidConfiguration",
    "RemitKit could not be started. `wasm` must be a URL, a Response, bytes or a WebAssembly.Module of " +
      "remitkit_core_bg.wasm, and the page's policy must allow 'wasm-unsafe-eval'.",
    { option: "wasm", cause },
  );
}

/** An instance of the module. A crash ends it, and every call in flight. */
class Instance {
  #crash;
  // What rejects the open promises of the module, which never settle after a crash.
  #rejections = new Set();
  #listeners = new Set();

  /** `link` adds parts of the module; absent if the module is whole. */
  constructor(link) {
    this.link = link;
  }

  /** Runs work in the core. Throws nothing but a RemitError. */
  run(work) {
    if (this.#crash) throw this.#crash;
    try {
      return work();
    } catch (cause) {
      throw this.explain(cause);
    }
  }

  /** Runs asynchronous work in the core. The promise also rejects at a crash. */
  untilCrash(work) {
    const promise = this.run(work);
    return new Promise((resolve, reject) => {
      this.#rejections.add(reject);
      const forget = () => this.#rejections.delete(reject);
      promise.finally(forget).then(resolve, reject);
    });
  }

  /** Calls `listener` at a crash, with the error of every later call. */
  onCrash(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  end(cause) {
    const message = "RemitKit crashed. Create a new instance.";
    this.#crash = failure("Internal", message, { cause });
    for (const reject of this.#rejections) reject(this.#crash);
    for (const listener of this.#listeners) listener(this.#crash);
  }

  /** Returns the error for the caller: the crash, if there was one. */
  explain(cause) {
    if (isRemitError(cause)) return cause;
    return this.#crash ?? asError(cause);
  }
}
