// A page with React in it, over the fake core.

import assert from "node:assert/strict";
import { cp, mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { JSDOM } from "jsdom";
import { facadeFolder, settled } from "./facade.mjs";

const MODULES = join(import.meta.dirname, "../node_modules");

/** The versions that the package says it works with: the oldest and the newest. */
const VERSIONS = { 18: ["react-18", "react-dom-18"], 19: ["react", "react-dom"] };

const SHARED = [
  "window",
  "document",
  "navigator",
  "customElements",
  "Element",
  "HTMLElement",
  "Event",
  "CustomEvent",
  "addEventListener",
  "removeEventListener",
];

let before;

/** A page of its own, whose names are global as in a browser, until `closePage`. */
export function openPage(html = "<!doctype html><div id=root></div>") {
  const { window } = new JSDOM(html, { url: "https://shop.example/", pretendToBeVisual: true });
  before = SHARED.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)]);
  for (const name of SHARED) {
    const value = /^(add|remove)/.test(name) ? window[name].bind(window) : window[name];
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  }
  return window;
}

export function closePage() {
  for (const [name, descriptor] of before) {
    delete globalThis[name];
    if (descriptor !== undefined) {
      Object.defineProperty(globalThis, name, descriptor);
    }
  }
}

/** Tests with each version of React: `work` declares them, and is given what they need. */
export function withReact(work) {
  for (const [version, names] of Object.entries(VERSIONS)) {
    describe(`React ${version}`, async () => {
      work(await loadReact(names));
    });
  }
}

async function loadReact([reactName, domName]) {
  const { folder, load } = await facadeFolder();
  await mkdir(join(folder, "node_modules"));
  // Copied, so that each React finds its own.
  await cp(join(MODULES, reactName), join(folder, "node_modules/react"), { recursive: true });
  await cp(join(MODULES, domName), join(folder, "node_modules/react-dom"), { recursive: true });
  if (reactName === "react") {
    await cp(join(MODULES, "scheduler"), join(folder, "node_modules/scheduler"), { recursive: true });
  }
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  openPage();
  const require = createRequire(join(folder, "shop.js"));
  const React = require("react");
  const client = require("react-dom/client");
  const server = require("react-dom/server");
  closePage();
  const kit = await load("react.js");
  const { createRemitKit } = await load("index.js");
  const { defineRemitCardForm } = await load("element.js");
  const { control } = await load("remitkit_core.js");
  const { act } = React;

  const page = {
    React,
    h: React.createElement,
    server,
    control,
    createRemitKit,
    defineRemitCardForm,
    act,
    ...kit,
  };

  let roots;
  let complaints;
  let complain;
  beforeEach(() => {
    openPage();
    roots = [];
    complaints = [];
    complain = console.error;
    console.error = (...args) => {
      const text = args.map(String).join(" ");
      // Node's own words about the timers that tests put in place of its own, and React's about a server and a browser in one process.
      if (!text.startsWith("(node:") && !text.includes("multiple renderers")) {
        complaints.push(text);
      }
    };
    Object.assign(control, { answer: () => null, frame: fakeFrame });
    control.calls.length = 0;
    control.mounted.length = 0;
  });
  afterEach(async () => {
    for (const root of roots) {
      await act(async () => root.unmount());
    }
    console.error = complain;
    closePage();
    assert.deepEqual(complaints, [], "React complains");
  });

  /** Renders into the page; `render` again with other props, `unmount`. */
  page.render = async (element, { hydrates = false, isStrict = true } = {}) => {
    const container = hydrates ? document.querySelector("#root") : document.createElement("div");
    if (!hydrates) {
      document.body.append(container);
    }
    const wrap = (inner) => (isStrict ? React.createElement(React.StrictMode, null, inner) : inner);
    let root;
    await act(async () => {
      root = hydrates ? client.hydrateRoot(container, wrap(element)) : client.createRoot(container);
      if (!hydrates) {
        root.render(wrap(element));
      }
    });
    roots.push(root);
    return {
      container,
      render: (next) => act(async () => root.render(wrap(next))),
      unmount: () => act(async () => root.unmount()),
    };
  };
  /** Lets everything happen that is due. */
  page.settle = () => act(async () => void (await settled()));
  page.until = async (condition) => {
    for (let i = 0; !condition(); i += 1) {
      assert.ok(i < 2000, `never: ${condition}`);
      await page.settle();
    }
  };
  page.complaints = () => complaints;
  page.callsOf = (name) => control.calls.filter((call) => call[0] === name);
  return page;
}

function fakeFrame(container) {
  const frame = document.createElement("iframe");
  container.append(frame);
  return frame;
}

export const deferred = () => {
  const promise = {};
  promise.promise = new Promise((resolve, reject) => Object.assign(promise, { resolve, reject }));
  return promise;
};

export { test };
