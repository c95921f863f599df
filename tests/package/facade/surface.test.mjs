// The declared types against the package and the core.

import assert from "node:assert/strict";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import ts from "typescript-5";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { Sessions, withPage } from "./card-page.mjs";
import { ID, kit, load, remitkit } from "./kit.mjs";
import { OPTIONS } from "./push-to-card.mjs";

const { darkTheme, lightTheme } = remitkit;
const ROOT = join(import.meta.dirname, "../../..");
const TYPES = "pkg-template/types";
const read = (path) => readFile(join(ROOT, path), "utf8");
const matches = (text, pattern) => [...text.matchAll(pattern)].map(([, value]) => value);

/** Collects the members of the declared interfaces and classes, by name. */
async function readDeclarations() {
  const members = {};
  const bases = {};
  for (const name of await readdir(join(ROOT, TYPES))) {
    const text = await read(`${TYPES}/${name}`);
    const source = ts.createSourceFile(name, text, ts.ScriptTarget.Latest);
    source.forEachChild((node) => {
      if (!ts.isInterfaceDeclaration(node) && !ts.isClassDeclaration(node)) return;
      const named = node.members.filter((member) => member.name);
      members[node.name.text] = named.map((member) => member.name.getText(source));
      const clauses = node.heritageClauses ?? [];
      bases[node.name.text] = clauses.flatMap(({ types }) => types.map((type) => type.getText(source)));
    });
  }
  const all = (name) => [...(members[name] ?? []), ...(bases[name] ?? []).flatMap(all)];
  return Object.fromEntries(Object.keys(members).map((name) => [name, all(name)]));
}

const declared = await readDeclarations();

/** Returns the members of an object's class as the types write them, or its own where it has no class. */
function membersOf(object) {
  const prototype = Object.getPrototypeOf(object);
  const names = Reflect.ownKeys(prototype === Object.prototype ? object : prototype);
  const symbols = { [Symbol.asyncIterator]: "[Symbol.asyncIterator]", [Symbol.dispose]: "[Symbol.dispose]" };
  const written = (name) => symbols[name] ?? String(name);
  return names.filter((name) => name !== "constructor").map(written).sort();
}

test("every object and its fake have exactly the members the types declare", () =>
  withPage(async () => {
    const { remit } = await kit(new Sessions().answer);
    const { fakeCardForm, fakeRemitKit } = await load("testing.js");
    for (const [name, object] of [
      ["RemitKit", remit],
      ["CardForm", await remit.cardForm({ container: "#card" })],
      ["FieldForm", await remit.senderFields(REQUESTS.senderFields())],
      ["TransferAttempt", await remit.prepareTransfer(REQUESTS.transfer(ID))],
      ["PushToCardFlow", remit.pushToCard(OPTIONS)],
      ["CardForm", (await fakeCardForm()).form],
    ]) {
      assert.deepEqual(membersOf(object), [...declared[name]].sort(), name);
      assert.deepEqual(Object.keys(object), [], `${name} has private state`);
    }
    const fake = fakeRemitKit().remit;
    assert.deepEqual(membersOf(fake), membersOf(remit));
    for (const name of Reflect.ownKeys(fake)) assert.equal(typeof fake[name], "function", String(name));
  }));

test("the types name exactly the core's kinds of errors", async () => {
  const kinds = /export type ErrorKind =(.*?);\n\n/s.exec(await read(`${TYPES}/error.d.ts`))[1];
  const block = /^    Kind \{\n(.*?)^    \}/ms.exec(await read("src/api/kind.rs"))[1];
  assert.deepEqual(matches(kinds, /"(\w+)"/g), matches(block, /^ +\w+ = "(\w+)",$/gm));
});

test("the types name exactly the events of a card form", async () => {
  const { CARD_EVENT_TYPES } = await load("card/card-event-types.js");
  const union = /export type CardFormEvent =(.*?);\n\n/s.exec(await read(`${TYPES}/card.d.ts`))[1];
  assert.deepEqual(matches(union, /readonly type: "(\w+)"/g), CARD_EVENT_TYPES);
});

test("both presets have exactly the theme's colors", async () => {
  const table = /^theme! \{\n(.*?)^\}/ms.exec(await read("src/card/theme.rs"))[1];
  const colors = matches(table, /^ +\w+ "(\w+)": Color /gm);
  for (const preset of [lightTheme, darkTheme]) assert.deepEqual(Object.keys(preset), colors);
});

test("the types and the element have exactly the card form's theme parameters", async () => {
  const table = /^theme! \{\n(.*?)^\}/ms.exec(await read("src/card/theme.rs"))[1];
  const parameters = matches(table, /^ +\w+ "(\w+)": /gm);
  assert.ok(parameters.length >= 24);
  assert.deepEqual(declared.Theme, parameters);
  const { THEME_ATTRIBUTES } = await load("element/theme-attributes.js");
  const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  assert.deepEqual(THEME_ATTRIBUTES, parameters.map((name) => `theme-${kebab(name)}`));
});
