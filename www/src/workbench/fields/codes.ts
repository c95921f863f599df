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
const ONCE = "// until it fails: a second submission would send it again";

/** Writes the code that shows an element's fields and sends them, for each kind of page. */
export function fieldCodes(
  { kind, query }: RemitFieldsElement,
  attributes: string[],
  requiresCard: boolean,
): Codes {
  const call = `remit.${CALLS[kind]}`;
  const userType = kind === "recipient" ? `userType: "${query.recipientType}", ` : "";
  const body = (query: string, fields: string) => {
    // `request` is what `<remit-amount>` has, with the recipient and the account.
    const members = kind === "transfer" ? "...request" : `...${query}`;
    return `const body = { ${members}, ${userType}fields: ${fields} };`;
  };
  // The body of a function that a form's submission calls; the variable `sending` holds the request.
  const submission = (sending: string, query: string, next: string, fail: string) =>
    lines([
      "event.preventDefault();",
      `if (${sending} || !fields.check()) return;`,
      body(query, "fields.toFields()"),
      `${sending} = ${call};`,
      `${sending}.catch(() => (${sending} = null));`,
      `${sending}.then(${next}, (error) => fields.show(error) || ${fail});`,
    ]);
  const form = `<form>
  <remit-fields
${lines([...attributes, "required"], 2)}
  ></remit-fields>
  <button>Next</button>
</form>`;
  const markup = lines([requiresCard && '<div id="card"></div>', form]);
  const script = lines([
    `const remit = await createRemitKit({ baseUrl, cardUrl, token });
const fields = document.querySelector("remit-fields");
fields.remit = remit;
let sending = null; ${ONCE}
fields.form.onsubmit = (event) => {
${lines([submission("sending", "fields.query", "next", "show(error.userMessage)")], 1)}
};`,
    requiresCard &&
      `const card = await remit.cardForm({ container: "#card" });
const { cardId } = await card.completed;
fields.setValue("CARD_ID", cardId);`,
  ]);
  const given = { sender: "", recipient: "", recipientAccount: "recipientId, ", transfer: "request, " }[kind];
  const card = requiresCard ? "cardId, " : "";
  const initial = requiresCard ? " initialValues={{ CARD_ID: cardId }}" : "";
  const react = `import { useRef } from "react";
import { FieldFormView, useRemitKit } from "remitkit/react";

const query = ${literal(query)};

function Fields({ ${given}${card}onDone, onError }) {
  const { remit } = useRemitKit();
  const ref = useRef(null);
  const sending = useRef(null); ${ONCE}
  const submit = (event) => {
    const fields = ref.current;
${lines([submission("sending.current", "query", "onDone", "onError(error)")], 2)}
  };
  return (
    <form onSubmit={submit}>
      <FieldFormView ref={ref} kind="${kind}" query={query}${initial} required />
      <button>Next</button>
    </form>
  );
}`;
  const own = lines([
    `const query = ${literal(query)};`,
    `const form = await remit.${kind}Fields(query);`,
    "draw(form.fieldSets); // with controls of your own, which fill in `values`",
    requiresCard && "values.CARD_ID = cardId; // what the hosted card form gave",
    "const problems = form.check(values);",
    "if (problems.length === 0) {",
    lines([body("query", "form.toFields(values)"), `next(await ${call});`], 1),
    "} else show(problems);",
  ]);
  return { HTML: elementCode(markup, "fields", "defineRemitFields", script), React: react, JavaScript: own };
}
