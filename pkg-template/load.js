// Loads the wasm once for all kits of a page.

import { onCrash } from "./crash.js";
import { failure, isRemitError } from "./errors.js";
import init from "./remitkit_core.js";

let loading;
let current;
let wasCrashed = false;

onCrash((cause) => {
  wasCrashed = true;
  loading = undefined;
  current?.end(cause);
  current = undefined;
});

/** The running instance. A load that failed can be tried again; after a crash a new one is made. */
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
      "InvalidConfiguration",
      "RemitKit needs WebAssembly, which this environment does not have.",
    );
  }
  let isFetched = false;
  let link;
  try {
    let wasm = source === undefined ? ownWasm() : source;
    isFetched = typeof wasm === "string" || wasm instanceof URL;
    if (wasCrashed) {
      // The glue keeps the compiled module, and this makes a new instance of it.
      link = await init();
      wasCrashed = false;
    } else {
      if (isFetched) {
        wasm = await fetch(wasm);
      }
      refuseAnotherAnswer(wasm);
      link = await init(wasm);
    }
  } catch (cause) {
    throw isRemitError(cause) ? cause : loadFailure(isFetched, cause);
  }
  current = new Instance(link);
  return current;
}

/**
 * What adds a part of the module to an instance, once to each: a part is compiled once, and one that comes
 * after a crash has nothing of it. An instance of the whole module has it all.
 */
export function partOfModule(ownWasm) {
  const added = new WeakMap();
  let compiled;
  const add = async (link, signal) => {
    const source = compiled ?? (await fetch(ownWasm(), { signal }));
    refuseAnotherAnswer(source);
    compiled = await link(source);
  };
  return ({ link }, signal) => {
    if (link && !added.has(link)) {
      added.set(link, add(link, signal));
      added.get(link).catch(() => added.delete(link));
    }
    return added.get(link);
  };
}

/**
 * A server may answer with a page what it does not have: the engine would say no more than that this is no
 * wasm.
 */
function refuseAnotherAnswer({ ok, headers, status, url }) {
  const type = headers?.get("content-type");
  if (ok === false || /html/.test(type)) {
    throw failure(
      ok ? "InvalidConfiguration" : "NetworkFailure",
      `RemitKit could not be loaded: ${url} was answered with status ${status} and content type ${type}.`,
      { option: "wasm" },
    );
  }
}

function loadFailure(isFetched, cause) {
  if (isFetched && !(cause instanceof WebAssembly.CompileError)) {
    return failure(
      "NetworkFailure",
      "RemitKit could not be loaded: the wasm could not be fetched. Outside a browser, import remitkit/inline.",
      { cause },
    );
  }
  return failure(
    "InvalidConfiguration",
    "RemitKit could not be started. `wasm` must be a URL, a Response, bytes or a WebAssembly.Module of " +
      "remitkit_core_bg.wasm, and the page's policy must allow 'wasm-unsafe-eval'.",
    { option: "wasm", cause },
  );
}

/** One life of the wasm. A crash ends it, and with it every call in flight. */
class Instance {
  #crash;
  #listeners = new Set();

  /** `link` adds the parts of the module, where it is not the whole. */
  constructor(link) {
    this.link = link;
  }

  /** Runs work in the core and lets only a RemitError out. */
  run(work) {
    if (this.#crash) {
      throw this.#crash;
    }
    try {
      return work();
    } catch (cause) {
      throw this.explain(cause);
    }
  }

  /** Tells of a crash, with the error that every call now ends in. */
  onCrash(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  end(cause) {
    this.#crash = failure("Internal", "RemitKit has stopped after a fault of its own. Create it again.", {
      cause,
    });
    for (const listener of this.#listeners) {
      listener(this.#crash);
    }
  }

  /** What an error comes to for the caller: the crash, if there was one. */
  explain(cause) {
    if (isRemitError(cause)) {
      return cause;
    }
    return this.#crash ?? failure("Internal", "Something went wrong in RemitKit.", { cause });
  }
}
