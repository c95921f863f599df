// A service for the flow, on the fake core, and the flow on it.

import { test } from "node:test";
import { kit, settled } from "./facade.mjs";
import { withPage } from "./page.mjs";

const USD = { name: "US dollar", iso3Code: "USD", symbol: "$", decimalPlaces: 2, roundDirection: "STANDARD" };
const MXN = { ...USD, name: "Mexican peso", iso3Code: "MXN" };

export const CORRIDOR = {
  destinationCountry: { name: "Mexico", iso3Code: "MEX", iso2Code: "MX" },
  sourceCurrency: [USD],
  destinationCurrency: [MXN],
  transferMethod: "PUSH_TO_CARD",
};

export const RECIPIENT = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
export const CARD = { cardId: "9007199254740993001", sessionId: "session-1" };
export const ACCOUNT = {
  recipientAccountId: "a-1",
  transferMethod: "PUSH_TO_CARD",
  fields: [{ id: "CARD_ID", value: CARD.cardId }],
};

export const OPTIONS = {
  corridor: CORRIDOR,
  amount: 12550,
  quoteBy: "SEND_AMOUNT",
  recipientId: RECIPIENT,
  container: "#card",
  theme: { primary: "#0a7" },
};

/** What each operation is answered with. A test replaces what it is about. */
export function service() {
  let quotes = 0;
  return {
    corridors: () => [CORRIDOR],
    recipientAccountFields: () => ({ fieldSets: [], requiresCard: true }),
    check: () => [],
    cardForm: () => null,
    renew: () => null,
    createRecipientAccount: () => ACCOUNT,
    recipientAccounts: () => [],
    quote: () => ({ quoteHistoryId: `q-${(quotes += 1)}` }),
    prepareTransfer: (json) =>
      JSON.stringify({
        quoteHistoryId: JSON.parse(json).quoteHistoryId,
        nonce: "n",
        createdAt: 1,
        state: "PREPARED",
      }),
  };
}

/** A test with a flow on that service. `asked()` names the operations that the core was called for. */
export function flowTest(name, work, { options = {}, callOptions } = {}) {
  test(name, (t) =>
    withPage(async (page) => {
      const answers = service();
      const loaded = await kit((call, ...args) => {
        const [operation, rest] =
          call === "call" || call === "fieldForm" ? [args[0], args.slice(1)] : [call, args];
        return answers[operation]?.(...rest) ?? null;
      });
      const { remit, control, RemitError } = loaded;
      const flow = remit.pushToCard({ ...OPTIONS, ...options }, callOptions);
      const operations = () =>
        control.calls.map(([call, operation]) =>
          call === "call" || call === "fieldForm" ? operation : call,
        );
      /** The newest form, as the core has it. */
      const form = () => control.mounted.at(-1);
      await work({
        ...loaded,
        ...page,
        t,
        flow,
        answers,
        form,
        asked: (operation) => operations().filter((name) => name === operation).length,
        operations,
        sent: (operation) => {
          const call = control.calls.findLast((call) => call.includes(operation));
          return JSON.parse(call.findLast((part) => typeof part === "string" && part.startsWith("{")));
        },
        error: (code, kind, details) => new RemitError(code, "…", { kind, retryable: false, ...details }),
        /** Goes on until the step of this type is there. A card is entered when it is asked for. */
        async upTo(type) {
          for (;;) {
            const next = flow.next();
            if (form() !== undefined && !form().isEntered) {
              form().isEntered = true;
              await settled();
              form().deliver("COMPLETED", CARD);
            }
            const { value, done } = await next;
            if (done || value.type === type) {
              return value;
            }
          }
        },
      });
    }),
  );
}
