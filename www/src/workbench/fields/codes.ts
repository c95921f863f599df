import type { FieldsKind, RemitFieldsElement } from "remitkit/fields";
import type { Codes } from "../code_block";
import { elementCode, lines, literal } from "../snippets";

/** How a page sends what was entered. */
const CALLS: Record<FieldsKind, string> = {
  sender: "createSender(body)",
  recipient: "createRecipient(body)",
  recipientAccount: "createRecipientAccount(recipientId, body)",
  transfer: "prepareTransfer(body)",
};
const GIVEN = "// what the hosted card form gave";

/** Writes the code that shows an element's fields and sends them, for each kind of page. */
export function fieldCodes(
  { kind, query }: RemitFieldsElement,
  attributes: string[],
  requiresCard: boolean,
): Codes {
  const call = `await remit.${CALLS[kind]}`;
  const userType = kind === "recipient" ? `userType: "${query.recipientType}", ` : "";
  const body = (query: string, fields: string) => {
    // `request` is what `<remit-amount>` has, with the recipient and the account.
    const members = kind === "transfer" ? "...request" : `...${query}`;
    return `const body = { ${members}, ${userType}fields: ${fields} };`;
  };
  // The body of a function that a form's submission calls. A second press would create another record.
  const submission = (query: string, next: string, fail: string, busy: (isBusy: boolean) => string) =>
    lines([
      "event.preventDefault();",
      requiresCard && `fields.setValue("CARD_ID", cardId); ${GIVEN}`,
      body(query, "fields.toFields()"),
      busy(true),
      `try {\n  ${next}(${call});\n} catch (error) {\n  ${busy(false)}\n  fields.show(error) || ${fail};\n}`,
    ]);
  const disabling = (isBusy: boolean) => `event.submitter.disabled = ${isBusy};`;
  const settingBusy = (isBusy: boolean) => `setBusy(${isBusy});`;
  const markup = `<form>
  <remit-fields
${lines([...attributes, "required"], 2)}
  ></remit-fields>
  <button>Next</button>
</form>`;
  const script = `const remit = await createRemitKit({ baseUrl, cardUrl, token });
const fields = document.querySelector("remit-fields");
fields.remit = remit;
fields.form.onsubmit = async (event) => {
${lines([submission("fields.query", "next", "show(error.userMessage)", disabling)], 1)}
};`;
  const react = `import { useRef, useState } from "react";
import { FieldFormView, useRemitKit } from "remitkit/react";

const query = ${literal(query)};

function Fields({ onDone, onError }) {
  const { remit } = useRemitKit();
  const ref = useRef(null);
  const [isBusy, setBusy] = useState(false);
  const submit = async (event) => {
    const fields = ref.current;
${lines([submission("query", "onDone", "onError(error)", settingBusy)], 2)}
  };
  return (
    <form onSubmit={submit}>
      <FieldFormView ref={ref} kind="${kind}" query={query} required />
      <button disabled={isBusy}>Next</button>
    </form>
  );
}`;
  const own = lines([
    `const query = ${literal(query)};`,
    `const form = await remit.${kind}Fields(query);`,
    "draw(form.fieldSets); // with controls of your own, which fill in `values`",
    requiresCard && `values.CARD_ID = cardId; ${GIVEN}`,
    "const problems = form.check(values);",
    "if (problems.length === 0) {",
    lines([body("query", "form.toFields(values)"), `next(${call});`], 1),
    "} else show(problems);",
  ]);
  return { HTML: elementCode(markup, "fields", "defineRemitFields", script), React: react, JavaScript: own };
}
