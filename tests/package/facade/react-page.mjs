// A page with React in it, over the scripted service.

import assert from "node:assert/strict";
import { cp, mkdir } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { closePage, frameOf, openPage, Sessions, START, SUCCESS } from "./card-page.mjs";
import { kit, service, settled } from "./kit.mjs";
import { spied } from "./spied.mjs";

export { test };

const MODULES = join(import.meta.dirname, "../node_modules");

const PAGE = "<!doctype html>";

/** The oldest and the newest version that the package supports, by the folders of its packages. */
const VERSIONS = {
  18: { react: "react-18", "react-dom": "react-dom-18" },
  19: { react: "react", "react-dom": "react-dom", scheduler: "scheduler" },
};

/** Declares tests for each version of React. */
export function withReact(work) {
  for (const [version, packages] of Object.entries(VERSIONS)) {
    describe(`React ${version}`, async () => {
      work(await loadReact(packages));
    });
  }
}

async function loadReact(packages) {
  const watched = await spied();
  const { folder, load, calls, forms } = watched;
  await mkdir(join(folder, "node_modules"));
  // Copied, so that each React finds its own dependencies.
  for (const [name, source] of Object.entries(packages)) {
    await cp(join(MODULES, source), join(folder, "node_modules", name), { recursive: true });
  }
  globalThis.IS_REACT_ACT_ENVIRONMENT = true;
  openPage(PAGE);
  const require = createRequire(join(folder, "shop.js"));
  const React = require("react");
  const client = require("react-dom/client");
  closePage();
  const { act, createElement: h } = React;
  const { defineRemitCardForm } = await load("element.js");

  const page = { React, h, ...watched, defineRemitCardForm, act, ...(await load("react.js")) };
  page.newKit = async () => (await kit(service.answer, {}, watched)).remit;

  let roots;
  let complaints;
  let consoleError;
  beforeEach(() => {
    openPage(PAGE);
    roots = [];
    complaints = [];
    consoleError = console.error;
    console.error = (...args) => {
      const text = args.map(String).join(" ");
      // Node warns about fake timers.
      if (!text.startsWith("(node:")) complaints.push(text);
    };
    page.sessions = new Sessions();
    service.answer = page.sessions.answer;
    service.requests.length = 0;
    calls.length = 0;
    forms.length = 0;
  });
  afterEach(async () => {
    for (const root of roots) await act(async () => root.unmount());
    console.error = consoleError;
    closePage();
    assert.deepEqual(complaints, [], "React complains");
  });

  /** Renders into the page; returns its container and how to render other props or unmount. */
  page.render = async (element, { isStrict = true } = {}) => {
    const container = document.body.appendChild(document.createElement("div"));
    const wrap = (inner) => (isStrict ? h(React.StrictMode, null, inner) : inner);
    const root = client.createRoot(container);
    roots.push(root);
    const render = (next) => act(async () => root.render(wrap(next)));
    await render(element);
    return { container, render, unmount: () => act(async () => root.unmount()) };
  };
  page.settle = () => act(async () => void (await settled()));
  page.until = async (condition) => {
    for (let i = 0; !(await condition()); i += 1) {
      assert.ok(i < 2000, `never: ${condition}`);
      await page.settle();
    }
  };
  page.expectComplaints = () => (complaints.length = 0);
  // These play the newest form's frame.
  page.load = () => act(async () => frameOf(forms.at(-1)).load());
  page.say = (...messages) => act(async () => frameOf(forms.at(-1)).say(...messages));
  page.verify = (cardId) => {
    page.sessions.cards.set(forms.at(-1).sessionId, cardId);
    return page.say(START, SUCCESS);
  };
  return page;
}

export function deferred() {
  const deferred = {};
  deferred.promise = new Promise((resolve, reject) => Object.assign(deferred, { resolve, reject }));
  return deferred;
}
