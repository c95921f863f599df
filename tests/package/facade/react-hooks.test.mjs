// The hooks for corridors, dynamic fields and pending transfers.

import assert from "node:assert/strict";
import { REQUESTS } from "../../fuzz/samples.mjs";
import { assertRefused, errorOf, ID, OPTIONS, refusal, service } from "./kit.mjs";
import { deferred, test, withReact } from "./react-page.mjs";

const QUERY = REQUESTS.corridorFields();
const field = (fieldId, more) => ({ fieldId, fieldType: "TEXT", name: fieldId, isRequired: true, ...more });
const FORM = {
  fieldSets: [
    { fieldSetId: "a", fields: [field("NAME"), field("COUNTRY")] },
    { fieldSetId: "b", fields: [field("CITY", { optionsSource: "/options/{COUNTRY}/cities" })] },
  ],
};
const idsOf = (problems) => problems.map(({ fieldId }) => fieldId);

withReact((page) => {
  const { h, calls, RemitKitProvider } = page;
  const { useCorridors, useFieldControl, useFieldForm, useFieldOptions, usePendingTransfers } = page;

  test("corridors follow the newest filter, and are absent while loading", async () => {
    const asked = [];
    const remit = { cardForm() {}, corridors: async (filter) => (asked.push(filter), [filter]) };
    const seen = [];
    const Ways = ({ filter }) => (seen.push(useCorridors(filter)), null);
    const tree = (filter) => h(RemitKitProvider, { remit }, h(Ways, { filter }));
    const arrived = () => page.until(() => !seen.at(-1).isLoading);
    const { render } = await page.render(tree(undefined));
    for (const filter of [{ dstCountryIso3Code: "MEX" }, { transferMethod: "PUSH_TO_CARD" }]) {
      seen.length = 0;
      await render(tree(filter));
      assert.deepEqual([seen[0].corridors, seen[0].isLoading], [[], true]);
      await arrived();
      assert.deepEqual([seen.at(-1).corridors, seen.at(-1).error], [[filter], undefined]);
    }
    const { length } = asked;
    await render(tree({ transferMethod: "PUSH_TO_CARD" }));
    await page.settle();
    assert.equal(asked.length, length, "an equal filter asks nothing");
    await page.act(async () => seen.at(-1).refresh());
    await arrived();
    assert.equal(asked.length, length + 1);
    await render(tree(null));
    assert.deepEqual([seen.at(-1).corridors, seen.at(-1).isLoading], [[], false]);
  });

  async function collecting(kind, query, options, { fields = () => FORM, cities = () => [] } = {}) {
    const remit = await page.newKit();
    service.answer = (request) => {
      if (request.path.endsWith("-fields")) return fields();
      return request.path.startsWith("/options/") ? cities(request) : undefined;
    };
    const state = { seen: [] };
    const Cities = ({ fields }) => ((state.cities = useFieldOptions(fields, "CITY")), null);
    const Fields = ({ kind, query }) => {
      state.fields = useFieldForm(kind, query, options);
      state.seen.push(state.fields);
      return h(Cities, { fields: state.fields });
    };
    const tree = (kind, query) => h(RemitKitProvider, { remit }, h(Fields, { kind, query }));
    const { render } = await page.render(tree(kind, query));
    const arrived = () => page.until(() => !state.fields.isLoading);
    const ask = (kind, query) => render(tree(kind, query));
    return { remit, state, arrived, ask, act: (work) => page.act(async () => work(state.fields)) };
  }

  test("each kind fetches its fields once, and again for another query", async () => {
    const { state, arrived, ask } = await collecting("recipient", null);
    assert.deepEqual([state.fields.form, state.fields.isLoading], [undefined, false]);
    for (const work of [state.fields.check, state.fields.toFields]) {
      assert.equal((await errorOf(work)).code, "InvalidRequest");
    }
    for (const [kind, operation, query] of [
      ["sender", "senderFields", REQUESTS.senderFields()],
      ["recipient", "recipientFields", QUERY],
      ["recipientAccount", "recipientAccountFields", QUERY],
      ["transfer", "transferFields", REQUESTS.transferFields()],
      ["transfer", "transferFields", { ...REQUESTS.transferFields(), dstCountryIso3Code: "COL" }],
    ]) {
      calls.length = 0;
      state.seen.length = 0;
      await ask(kind, query);
      assert.deepEqual([state.seen[0].form, state.seen[0].isLoading], [undefined, true]);
      await arrived();
      await ask(kind, { ...query });
      assert.deepEqual(calls.map(([name]) => name), [operation]);
      assert.equal(state.fields.form.fieldSets.length, 2);
    }
    const invalid = h(RemitKitProvider, { remit: null }, h(() => useFieldForm("toString", QUERY)));
    await assertRefused((tree) => page.render(tree), [[invalid, "kind"]]);
    page.expectComplaints();
  });

  test("initialValues from a record fill the form once it has loaded", async () => {
    const fields = ["FIRST_NAME", "COUNTRY", "CITY"].map((id) => field(id));
    const values = [{ id: "COUNTRY", value: "MEX" }, { id: "GONE", value: "1" }];
    const record = { firstName: "Ana", fields: values };
    const { promise, resolve } = deferred();
    const options = { initialValues: (form) => form.valuesOf(record) };
    const form = await collecting("recipientAccount", QUERY, options, { fields: () => promise });
    const { state, arrived, act, ask } = form;
    assert.deepEqual(state.fields.values, {});
    await act(({ setValue }) => setValue("CITY", "Puebla"));
    resolve({ fieldSets: [{ fieldSetId: "a", fields }] });
    await arrived();
    assert.deepEqual(state.fields.values, { FIRST_NAME: "Ana", COUNTRY: "MEX", CITY: "Puebla" });
    let found;
    await act(({ setValue, check, toFields }) => {
      setValue("COUNTRY", "");
      found = [idsOf(check()), toFields().map(({ id }) => id)];
    });
    assert.deepEqual(found, [["COUNTRY"], ["FIRST_NAME", "CITY"]], "the customer's value wins");
    await ask("recipientAccount", { ...QUERY, transferMethod: "BANK_ACCOUNT" });
    await arrived();
    assert.deepEqual(state.fields.values, { FIRST_NAME: "Ana", COUNTRY: "", CITY: "Puebla" });
    await act(({ reset }) => reset());
    assert.deepEqual([state.fields.values, state.fields.error], [{}, undefined]);
  });

  test("a problem shows after leaving its field or checking all of them", async () => {
    const initialValues = { COUNTRY: "MEX" };
    const { state, arrived, act } = await collecting("recipient", QUERY, { initialValues });
    const shows = (...ids) => assert.deepEqual(idsOf(state.fields.problems), ids);
    await arrived();
    shows();
    await act(({ touch }) => touch("NAME"));
    shows("NAME");
    await act(({ setValue }) => (setValue("NAME", "Ana"), setValue("OTHER", "x")));
    shows();
    assert.deepEqual(state.fields.toFields().map(({ id }) => id), ["NAME", "COUNTRY"]);
    let found;
    await act(({ setValue, check }) => {
      setValue("COUNTRY", "");
      found = idsOf(check());
    });
    const all = ["COUNTRY", "CITY", "firstName", "lastName"];
    assert.deepEqual(found, all, "a value set in the same turn counts");
    shows(...all);
    await act(({ reset }) => reset());
    shows();
  });

  test("options are fetched again when what they depend on changes", async () => {
    const asked = [];
    const cities = ({ path, signal }) => {
      asked.push({ country: path.split("/")[2], signal, ...deferred() });
      return asked.at(-1).promise;
    };
    const { state, arrived, act } = await collecting("recipient", QUERY, undefined, { cities });
    await arrived();
    for (const [count, country] of ["MEX", "COL"].entries()) {
      await act(({ setValue }) => setValue("COUNTRY", country));
      assert.deepEqual([state.cities.options, state.cities.isLoading], [[], true]);
      await page.until(() => asked.length === count + 1);
    }
    const aborted = asked.map(({ country, signal }) => [country, signal.aborted]);
    assert.deepEqual(aborted, [["MEX", true], ["COL", false]]);
    const bogota = [{ id: "Bogotá", name: "Bogotá" }];
    await page.act(async () => asked[1].resolve(bogota));
    await page.act(async () => asked[0].resolve([{ id: "Puebla", name: "Puebla" }]));
    await page.settle();
    assert.deepEqual([state.cities.options, state.cities.isLoading], [bogota, false]);
    await act(({ setValue }) => setValue("COUNTRY", "MEX"));
    assert.deepEqual([state.cities.options, state.cities.isLoading], [[], true], "none for other values");
  });

  test("a control has what its field needs, and clears what depends on it", async () => {
    const dropdown = (fieldId, optionsSource) => field(fieldId, { fieldType: "DROPDOWN", optionsSource });
    const isState = [{ comparisonOperator: "EQUAL_TO", comparisonValues: ["JAL"], fieldId: "STATE" }];
    const fields = [
      dropdown("STATE", "/options/states"),
      dropdown("CITY", "/options/{STATE}/cities"),
      dropdown("BRANCH", "/options/{CITY}/branches"),
      field("PHONE", { fieldType: "PHONE_NUMBER", hintText: "10 digits", regex: "^[0-9]{7,15}$" }),
      field("CLABE", { regex: "^[0-9]{18}$", maxLength: 18, label: "Account" }),
      field("NOTE", { isRequired: false, maxLength: 9, dependencies: { isRequired: isState } }),
    ];
    let fails = true;
    service.answer = ({ path }) => {
      if (path.endsWith("-fields")) return { fieldSets: [{ fieldSetId: "a", fields }] };
      if (path.endsWith("/branches") && fails) return refusal("AccessDenied", 403);
      return path.startsWith("/options/") ? [{ id: "JAL", name: "Jalisco" }] : undefined;
    };
    const remit = await page.newKit();
    const state = {};
    const Field = ({ form, id }) => ((state[id] = useFieldControl(form, id)), null);
    const Fields = () => {
      const form = (state.form = useFieldForm("recipientAccount", QUERY));
      return form.form ? fields.map(({ fieldId: id }) => h(Field, { key: id, form, id })) : null;
    };
    await page.render(h(RemitKitProvider, { remit }, h(Fields)));
    await page.until(() => state.STATE?.options.length === 1);
    const type = (id, text) => page.act(async () => state[id].controlProps.onChange({ target: { value: text } }));
    const leave = (id) => page.act(async () => state[id].controlProps.onBlur());

    assert.deepEqual([state.STATE.element, state.PHONE.element, state.CLABE.label], ["select", "input", "Account"]);
    assert.deepEqual([state.PHONE.prefix, state.PHONE.hint], ["+52", "10 digits"]);
    const { id, value, inputMode, maxLength, ...props } = state.CLABE.controlProps;
    assert.deepEqual([value, inputMode, maxLength, props["aria-invalid"]], ["", "numeric", undefined, false]);
    assert.equal(state.CLABE.labelProps.htmlFor, id);
    // Nothing is cut: what is too long is a problem.
    const { isShown, isRequired, controlProps } = state.NOTE;
    assert.deepEqual([isShown, isRequired, controlProps.maxLength], [false, false, undefined]);
    const describedBy = state.PHONE.controlProps["aria-describedby"];
    assert.equal(describedBy, `${state.PHONE.prefixProps.id} ${state.PHONE.hintProps.id}`);

    await leave("CLABE");
    assert.deepEqual([state.CLABE.problem, state.CLABE.controlProps["aria-invalid"]], ["This field must be filled in.", true]);
    assert.equal(state.CLABE.controlProps["aria-describedby"], state.CLABE.problemProps.id);
    await type("CLABE", "0321 8000 0118 3597 10");
    assert.deepEqual([state.CLABE.problem, /typing mistake/.test(state.CLABE.warning)], [undefined, true]);

    await type("STATE", "JAL");
    assert.deepEqual([state.NOTE.isShown, state.NOTE.isRequired], [true, true]);
    await page.until(() => state.CITY.options.length === 1);
    await type("CITY", "JAL");
    await page.until(() => state.BRANCH.error?.code === "AccessDenied");
    fails = false;
    await page.act(async () => state.BRANCH.retry());
    await page.until(() => state.BRANCH.options.length === 1);
    await type("BRANCH", "JAL");
    await type("PHONE", "044 55 1234 5678");
    await type("NOTE", "x");
    await page.act(async () => assert.deepEqual(state.form.check(), []));
    await type("STATE", "other");
    assert.deepEqual([state.CITY.controlProps.value, state.BRANCH.controlProps.value], ["", ""]);
    assert.equal(state.STATE.controlProps.value, "", "a choice that is not offered is not sent");
    assert.deepEqual(state.form.toFields(), [
      { id: "PHONE", value: { number: "5512345678", countryIso3Code: "MEX", countryPhoneCode: "52" } },
      { id: "CLABE", value: "032180000118359710" },
      { id: "NOTE", value: "x" },
    ]);
    await type("PHONE", "");
    assert.equal(state.form.values.PHONE, "");
  });

  // A date that is half typed or does not exist has no value: only `badInput` tells it from an empty one.
  async function collectingDates(locale) {
    const date = (id, more) => field(id, { fieldType: "DATE", ...more });
    const fields = [field("NAME"), date("BIRTH", { label: "Born" }), date("UNTIL", { isRequired: false })];
    const form = { fieldSets: [{ fieldSetId: "a", fields }] };
    service.answer = ({ path }) => (path.endsWith("-fields") ? form : undefined);
    const state = {};
    const Field = ({ form, id }) => {
      const { controlProps } = (state[id] = useFieldControl(form, id));
      return h("input", controlProps);
    };
    const Fields = () => {
      const form = (state.form = useFieldForm("recipientAccount", QUERY));
      const shown = form.fieldIds.filter((id) => id !== state.gone);
      return shown.map((id) => h(Field, { key: id, form, id }));
    };
    const options = { ...OPTIONS, locale };
    const tree = () => h(RemitKitProvider, { options }, h(Fields));
    const { render, container } = await page.render(tree());
    await page.until(() => state.BIRTH);
    await page.settle();
    const controlOf = (id) => container.querySelector(`[name=${id}]`);
    /** Shows what the browser cannot read, and has the customer press a key or leave the control. */
    const types = async (id, event, badInput = true) => {
      const target = controlOf(id);
      Object.defineProperty(target, "validity", { configurable: true, value: { badInput } });
      await page.act(async () => state[id].controlProps[event]({ target }));
    };
    const check = async () => {
      let found;
      await page.act(async () => (found = state.form.check()));
      return found.map(({ fieldId, code, message }) => [fieldId, code, message]);
    };
    return { state, types, check, controlOf, rerender: () => render(tree()) };
  }
  const UNREAD = ["ValueRegexFailure", "This date is not complete or does not exist."];

  test("a date that is half typed or does not exist is a problem of its own, and never left out", async () => {
    const { state, types, check } = await collectingDates("en");
    await types("BIRTH", "onBlur");
    assert.equal(state.BIRTH.problem, UNREAD[1]);
    assert.deepEqual(state.form.problems.map(({ label }) => label), ["Born"]);
    await types("UNTIL", "onKeyDown");
    assert.equal(state.UNTIL.problem, undefined, "not before the customer has left it");
    const both = [["BIRTH", ...UNREAD], ["UNTIL", ...UNREAD]];
    assert.deepEqual((await check()).slice(1), both, "in the order of the fields");
    assert.equal(state.UNTIL.problem, UNREAD[1]);
    await types("UNTIL", "onKeyUp", false);
    const target = { value: "2000-02-03", validity: { badInput: false } };
    await page.act(async () => state.BIRTH.controlProps.onChange({ target }));
    assert.deepEqual((await check()).map(([id]) => id), ["NAME"]);
    assert.deepEqual(state.form.toFields(), [{ id: "BIRTH", value: "2000-02-03" }]);
  });

  test("a date that was complete and is changed to none is unread, not missing", async () => {
    const { state, check } = await collectingDates("es-MX");
    const change = (value, badInput) =>
      page.act(async () => state.BIRTH.controlProps.onChange({ target: { value, validity: { badInput } } }));
    await change("2000-02-03", false);
    await change("", true);
    // Its texts are loaded beside the fields.
    await page.until(async () => (await check())[1]?.[2] === "Esta fecha está incompleta o no existe.");
    assert.deepEqual((await check())[1].slice(0, 2), ["BIRTH", UNREAD[0]]);
    await change("", false);
    assert.deepEqual((await check())[1].slice(0, 2), ["BIRTH", "NotEmptyValidator"]);
  });

  test("what is half typed goes with a reset, a value that the page sets, and its control", async () => {
    const { state, types, check, controlOf, rerender } = await collectingDates("en");
    const cleared = [];
    const watch = () => {
      const set = (value) => cleared.push(value);
      Object.defineProperty(controlOf("UNTIL"), "value", { configurable: true, get: () => "", set });
    };
    const isUnread = async () => (await check()).some(([id]) => id === "UNTIL");
    watch();
    await types("UNTIL", "onBlur");
    await page.act(async () => state.form.reset());
    assert.deepEqual([cleared, await isUnread()], [[""], false]);
    await types("UNTIL", "onBlur");
    await page.act(async () => state.form.setValue("UNTIL", ""));
    assert.deepEqual([cleared, await isUnread()], [["", ""], false]);
    await types("UNTIL", "onBlur");
    assert.equal(await isUnread(), true);
    state.gone = "UNTIL";
    await rerender();
    assert.equal(await isUnread(), false);
  });

  test("a filter leaves out fields of another screen", async () => {
    const form = { fieldSets: [...FORM.fieldSets, { fieldSetId: "c", fields: [field("LATER")] }] };
    service.answer = ({ path }) => (path.endsWith("-fields") ? form : []);
    const remit = await page.newKit();
    const state = {};
    const Fields = ({ step }) => {
      const initialValues = { NAME: "Ana", LATER: "x" };
      const filter = (_, set) => set.fieldSetId === step;
      state.fields = useFieldForm("recipientAccount", QUERY, { initialValues, filter });
      return null;
    };
    const tree = (step) => h(RemitKitProvider, { remit }, h(Fields, { step }));
    const { render } = await page.render(tree("a"));
    await page.until(() => state.fields.form);
    const { fieldIds } = state.fields;
    await render(tree("a"));
    assert.deepEqual([fieldIds, state.fields.fieldIds === fieldIds], [["NAME", "COUNTRY"], true]);
    const check = () => page.act(async () => (state.found = idsOf(state.fields.check())));
    await check();
    assert.deepEqual([state.found, idsOf(state.fields.problems)], [["COUNTRY"], ["COUNTRY"]]);
    assert.deepEqual(state.fields.toFields(), [{ id: "NAME", value: "Ana" }]);
    await render(tree("c"));
    await check();
    assert.deepEqual([state.fields.fieldIds, state.found], [["LATER"], []]);
    assert.deepEqual(state.fields.toFields(), [{ id: "LATER", value: "x" }]);
  });

  test("fields that fail to load are an error and can be fetched again", async () => {
    let fails = true;
    const fields = () => (fails ? refusal("AccessDenied", 403) : FORM);
    const { state, arrived, act } = await collecting("sender", {}, undefined, { fields });
    await arrived();
    assert.equal(state.fields.error.code, "AccessDenied");
    fails = false;
    await act(({ reload }) => reload());
    await arrived();
    assert.deepEqual([state.fields.error, state.fields.form !== undefined], [undefined, true]);
  });

  test("pending transfers are read from the journal, again on refresh", async () => {
    const remit = await page.newKit();
    const attempt = await remit.prepareTransfer(REQUESTS.transfer(ID));
    const seen = [];
    const Pending = () => (seen.push(usePendingTransfers()), null);
    await page.render(h(RemitKitProvider, { remit }, h(Pending)));
    assert.deepEqual([seen[0].attempts, seen[0].isLoading], [[], true]);
    const arrived = () => page.until(() => !seen.at(-1).isLoading);
    await arrived();
    assert.equal(page.callsOf("pendingTransfers").length, 1);
    assert.deepEqual(seen.at(-1).attempts.map(({ quoteHistoryId }) => quoteHistoryId), [ID]);
    await attempt.discard();
    await page.act(async () => seen.at(-1).refresh());
    await arrived();
    assert.deepEqual(seen.at(-1).attempts, []);
  });
});
