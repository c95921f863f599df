// <remit-fields> and <remit-amount> as customers have them, in each engine: pasted text, screen readers, zoom, right
// to left; and React's views of them rendered on a server, under a strict policy. Forced colors are Chromium's.

import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { buildWithVite, IN_PAGE, launchBrowser, page as pageText, pageOf } from "./chromium.mjs";
import { link } from "./compiler.mjs";
import { engineTest } from "./engines.mjs";
import { ROOT, runModule, serveFolder, shop } from "./packed.mjs";

const browser = await launchBrowser();

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
const check = ({ NAME, PHONE }) => [
  ...(NAME ? [] : [{ fieldId: "NAME", code: "MissingRequiredField", message: "This field must be filled in." }]),
  ...(PHONE?.number?.length === 1 ? [{ fieldId: "PHONE", code: "ValueRegexFailure", message: "Wrong." }] : []),
];
export const asked = { recipientFields: 0, quote: 0 };
export const kit = {
  cardForm() {},
  async recipientFields() {
    asked.recipientFields += 1;
    return fakeFieldForm(fields, { check });
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
// Firefox looks for an icon again when a page is shown again.
const isOfPage = (directive) => directive !== "img-src";
globalThis.addEventListener?.("securitypolicyviolation", ({ violatedDirective }) => {
  if (isOfPage(violatedDirective)) troubles.push(violatedDirective);
});
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

const packed = join(await shop(), "node_modules/remitkit");
const READY = "globalThis.isReady && amount.value && amount.shadowRoot.querySelectorAll('[part=detail]').length === 2";

/** What the tests do in the page. */
const HELPERS = `
const all = (css) => [window.fields, window.amount].flatMap(({ shadowRoot }) => [...shadowRoot.querySelectorAll(css)]);
window.all = all;
window.labeled = (label) => all("input, select").find((one) => one.labels[0]?.textContent === label);
window.focused = () => {
  let at = document.activeElement;
  while (at.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  return at;
};
window.fill = (label, text) => {
  const control = labeled(label);
  control.focus();
  control.select();
  document.execCommand("insertText", false, text);
};
window.described = (label) => {
  const control = labeled(label);
  const ids = control.getAttribute("aria-describedby").split(" ");
  return ids.map((id) => control.getRootNode().getElementById(id).textContent).join(" ");
};
window.overflowing = () => {
  const shown = all("[part]:not(.quiet, .quiet *)").filter((one) => one.checkVisibility());
  const isCut = (one) => one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).display !== "inline";
  const cut = shown.filter((one) => one.getBoundingClientRect().right > innerWidth + 1 || (isCut(one) && one.localName !== "select"));
  const targets = shown.filter((one) => one.matches("input:not([type=radio]), select, a, label[part=method]"));
  const small = targets.filter((one) => one.getBoundingClientRect().height < 24);
  return [document.documentElement.scrollWidth - document.documentElement.clientWidth, [...cut, ...small].map((one) => one.outerHTML)];
};`;

/** Opens the page with both elements filled in as far as it does it itself; `find` is `window` or its frame. */
async function serve({ html = (body) => body } = {}) {
  const page = pageOf("", html(BODY)).replace('<script type="module">', '<script type="module" src="/shop.js">');
  const framed = (request, reply) => {
    const { searchParams } = new URL(request.url, "http://page");
    const frame = `<!doctype html><iframe src="/" width="${searchParams.get("width")}" height="640" style="border: 0"></iframe>`;
    reply.writeHead(200, { "content-type": "text/html" }).end(frame);
  };
  const own = { "/": page, "/shop.js": SCRIPT + HELPERS, "/framed": framed };
  return serveFolder(packed, own, { "content-security-policy": POLICY });
}

async function open(t, page, options) {
  await page.open(await serve(options), READY);
  t.after(async () => assert.deepEqual(await page.evaluate("troubles"), []));
}

engineTest("pasted and typed texts are taken, and the keyboard reaches all", async (t, page) => {
  await open(t, page);
  await page.evaluate(`fill("You send", " 1,234.50\\u200e")`);
  await page.until("amount.request?.amount === 123450");
  await page.evaluate(`fill("Phone", "55-1234\\u00a05678")`);
  await page.evaluate('labeled("Name on the account").focus()');
  await page.typeKeys("Ana");
  const names = [];
  for (let tabs = 0; tabs < 20 && names.at(-1) !== "Next"; tabs += 1) {
    await page.press("Tab");
    names.push(await page.evaluate('(focused().labels?.[0] ?? focused()).textContent.split(" To")[0].trim()'));
  }
  assert.deepEqual(names, ["Bank", "Phone", "You send", "They receive", "Bank account", "Next"]);
  await page.evaluate('all("[type=radio]").find((radio) => radio.value === "BANK_ACCOUNT").focus()');
  await page.press("ArrowDown");
  await page.until('amount.request?.transferMethod === "PUSH_TO_CARD"');
  assert.deepEqual(await page.evaluate("fields.toFields().map(({ id }) => id)"), ["NAME", "PHONE"]);
  assert.equal(await page.evaluate("fields.form.checkValidity()"), true);
});

engineTest("who goes back to the page finds what was typed", async (t, page) => {
  await open(t, page);
  await page.evaluate('fill("They receive", "900")');
  await page.evaluate('fill("Name on the account", "Ana")');
  await page.until("amount.request?.amount === 90000");
  await page.open("about:blank");
  await page.back();
  await page.until('globalThis.isReady && amount.request?.quoteBy === "RECEIVE_AMOUNT"');
  assert.equal(await page.evaluate("amount.request.amount"), 90_000);
  await page.until('labeled("Name on the account").value === "Ana"');
});

engineTest("problems are said, counted and led to, each with its field", async (t, page) => {
  await open(t, page);
  const part = (name) => `fields.shadowRoot.querySelector("[part=${name}]")`;
  assert.equal(await page.evaluate("fields.check()"), false);
  assert.equal(await page.evaluate('focused() === labeled("Name on the account")'), true, "the only problem");
  await page.until('described("Name on the account") === "As on the identification. Name on the account is missing."');
  assert.equal(await page.evaluate(part("summary")), null);
  await page.evaluate('fill("Phone", "1")');
  await page.evaluate("fields.check()");
  await page.until(`focused() === ${part("summary")}`);
  assert.equal(await page.evaluate(`${part("summary-title")}.textContent`), "2 details need another look");
  assert.equal(await page.evaluate(`${part("summary")}.getAttribute("aria-label")`), "2 details need another look");
  await page.press("Tab", "Tab", "Enter");
  assert.equal(await page.evaluate('focused() === labeled("Phone")'), true);
  assert.equal(await page.evaluate("location.hash + history.length"), await page.evaluate('"" + history.length'));
  await page.typeKeys("5512345");
  await page.until(`${part("summary-title")}.textContent === "One detail needs another look"`);
  await page.evaluate('fill("Name on the account", "Ana")');
  assert.equal(await page.evaluate(part("summary")), null);
});

engineTest("axe finds nothing, with a price, methods, problems or a summary", async (t, page) => {
  await open(t, page);
  const axe = await readFile(join(ROOT, "tests/e2e/node_modules/axe-core/axe.min.js"), "utf8").catch(() => undefined);
  if (axe === undefined) return t.skip("axe-core is not installed: the layer `shop` does");
  const find = async () => {
    const tags = "['wcag2a', 'wcag2aa', 'wcag21aa', 'wcag22aa', 'best-practice']";
    const found = "({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html])";
    return page.evaluate(`(() => { ${axe}; return axe.run({ runOnly: ${tags} }).then(${found}); })()`);
  };
  assert.deepEqual(await find(), []);
  await page.evaluate('fill("You send", "1x")');
  await page.evaluate('fill("Phone", "1")');
  await page.evaluate("fields.check()");
  await page.until("fields.shadowRoot.querySelector('[part=summary]')");
  assert.deepEqual(await find(), []);
});

for (const [zoom, width] of [[200, 640], [400, 320]]) {
  engineTest(`at ${zoom} % nothing is cut off or needs scrolling sideways`, async (t, page) => {
    await page.open(`${await serve()}/framed?width=${width}`);
    await page.until(`document.querySelector("iframe").contentDocument?.readyState === "complete"`);
    const call = (work) => `((window, { fields, amount }) => (${work}))(frames[0], frames[0])`;
    await page.until(call(`window.isReady && amount.value && amount.shadowRoot.querySelectorAll("[part=detail]").length === 2`));
    await page.evaluate(call('window.fill("You send", "1x")'));
    await page.evaluate(call('window.fill("Phone", "1")'));
    await page.evaluate(call("fields.check()"));
    await page.until(call('fields.shadowRoot.querySelector("[part=summary]")'));
    assert.deepEqual(await page.evaluate(call("window.overflowing()")), [0, []]);
  });
}

engineTest("right to left, labels stand at the start and numbers keep their order", async (t, page) => {
  await open(t, page, { html: (body) => body.replace("<main>", '<main dir="rtl">') });
  const edges = await page.evaluate(`[fields, amount].map(({ shadowRoot }) => {
    const edge = (one) => Math.round(one.getBoundingClientRect().right);
    const range = document.createRange();
    range.selectNodeContents(shadowRoot.querySelector("[part=label]"));
    return edge(range) - edge(shadowRoot.querySelector("[part=box]"));
  })`);
  assert.deepEqual(edges, [0, 0]);
  assert.equal(await page.evaluate('labeled("You send").dir + labeled("Phone").dir'), "ltrltr");
});

/** Opens the page in Chromium, where Playwright reads what assistive technologies get, and forces colors. */
async function openChromium(t, options) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
  t.after(() => context.close());
  const page = await context.newPage();
  await page.goto(await serve());
  await until(page, READY);
  return page;
}

async function until(page, condition) {
  for (let tries = 0; tries < 400; tries += 1, await sleep(25)) {
    if (await page.evaluate(`Boolean(${condition})`)) return;
  }
  assert.fail(`never: ${condition}`);
}

test("screen readers get groups, names, problems and choices", IN_PAGE, async (t) => {
  const page = await openChromium(t);
  await page.getByLabel("You send").fill("1x");
  await page.getByLabel("Phone").fill("1");
  await page.evaluate("fields.check()");
  await page.getByRole("heading", { name: "2 details need another look" }).waitFor();
  const tree = await page.locator("main").ariaSnapshot();
  for (const line of [
    'group "2 details need another look"', 'link "Name on the account is missing."',
    'group "Fields"', 'textbox "Name on the account" [invalid]', 'combobox "Bank"', 'textbox "Phone" [invalid]: "1"',
    'group "Amount"', 'textbox "You send" [invalid]: 1x', "Use digits only, such as 1,250.00", 'textbox "They receive"',
    'group "How they receive it"', 'radio "Bank account', "[checked]", 'button "Next"',
  ]) {
    assert.ok(tree.includes(line), `${line} in ${tree}`);
  }
  assert.doesNotMatch(tree, /\$203\.99/, "the price of another amount");
});

test("in forced colors, controls and the focus keep a line", IN_PAGE, async (t) => {
  const page = await openChromium(t, { forcedColors: "active" });
  const look = await page.evaluate(`[fields, amount].map(({ shadowRoot }) => {
    const box = shadowRoot.querySelector("[part=box]");
    box.querySelector("input").focus();
    const { borderTopStyle, borderTopColor, backgroundColor, outlineStyle } = getComputedStyle(box);
    return { borderTopStyle, isSeen: borderTopColor !== backgroundColor, outlineStyle };
  })`);
  const seen = { borderTopStyle: "solid", isSeen: true, outlineStyle: "solid" };
  assert.deepEqual(look, [seen, seen]);
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
  engineTest(`React ${version} renders both on a server, hydrates them in StrictMode, and asks once`, async (t, page) => {
    const kit = `import { fakeFieldForm } from "remitkit/testing";\n${KIT}`;
    const root = await shop({ "shop.js": SHOP, "main.js": MAIN, "kit.js": kit });
    for (const [name, source] of Object.entries({ ...packages, scheduler: "scheduler" })) await link(root, name, source);
    const served = await runModule(root, RENDER, "--preserve-symlinks");
    assert.match(served, /<remit-fields [^>]*kind="recipient"[^>]*><\/remit-fields><remit-amount [^>]*country="MEX"/);
    assert.doesNotMatch(served, /style=/);
    await writeFile(join(root, "index.html"), pageText(`<div id="root">${served}</div>`));
    const dist = await buildWithVite(root, { resolve: { preserveSymlinks: true } });
    const has = (name) => `heard.some(([one]) => one === "${name}")`;
    const url = await serveFolder(dist, {}, { "content-security-policy": POLICY });
    await page.open(url, `globalThis.heard && ${has("ready")} && ${has("quote")} && asked.quote === 2`);
    const inParts = (css) => `[...document.querySelectorAll("remit-fields, remit-amount")].map((one) => one.shadowRoot.querySelector("${css}"))`;
    assert.equal(await page.evaluate(`${inParts("[name=NAME]")}[0].value`), "Ana");
    await page.until(`${inParts("[part=methods]")}[1].textContent.includes("Forma de entrega")`);
    await page.evaluate("show({ theme: { primary: '#0a7' } })");
    await sleep(200);
    assert.deepEqual(await page.evaluate("[asked, heard.length]"), [{ recipientFields: 1, quote: 2 }, 2]);
    await page.evaluate(`${inParts("[part~=input]")}[1].select()`);
    await page.insert("501");
    await page.until(`${inParts("[part=problem]")}[1].textContent.includes("El máximo por envío es")`);
    await page.evaluate("end()");
    assert.deepEqual(await page.evaluate("[document.querySelector('#root').innerHTML, troubles]"), ["", []]);
  });
}
