import type { FieldsKind } from "remitkit/fields";
import type { Codes } from "../code_tabs";
import { literal } from "../run_code";
import { attributesOf, queryOf, type Choice } from "./choice";

/** How a page reads fields of a kind and sends what was entered. */
interface Calls {
  read: string;
  send: string;
  /** The members that a request has besides the query's. */
  members?: (choice: Choice) => string;
}

const CALLS: Record<FieldsKind, Calls> = {
  sender: { read: "senderFields", send: "createSender(body)" },
  recipient: {
    read: "recipientFields",
    send: "createRecipient(body)",
    members: ({ type }) => `userType: "${type}", `,
  },
  recipientAccount: { read: "recipientAccountFields", send: "createRecipientAccount(recipientId, body)" },
  // `request` is what `<remit-amount>` has, with the recipient and the account.
  transfer: { read: "transferFields", send: "prepareTransfer(body)", members: () => "...request, " },
};
const CARD = 'fields.setValue("CARD_ID", cardId); // what the hosted card form gave';

/** Writes the code that shows the fields and sends them, for each kind of page. */
export function fieldCodes(choice: Choice, requiresCard: boolean): Codes {
  return {
    HTML: elementCode(choice, requiresCard),
    React: reactCode(choice, requiresCard),
    JavaScript: scriptCode(choice, requiresCard),
  };
}

function bodyOf(choice: Choice, query: string, fields: string): string {
  const own = choice.kind === "transfer" ? "" : `...${query}, `;
  return `{ ${own}${CALLS[choice.kind].members?.(choice) ?? ""}fields: ${fields} }`;
}

function elementCode(choice: Choice, requiresCard: boolean): string {
  const attributes = Object.entries(attributesOf(choice)).map(([name, value]) => `    ${name}="${value}"`);
  return [
    "<form>",
    "  <remit-fields",
    ...attributes,
    "    required",
    "  ></remit-fields>",
    "  <button>Next</button>",
    "</form>",
    '<script type="module">',
    '  import { createRemitKit } from "remitkit";',
    '  import { defineRemitFields } from "remitkit/fields";',
    "",
    "  defineRemitFields();",
    "  const remit = await createRemitKit({ baseUrl, cardUrl, token });",
    '  const fields = document.querySelector("remit-fields");',
    "  fields.remit = remit;",
    "  fields.form.onsubmit = async (event) => {",
    ...submission(choice, requiresCard, "fields.query", "next", "show(error.userMessage)"),
    "  };",
    "</script>",
  ].join("\n");
}

function reactCode(choice: Choice, requiresCard: boolean): string {
  return [
    'import { useRef } from "react";',
    'import { FieldFormView, useRemitKit } from "remitkit/react";',
    "",
    `const query = ${literal(queryOf(choice))};`,
    "",
    "function Fields({ onDone, onError }) {",
    "  const { remit } = useRemitKit();",
    "  const ref = useRef(null);",
    "  const submit = async (event) => {",
    "    const fields = ref.current;",
    ...submission(choice, requiresCard, "query", "onDone", "onError(error)"),
    "  };",
    "  return (",
    "    <form onSubmit={submit}>",
    `      <FieldFormView ref={ref} kind="${choice.kind}" query={query} required />`,
    "      <button>Next</button>",
    "    </form>",
    "  );",
    "}",
  ].join("\n");
}

/** The body of a function that a form's submission calls. */
function submission(choice: Choice, requiresCard: boolean, query: string, next: string, fail: string): string[] {
  const lines = [
    "event.preventDefault();",
    ...(requiresCard ? [CARD] : []),
    `const body = ${bodyOf(choice, query, "fields.toFields()")};`,
    "try {",
    `  ${next}(await remit.${CALLS[choice.kind].send});`,
    "} catch (error) {",
    `  fields.show(error) || ${fail};`,
    "}",
  ];
  return lines.map((line) => `    ${line}`);
}

function scriptCode(choice: Choice, requiresCard: boolean): string {
  return [
    `const query = ${literal(queryOf(choice))};`,
    `const form = await remit.${CALLS[choice.kind].read}(query);`,
    "draw(form.fieldSets); // with controls of your own, which fill in `values`",
    ...(requiresCard ? ["values.CARD_ID = cardId; // what the hosted card form gave"] : []),
    "const problems = form.check(values);",
    "if (problems.length === 0) {",
    `  const body = ${bodyOf(choice, "query", "form.toFields(values)")};`,
    `  next(await remit.${CALLS[choice.kind].send});`,
    "} else show(problems);",
  ].join("\n");
}
