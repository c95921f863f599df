// The flow on a page, over a played service.

import { test } from "node:test";
import { REPLIES } from "../../fuzz/samples.mjs";
import { frameOf, Sessions, START, SUCCESS, withPage } from "./card-page.mjs";
import { ID, kit, OTHER, settled } from "./kit.mjs";

export const [CORRIDOR] = JSON.parse(REPLIES.corridors);
export const RECIPIENT = ID;
export const CARD_ID = "9007199254740993001";
export const ACCOUNT = {
  recipientAccountId: OTHER,
  transferMethod: "PUSH_TO_CARD",
  fields: [{ id: "CARD_ID", value: CARD_ID }],
};

export const OPTIONS = {
  corridor: CORRIDOR,
  amount: 12550,
  quoteBy: "SEND_AMOUNT",
  recipientId: RECIPIENT,
  container: "#card",
  theme: { primary: "#0a7" },
};

const OPERATIONS = [
  ["corridors", "GET", /^\/v1\/corridors$/],
  ["recipientAccountFields", "GET", /^\/v1\/recipient-account-fields$/],
  ["openCard", "POST", /^\/v1\/card-onboarding-sessions$/],
  ["createRecipientAccount", "POST", /^\/v1\/recipients\/[^/]+\/accounts$/],
  ["recipientAccounts", "GET", /^\/v1\/recipients\/[^/]+\/accounts$/],
  ["quote", "GET", /^\/v1\/quote$/],
  ["transferFields", "GET", /^\/v1\/transfer-fields$/],
];
const operationOf = ({ method, path }) => OPERATIONS.find(([, only, pattern]) => only === method && pattern.test(path))?.[0];

export const quoteId = (number) => `00000000-0000-4000-9000-${String(number).padStart(12, "0")}`;

/** What is answered, by operation. A test replaces what it is about. */
function answersOf(sessions) {
  let quotes = 0;
  return {
    openCard: (request) => sessions.answer(request),
    createRecipientAccount: () => ACCOUNT,
    recipientAccounts: () => [],
    quote: () => ({ ...JSON.parse(REPLIES.quote), quoteHistoryId: quoteId((quotes += 1)) }),
  };
}

/** Declares a test with a flow. `asked` counts an operation's calls; `sent` returns the last one's body. */
export function flowTest(name, work, { options = {}, callOptions } = {}) {
  test(name, (t) =>
    withPage(async (page) => {
      const sessions = new Sessions();
      const answers = answersOf(sessions);
      const loaded = await kit((request) => (answers[operationOf(request)] ?? sessions.answer)(request));
      const { remit, requests } = loaded;
      const operations = () => requests.map(operationOf).filter((name) => name !== undefined);
      const it = {
        ...loaded,
        ...page,
        t,
        sessions,
        answers,
        operations,
        flow: remit.pushToCard({ ...OPTIONS, ...options }, callOptions),
        asked: (operation) => operations().filter((name) => name === operation).length,
        sent(operation) {
          const request = requests.findLast((request) => operationOf(request) === operation);
          return request.body ?? request.query;
        },
        frames: () => page.container.querySelectorAll("iframe").length,
        /** The customer enters a card into the form that is shown. */
        async enter(form, cardId = CARD_ID) {
          await settled();
          await frameOf(form).load();
          sessions.cards.set(form.sessionId, cardId);
          frameOf(form).say(START, SUCCESS);
        },
        /** Goes on until the step of this type is there. A card is entered when it is asked for. */
        async upTo(type, flow = it.flow) {
          for (let form; ; ) {
            const next = flow.next();
            if (form !== undefined) {
              await it.enter(form);
            }
            const { value, done } = await next;
            if (done || value.type === type) {
              return value;
            }
            ({ form } = value);
          }
        },
      };
      await work(it);
    }),
  );
}
