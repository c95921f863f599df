import assert from "node:assert/strict";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { deferred, test, withReact } from "./react-page.mjs";
import { errorOf, ID, refusal, service } from "./kit.mjs";

const QUERY = {
  dstCountryIso3Code: "MEX",
  dstCurrencyIso3Code: "MXN",
  transferMethod: "PUSH_TO_CARD",
  recipientType: "PERSON",
};
const field = (fieldId, more) => ({ fieldId, fieldType: "TEXT", name: fieldId, isRequired: true, visibility: "SHOW_AND_REQUIRED", ...more });
const FORM = {
  fieldSets: [
    { fieldSetId: "a", fieldSetName: "A", fields: [field("NAME"), field("COUNTRY")] },
    { fieldSetId: "b", fieldSetName: "B", fields: [field("CITY", { optionsSource: "/options/{COUNTRY}/cities" })] },
  ],
};

withReact((page) => {
  const { h, RemitKitProvider, useFieldForm, useFieldOptions, usePendingTransfers, calls } = page;

  async function collecting(kind, query, options, { fields = () => FORM, cities = () => [] } = {}) {
    const remit = await page.newKit();
    service.answer = (request) => (request.path.endsWith("-fields") ? fields() : request.path.startsWith("/options/") ? cities(request) : undefined);
    const state = { seen: [] };
    const Cities = ({ fields }) => ((state.cities = useFieldOptions(fields, "CITY")), null);
    const Fields = ({ kind, query }) => {
      state.fields = useFieldForm(kind, query, options);
      state.seen.push(state.fields);
      return h(Cities, { fields: state.fields });
    };
    const tree = (kind, query) => h(RemitKitProvider, { remit }, h(Fields, { kind, query }));
    const { render, unmount } = await page.render(tree(kind, query));
    const waited = () => page.until(() => !state.fields.isLoading);
    return {
      remit,
      state,
      unmount,
      waited,
      ask: (kind, query) => render(tree(kind, query)),
      act: (work) => page.act(async () => work(state.fields)),
    };
  }

  const shown = ({ problems }) => problems.map(({ fieldId }) => fieldId);

  test("each kind fetches its fields once, and again for another query", async () => {
    const { state, waited, ask } = await collecting("recipient", null);
    assert.deepEqual([state.fields.form, state.fields.isLoading], [undefined, false]);
    const kinds = {
      sender: ["senderFields", REQUESTS.senderFields()],
      recipient: ["recipientFields", QUERY],
      recipientAccount: ["recipientAccountFields", QUERY],
      transfer: ["transferFields", REQUESTS.transferFields()],
    };
    for (const [kind, [operation, query]] of Object.entries(kinds)) {
      calls.length = 0;
      state.seen.length = 0;
      await ask(kind, query);
      assert.deepEqual([state.seen[0].form, state.seen[0].isLoading], [undefined, true]);
      await waited();
      await ask(kind, { ...query });
      assert.deepEqual(calls.map(([name]) => name), [operation]);
      assert.equal(state.fields.form.fieldSets.length, 2);
    }
    const { form } = state.fields;
    state.seen.length = 0;
    await ask("transfer", { ...REQUESTS.transferFields(), dstCountryIso3Code: "COL" });
    assert.equal(state.seen[0].form, undefined, "the fields of another country are not shown");
    await waited();
    assert.notEqual(state.fields.form, form);
  });

  test("initialValues from a record fill the form once it has loaded", async () => {
    const record = { firstName: "Ana", fields: [{ id: "COUNTRY", value: "MEX" }, { id: "GONE", value: "1" }] };
    const form = { fieldSets: [{ fieldSetId: "a", fields: [field("FIRST_NAME"), field("COUNTRY"), field("CITY")] }] };
    const answer = deferred();
    const fields = () => answer.promise;
    const initialValues = (form) => form.valuesOf(record);
    const { state, waited, act, ask } = await collecting("recipientAccount", QUERY, { initialValues }, { fields });
    assert.deepEqual(state.fields.values, {});
    await act(({ setValue }) => setValue("CITY", "Puebla"));
    answer.resolve(form);
    await waited();
    assert.deepEqual(state.fields.values, { FIRST_NAME: "Ana", COUNTRY: "MEX", CITY: "Puebla" });
    assert.deepEqual(state.cities.error, undefined);
    let found;
    await act(({ setValue, check, toFields }) => {
      setValue("COUNTRY", "");
      found = [check().map(({ fieldId }) => fieldId), toFields().map(({ id }) => id)];
    });
    assert.deepEqual(found, [["COUNTRY"], ["FIRST_NAME", "CITY"]], "what the customer changed goes before the record");
    await ask("recipientAccount", { ...QUERY, transferMethod: "BANK_ACCOUNT" });
    await waited();
    assert.deepEqual(state.fields.values, { FIRST_NAME: "Ana", COUNTRY: "", CITY: "Puebla" });
    await act(({ reset }) => reset());
    assert.deepEqual([state.fields.values, state.fields.error], [{}, undefined]);
  });

  test("initialValues that the form refuses are an error of the hook", async () => {
    const { state, waited } = await collecting("recipient", QUERY, { initialValues: (form) => form.valuesOf() });
    await waited();
    assert.deepEqual([state.fields.error.option, state.fields.values], ["record", {}]);
  });

  test("a problem shows after leaving its field or checking all of them", async () => {
    const { state, waited, act } = await collecting("recipientAccount", QUERY, {
      initialValues: { COUNTRY: "MEX" },
    });
    await waited();
    assert.deepEqual(shown(state.fields), []);
    await act(({ touch }) => touch("NAME"));
    assert.deepEqual(shown(state.fields), ["NAME"]);
    await act(({ setValue }) => setValue("NAME", "Ana"));
    assert.deepEqual(shown(state.fields), []);
    let found;
    await act(({ setValue, check }) => {
      setValue("COUNTRY", "");
      found = check();
    });
    assert.deepEqual(
      found.map(({ fieldId }) => fieldId),
      ["COUNTRY", "CITY"],
      "a value set in the same turn counts",
    );
    assert.deepEqual(shown(state.fields), ["COUNTRY", "CITY"]);
    await act(({ reset }) => reset());
    assert.deepEqual([shown(state.fields), state.fields.values], [[], {}]);
  });

  test("values survive another query, and only fields asked for are sent", async () => {
    const { state, waited, act, ask } = await collecting("recipient", QUERY);
    await waited();
    await act(({ setValue }) => setValue("NAME", "Ana"));
    await act(({ setValue }) => setValue("FROM_ELSEWHERE", "x"));
    await ask("recipient", { ...QUERY, recipientType: "BUSINESS" });
    await waited();
    assert.deepEqual(state.fields.toFields(), [{ id: "NAME", value: "Ana" }]);
  });

  test("nothing is checked before fields load; unknown kinds are refused", async () => {
    const { state } = await collecting("recipient", null);
    for (const work of [state.fields.check, state.fields.toFields]) {
      assert.equal((await errorOf(work)).code, "InvalidRequest");
    }
    const complained = await errorOf(() =>
      page.render(
        h(
          RemitKitProvider,
          { remit: null },
          h(() => useFieldForm("toString", QUERY)),
        ),
      ),
    );
    assert.deepEqual([complained.code, complained.option], ["InvalidRequest", "kind"]);
    page.complaints().length = 0;
  });

  test("refused values and a destroyed kit are errors, not exceptions", async () => {
    const { state, waited, act, remit } = await collecting("recipient", QUERY);
    await waited();
    await act(({ setValue }) => setValue("NAME", NaN));
    assert.deepEqual([state.fields.error.code, state.fields.error.option], ["InvalidRequest", "NAME"]);
    await act(({ setValue }) => setValue("NAME", "Ana"));
    assert.equal(state.fields.error, undefined);
    await remit.destroy();
    await act(({ setValue }) => setValue("NAME", "Eva"));
    assert.equal(state.fields.error.code, "Destroyed");
  });

  test("options are fetched again when what they depend on changes", async () => {
    const asked = [];
    const cities = ({ path, signal }) => {
      const answer = deferred();
      asked.push({ country: path.split("/")[2], signal, ...answer });
      return answer.promise;
    };
    const { state, waited, act } = await collecting("recipient", QUERY, undefined, { cities });
    await waited();
    await act(({ setValue }) => setValue("NAME", "Ana"));
    await act(({ setValue }) => setValue("COUNTRY", "MEX"));
    await page.until(() => asked.length === 1);
    await act(({ setValue }) => setValue("COUNTRY", "COL"));
    assert.deepEqual([state.cities.options, state.cities.isLoading], [[], true]);
    await page.until(() => asked.length === 2);
    assert.deepEqual(
      asked.map(({ country, signal }) => [country, signal.aborted]),
      [
        ["MEX", true],
        ["COL", false],
      ],
    );
    await page.act(async () => asked[1].resolve([{ id: "Bogotá", name: "Bogotá" }]));
    await page.act(async () => asked[0].resolve([{ id: "Puebla", name: "Puebla" }]));
    await page.settle();
    assert.deepEqual([state.cities.options, state.cities.isLoading], [[{ id: "Bogotá", name: "Bogotá" }], false]);
  });

  test("fields that fail to load are an error and can be fetched again", async () => {
    let fails = true;
    const fields = () => (fails ? refusal("AccessDenied", 403) : FORM);
    const { state, waited, act } = await collecting("sender", { senderType: "PERSON" }, undefined, { fields });
    await waited();
    assert.equal(state.fields.error.code, "AccessDenied");
    fails = false;
    await act(({ reload }) => reload());
    await waited();
    assert.deepEqual([state.fields.error, state.fields.form !== undefined], [undefined, true]);
  });

  test("pending transfers are read from the journal, again on refresh", async () => {
    const remit = await page.newKit();
    const attempt = await remit.prepareTransfer(REQUESTS.transfer(ID));
    let state;
    const seen = [];
    const Pending = () => (seen.push((state = usePendingTransfers())), null);
    await page.render(h(RemitKitProvider, { remit }, h(Pending)));
    assert.deepEqual([seen[0].attempts, seen[0].isLoading], [[], true]);
    await page.until(() => !state.isLoading);
    assert.equal(page.callsOf("pendingTransfers").length, 1);
    const attempts = () => state.attempts.map(({ quoteHistoryId, state }) => [quoteHistoryId, state]);
    assert.deepEqual(attempts(), [[ID, "PREPARED"]]);
    await attempt.discard();
    await page.act(async () => state.refresh());
    await page.until(() => !state.isLoading);
    assert.deepEqual(attempts(), []);
  });
});
