import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import ts from "typescript-5";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { Sessions, withPage } from "./card-page.mjs";
import { ID, kit } from "./kit.mjs";
import { OPTIONS } from "./push-to-card.mjs";

const ROOT = join(import.meta.dirname, "../../..");

/** The members of the interfaces and classes that the types declare, by name. */
const declared = await (async () => {
  const members = {};
  const bases = {};
  for (const name of ["card", "corridor", "error", "fields", "push-to-card", "quote", "recipient", "remit-kit", "sender", "transfer"]) {
    const path = join(ROOT, `pkg-template/types/${name}.d.ts`);
    const source = ts.createSourceFile(path, await readFile(path, "utf8"), ts.ScriptTarget.Latest);
    source.forEachChild((node) => {
      if (ts.isInterfaceDeclaration(node) || ts.isClassDeclaration(node)) {
        members[node.name.text] = node.members
          .filter((member) => member.name)
          .map((member) => member.name.getText(source));
        bases[node.name.text] = (node.heritageClauses ?? []).flatMap(({ types }) => types.map((type) => type.getText(source)));
      }
    });
  }
  const all = (name) => [...(members[name] ?? []), ...(bases[name] ?? []).flatMap(all)];
  return Object.fromEntries(Object.keys(members).map((name) => [name, all(name)]));
})();

/** What an object really has: its own members and those of its class, as the types write them. */
function offered(object) {
  const prototype = Object.getPrototypeOf(object);
  const names = Reflect.ownKeys(prototype).filter((name) => name !== "constructor");
  const written = new Map([
    [Symbol.asyncIterator, "[Symbol.asyncIterator]"],
    [Symbol.dispose, "[Symbol.dispose]"],
  ]);
  return names.map((name) => written.get(name) ?? String(name)).sort();
}

test("every object has exactly the members the types declare", () =>
  withPage(async () => {
    const { remit } = await kit(new Sessions().answer);
    const objects = {
      RemitKit: remit,
      CardForm: await remit.cardForm({ container: "#card" }),
      FieldForm: await remit.senderFields(REQUESTS.senderFields()),
      TransferAttempt: await remit.prepareTransfer(REQUESTS.transfer(ID)),
      PushToCardFlow: remit.pushToCard(OPTIONS),
    };
    for (const [name, object] of Object.entries(objects)) {
      assert.deepEqual(offered(object), [...declared[name]].sort(), name);
      assert.deepEqual(Object.keys(object), [], `${name} keeps its state to itself`);
    }
  }));

test("the types name exactly the core's error codes and resolutions", async () => {
  const types = await readFile(join(ROOT, "pkg-template/types/error.d.ts"), "utf8");
  const rust = await readFile(join(ROOT, "src/api/code.rs"), "utf8");
  const union = (name) =>
    [...new RegExp(`export type ${name} =(.*?);\n\n`, "s").exec(types)[1].matchAll(/"(\w+)"/g)].map(
      ([, value]) => value,
    );
  const block = (name) => new RegExp(`^    ${name} \\{\\n(.*?)^    \\}`, "ms").exec(rust)[1];
  const codes = (name) => [...block(name).matchAll(/^ +(\w+) \w+ \w+ (?:later )?"/gm)].map(([, code]) => code);
  assert.equal(codes("documented").length, 67);
  assert.deepEqual(union("DocumentedErrorCode").sort(), codes("documented").sort());
  assert.deepEqual(union("OwnErrorCode").sort(), codes("own").sort());
  const strings = (type) => [...block(type).matchAll(/^ +\w+ = "(\w+)",$/gm)].map(([, value]) => value);
  assert.deepEqual(union("Resolution").sort(), strings("Resolution").sort());
  assert.deepEqual(union("ErrorKind").sort(), strings("Kind").sort());
});

test("the types name exactly the card form's theme parameters", async () => {
  const rust = await readFile(join(ROOT, "src/card/theme.rs"), "utf8");
  const table = /^parameters! \{\n(.*?)^\}/ms.exec(rust)[1];
  const parameters = [...table.matchAll(/^ +(\w+) \w+ "/gm)].map(([, name]) => name);
  assert.equal(parameters.length, 24);
  assert.deepEqual(declared.Theme, parameters);
});

test("codes the package and its server raise have the core's kind, resolution, message", async () => {
  const errors = await readFile(join(ROOT, "pkg-template/errors.js"), "utf8");
  const rust = await readFile(join(ROOT, "src/api/code.rs"), "utf8");
  const ofServer = await readFile(join(ROOT, "pkg-template/server/failure.js"), "utf8");
  const own = [errors, ofServer].flatMap((text) => [...text.matchAll(/^  (\w+): \["(\w+)", "(\w+)"\],$/gm)]);
  assert.ok(own.length >= 17);
  const snake = (name) => name.replace(/(?<!^)[A-Z]/g, "_$&").toLowerCase();
  for (const [, code, kind, resolution] of own) {
    const [, rustKind, rustResolution] = new RegExp(`^ +${code} (\\w+) (\\w+) (?:later )?"`, "m").exec(rust);
    assert.deepEqual([kind, resolution], [snake(rustKind), snake(rustResolution)], code);
  }
  const messages = [...errors.matchAll(/^  (\w+):\s+("[^"]+"),$/gm)];
  assert.ok(messages.length >= 3);
  for (const [, code, message] of messages) {
    assert.match(rust, new RegExp(`^ +${code} \\w+ \\w+ (?:later )?${message}$`, "m"));
  }
  const steps = await readFile(join(ROOT, "pkg-template/push-to-card-steps.js"), "utf8");
  const [, message] = /^const NO_CORRIDOR = (".*");$/m.exec(steps);
  assert.match(rust, new RegExp(`^ +NoCorridorFoundForSpecificValues Quote ChooseAnotherCorridor ${message}$`, "m"));
});
