// A page with React in it, over a played service.

import assert from "node:assert/strict";
import { cp, mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { closePage, frameOf, openPage, Sessions, START, SUCCESS } from "./card-page.mjs";
import { spied } from "./spied.mjs";
import { kit, service, settled } from "./kit.mjs";

const MODULES = join(import.meta.dirname, "../node_modules");

export const PAGE = "<!doctype html><div id=root></div>";

/** The versions that the package says it works with: the oldest and the newest. */
const VERSIONS = { 18: ["react-18", "react-dom-18"], 19: ["react", "react-dom"] };

/** Tests with each version of React: `work` declares them, and is given what they need. */
export function withReact(work) {
  for (const [version, names] of Object.entries(VERSIONS)) {
    describe(`React ${version}`, async () => {
      work(await loadReact(names));
    });
  }
}

async function loadReact([reactName, domName]) {
  const watched = await spied();
  const { folder, load, calls, forms } = watched;
  await mkdir(join(folder, "node_modules"));
  // Copied, so that each React finds its own.
  await cp(join(MODULES, reactName), join(folder, "node_modules/react"), { recursive: true });
  await cp(join(MODULES, domName), join(folder, "node_modules/react-dom"), { recursive: true });
  if (reactName === "react") {
    await cp(join(MODULES, "scheduler"), join(folder, "node_modules/scheduler"), { recursive: true });
  }
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  openPage(PAGE);
  const require = createRequire(join(folder, "shop.js"));
  const React = require("react");
  const client = require("react-dom/client");
  const server = require("react-dom/server");
  closePage();
  const components = await load("react.js");
  const { defineRemitCardForm } = await load("element.js");
  const { act } = React;

  const page = {
    React,
    h: React.createElement,
    server,
    calls,
    forms,
    defineRemitCardForm,
    act,
    ...components,
    /** A kit of the page's own. */
    newKit: async () => (await kit(service.answer, {}, watched)).remit,
  };

  let roots;
  let complaints;
  let complain;
  beforeEach(() => {
    openPage(PAGE);
    roots = [];
    complaints = [];
    complain = console.error;
    console.error = (...args) => {
      const text = args.map(String).join(" ");
      // Node warns about the timers that tests replace, and React
      // about a server and a browser in one process.
      if (!text.startsWith("(node:") && !text.includes("multiple renderers")) {
        complaints.push(text);
      }
    };
    page.sessions = new Sessions();
    service.answer = page.sessions.answer;
    service.requests.length = 0;
    calls.length = 0;
    forms.length = 0;
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
  page.callsOf = (name) => calls.filter((call) => call[0] === name);
  /** What the newest form's frame does. */
  page.load = () => act(async () => frameOf(forms.at(-1)).load());
  page.say = async (...messages) => {
    await act(async () => frameOf(forms.at(-1)).say(...messages));
    await page.settle();
  };
  page.pay = async (cardId) => {
    page.sessions.cards.set(forms.at(-1).sessionId, cardId);
    await page.say(START, SUCCESS);
  };
  return page;
}

export const deferred = () => {
  const promise = {};
  promise.promise = new Promise((resolve, reject) => Object.assign(promise, { resolve, reject }));
  return promise;
};

export { test };
