// <remit-fields> and <remit-amount> as customers have them: pasted text, screen readers, zoom, forced colors, right
// to left; and React's views of them rendered on a server, under a strict policy.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { buildWithVite, IN_PAGE, launchBrowser, page as pageText, pageOf, serveFolder } from "./chromium.mjs";
import { link } from "./compiler.mjs";
import { ROOT, runModule, shop } from "./packed.mjs";

const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
  "require-trusted-types-for 'script'; trusted-types 'none'";

/** A kit with a form and prices, as a module that has \`fakeFieldForm\`. */
const KIT = `
const USD = { iso3Code: "USD", decimalPlaces: 2 };
const MXN = { iso3Code: "MXN", decimalPlaces: 2 };
const ids = { BANK_ACCOUNT: 399, PUSH_TO_CARD: 499 };
const fields = [
  { fieldId: "NAME", label: "Name on the account", hintText: "As on the identification.", isRequired: true },
  { fieldId: "BANK", label: "Bank", fieldType: "DROPDOWN", options: [{ id: "A", name: "Banco A" }], isRequired: false },
  { fieldId: "PHONE", label: "Phone", fieldType: "PHONE_NUMBER", isRequired: false },
];
export const asked = { recipientFields: 0, quote: 0 };
export const kit = {
  cardForm() {},
  async recipientFields() {
    asked.recipientFields += 1;
    return fakeFieldForm(fields);
  },
  async corridors() {
    const route = { destinationCountry: { iso3Code: "MEX" }, sourceCurrency: [USD], destinationCurrency: [MXN] };
    return Object.keys(ids).map((transferMethod) => ({ ...route, transferMethod }));
  },
  async quote({ amount: given, quoteBy, transferMethod }) {
    asked.quote += 1;
    const amount = quoteBy === "SEND_AMOUNT" ? given : given / 20;
    return {
      quoteHistoryId: "q" + asked.quote,
      sendAmount: { value: amount, currency: USD },
      receiveAmount: { value: amount * 20, currency: MXN },
      totalCost: { value: amount + ids[transferMethod], currency: USD },
      deliverySLA: { name: "Within minutes" },
    };
  },
};
export const troubles = [];
globalThis.addEventListener?.("securitypolicyviolation", ({ violatedDirective }) => troubles.push(violatedDirective));
globalThis.addEventListener?.("error", (event) => troubles.push(String(event.message ?? event.type)));
globalThis.addEventListener?.("unhandledrejection", ({ reason }) => troubles.push(String(reason)));
if (globalThis.document) console.error = (...args) => troubles.push(args.join(" "));
`;

const SCRIPT = `
import { fakeFieldForm } from "/testing.js";
import { defineRemitAmount, defineRemitFields } from "/fields.js";
${KIT.replaceAll("export ", "")}
Object.assign(window, { troubles, fields: document.querySelector("remit-fields"), amount: document.querySelector("remit-amount") });
window.fields.remit = window.amount.remit = kit;
window.fields.addEventListener("ready", () => (window.isReady = true));
defineRemitFields();
defineRemitAmount();`;

const BODY = `<main><h1>Send money</h1><form><remit-fields kind="recipient" country="MEX" currency="MXN" required>
  </remit-fields><remit-amount country="MEX" send="USD" receive="MXN" amount="200" compare required></remit-amount>
  <button>Next</button></form></main>`;

const browser = await launchBrowser();
const packed = join(await shop(), "node_modules/remitkit");

/** Opens the page with both elements filled in as far as it does it itself. */
async function open(t, { html = (body) => body, ...options } = {}) {
  const page = pageOf("", html(BODY)).replace('<script type="module">', '<script type="module" src="/shop.js">');
  const headers = { "content-security-policy": POLICY };
  const url = await serveFolder(packed, { "/": page, "/shop.js": SCRIPT }, headers);
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  const shown = await context.newPage();
  t.after(async () => {
    const troubles = await shown.evaluate("troubles");
    await context.close();
    assert.deepEqual(troubles, []);
  });
  await shown.goto(url);
  await until(shown, "globalThis.isReady && amount.value && amount.shadowRoot.querySelectorAll('[part=detail]').length === 2");
  return shown;
}

async function until(page, condition) {
  for (let tries = 0; tries < 200; tries += 1, await sleep(25)) {
    if (await page.evaluate(`Boolean(${condition})`)) return;
  }
  assert.fail(`never: ${condition}`);
}

test("pasted and typed texts are taken, and the keyboard reaches all", IN_PAGE, async (t) => {
  const page = await open(t);
  await page.getByLabel("You send").fill("");
  // As a paste or an input method enters it.
  await page.keyboard.insertText(" 1,234.50\u200e");
  await until(page, "amount.request?.amount === 123450");
  await page.getByLabel("Phone").focus();
  await page.keyboard.insertText("55-1234\u00a05678");
  await page.getByLabel("Name on the account").focus();
  await page.keyboard.type("Ana");
  const names = [];
  for (let tabs = 0; tabs < 20 && names.at(-1) !== "Next"; tabs += 1) {
    await page.keyboard.press("Tab");
    names.push(await page.evaluate(`(() => {
      let at = document.activeElement;
      while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
      return at.labels?.[0]?.textContent.split(" To")[0] ?? at.textContent;
    })()`));
  }
  assert.deepEqual(names.map((name) => name.trim() || name), ["Bank", "Phone", "Bank account", "You send", "They receive", "Next"]);
  await page.getByRole("radio", { name: "Bank account" }).focus();
  await page.keyboard.press("ArrowDown");
  await until(page, 'amount.request?.transferMethod === "PUSH_TO_CARD"');
  assert.deepEqual(await page.evaluate("fields.toFields().map(({ id }) => id)"), ["NAME", "PHONE"]);
  assert.equal(await page.evaluate("fields.form.checkValidity()"), true);
});

test("who goes back to the page finds what was typed", IN_PAGE, async (t) => {
  const page = await open(t);
  await page.getByRole("textbox", { name: "They receive" }).fill("900");
  await page.getByLabel("Name on the account").fill("Ana");
  await until(page, "amount.request?.amount === 90000");
  await page.goto("about:blank");
  await page.goBack();
  await until(page, 'globalThis.isReady && amount.request?.quoteBy === "RECEIVE_AMOUNT"');
  assert.equal(await page.evaluate("amount.request.amount"), 90_000);
  assert.equal(await page.getByLabel("Name on the account").inputValue(), "Ana");
});

test("screen readers get groups, names, hints, problems and choices", IN_PAGE, async (t) => {
  const page = await open(t);
  await page.evaluate("fields.check()");
  await page.getByLabel("You send").fill("1x");
  const tree = await page.locator("main").ariaSnapshot();
  for (const line of [
    'group "Fields"', 'textbox "Name on the account" [invalid]', 'combobox "Bank"', 'textbox "Phone"', "Name on the account is missing.",
    'group "Amount"', 'textbox "You send" [invalid]: 1x', "Use digits only, such as 1,250.00", 'textbox "They receive"',
    'group "How they receive it"', 'radio "Bank account', "[checked]", 'button "Next"',
  ]) {
    assert.ok(tree.includes(line), `${line} in ${tree}`);
  }
  assert.doesNotMatch(tree, /\$203\.99/, "the price of another amount");
  const described = (name) => page.getByLabel(name, { exact: true }).evaluate((control) => {
    const ids = control.getAttribute("aria-describedby").split(" ");
    return ids.map((id) => control.getRootNode().getElementById(id).textContent).join(" ");
  });
  assert.match(await described("Name on the account"), /^As on the identification\. Name on the account is missing\.$/);
  assert.match(await described("You send"), /^Use digits only/);
  assert.equal(await page.getByLabel("You send").getAttribute("aria-invalid"), "true");
});

test("axe finds nothing in the amount, with a price, methods or a problem", IN_PAGE, async (t) => {
  const page = await open(t);
  const axe = await readFile(join(ROOT, "tests/e2e/node_modules/axe-core/axe.min.js"), "utf8").catch(() => undefined);
  if (axe === undefined) return t.skip("axe-core is not installed: the layer `shop` does");
  const find = async () => {
    await page.evaluate(axe);
    const tags = "['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']";
    const { violations } = await page.evaluate(`axe.run({ runOnly: ${tags} })`);
    return violations.map(({ id, nodes }) => [id, nodes[0].html]);
  };
  assert.deepEqual(await find(), []);
  await page.evaluate("fields.check()");
  await page.getByLabel("You send").fill("1x");
  assert.deepEqual(await find(), []);
});

for (const [zoom, width] of [[200, 640], [400, 320]]) {
  test(`at ${zoom} % nothing is cut off or needs scrolling sideways`, IN_PAGE, async (t) => {
    const page = await open(t, { viewport: { width, height: 640 } });
    await page.evaluate("fields.check()");
    await page.getByLabel("You send").fill("1x");
    const found = await page.evaluate(`(() => {
      const all = [fields, amount].flatMap(({ shadowRoot }) => [...shadowRoot.querySelectorAll("[part]:not(.quiet, .quiet *)")]);
      const cut = all.filter((one) => one.checkVisibility() && (one.getBoundingClientRect().right > innerWidth + 1 || one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline" && one.localName !== "select"));
      const small = all.filter((one) => one.matches("input, select, label[part=method]") && one.type !== "radio" && one.checkVisibility() && one.getBoundingClientRect().height < 24);
      return { wide: document.documentElement.scrollWidth, cut: cut.map((one) => one.outerHTML), small: small.length };
    })()`);
    assert.deepEqual(found, { wide: width, cut: [], small: 0 });
  });
}

test("in forced colors, controls and the focus keep a line; right to left, numbers keep their order", IN_PAGE, async (t) => {
  const page = await open(t, { forcedColors: "active", html: (body) => body.replace("<main>", '<main dir="rtl">') });
  const look = await page.evaluate(`(() => [fields, amount].map(({ shadowRoot }) => {
    const box = shadowRoot.querySelector("[part=box]");
    const control = box.querySelector("input");
    const label = shadowRoot.querySelector("[part=label]");
    control.focus();
    const { borderTopStyle, borderTopColor, backgroundColor, outlineStyle } = getComputedStyle(box);
    const edge = (one) => Math.round(one.getBoundingClientRect().right);
    const range = document.createRange();
    range.selectNodeContents(label);
    return { borderTopStyle, isSeen: borderTopColor !== backgroundColor, outlineStyle, isAtStart: edge(range) === edge(box) };
  }))()`);
  const seen = { borderTopStyle: "solid", isSeen: true, outlineStyle: "solid", isAtStart: true };
  assert.deepEqual(look, [seen, seen]);
  assert.equal(await page.getByLabel("You send").getAttribute("dir"), "ltr");
  assert.equal(await page.getByLabel("Phone").getAttribute("dir"), "ltr");
});

const SHOP = `
import { StrictMode, createElement as h } from "react";
import { AmountForm, FieldFormView, RemitKitProvider } from "remitkit/react";
const query = { dstCountryIso3Code: "MEX", dstCurrencyIso3Code: "MXN" };
export const shop = (remit, props) => {
  const fields = h(FieldFormView, { kind: "recipient", query, required: true, initialValues: { NAME: "Ana" }, ...props });
  const amount = h(AmountForm, { country: "MEX", amount: "200", compare: true, limits: () => ({ max: 50000 }), ...props });
  return h(StrictMode, null, h(RemitKitProvider, { remit }, h("form", null, fields, amount)));
};`;
const RENDER = `
import { renderToString } from "react-dom/server";
import { shop } from "./shop.js";
console.log(JSON.stringify(renderToString(shop(null, { lang: "es" }))));`;
const MAIN = `
import { hydrateRoot } from "react-dom/client";
import { asked, kit, troubles } from "./kit.js";
import { shop } from "./shop.js";
window.troubles = troubles;
window.asked = asked;
window.heard = [];
const hear = (name) => (value) => heard.push([name, value?.quoteHistoryId ?? value?.code]);
const props = { lang: "es", onReady: hear("ready"), onQuote: hear("quote"), onError: hear("error") };
const root = hydrateRoot(document.querySelector("#root"), shop(kit, props));
window.show = (more) => root.render(shop(kit, { ...props, ...more }));
window.end = () => root.unmount();`;

for (const [version, packages] of [[18, { react: "react-18", "react-dom": "react-dom-18" }], [19, { react: "react", "react-dom": "react-dom" }]]) {
  test(`React ${version} renders both on a server, hydrates them in StrictMode, and asks once`, IN_PAGE, async (t) => {
    const kit = `import { fakeFieldForm } from "remitkit/testing";\n${KIT}`;
    const root = await shop({ "shop.js": SHOP, "main.js": MAIN, "kit.js": kit });
    for (const [name, source] of Object.entries({ ...packages, scheduler: "scheduler" })) await link(root, name, source);
    const served = await runModule(root, RENDER, "--preserve-symlinks");
    assert.match(served, /<remit-fields [^>]*kind="recipient"[^>]*><\/remit-fields><remit-amount [^>]*country="MEX"/);
    assert.doesNotMatch(served, /style=/);
    await writeFile(join(root, "index.html"), pageText(`<div id="root">${served}</div>`));
    const dist = await buildWithVite(root, { resolve: { preserveSymlinks: true } });
    const page = await browser.newPage();
    t.after(() => page.close());
    await page.goto(await serveFolder(dist, {}, { "content-security-policy": POLICY }));
    const has = (name) => `heard.some(([one]) => one === "${name}")`;
    await until(page, `globalThis.heard && ${has("ready")} && ${has("quote")} && asked.quote === 2`);
    assert.equal(await page.getByLabel("Name on the account").inputValue(), "Ana");
    await page.getByRole("group", { name: "Forma de entrega" }).waitFor();
    await page.evaluate("show({ theme: { primary: '#0a7' } })");
    await sleep(200);
    assert.deepEqual(await page.evaluate("[asked, heard.length]"), [{ recipientFields: 1, quote: 2 }, 2]);
    await page.getByLabel("Cantidad a enviar").fill("501");
    await page.getByText("El máximo por envío es").waitFor();
    await page.evaluate("end()");
    assert.deepEqual(await page.evaluate("[document.querySelector('#root').innerHTML, troubles]"), ["", []]);
  });
}
