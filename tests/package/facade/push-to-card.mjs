// The Push-to-Card flow on a page, over the scripted service.

import { test } from "node:test";
import { REPLIES } from "../../fuzz/samples.mjs";
import { frameOf, Sessions, START, SUCCESS, withPage } from "./card-page.mjs";
import { errorOf, ID, kit, OTHER, settled } from "./kit.mjs";

export const [CORRIDOR] = JSON.parse(REPLIES.corridors);
export const CARD_ID = "9007199254740993001";
const fields = [{ id: "CARD_ID", value: CARD_ID }];
export const ACCOUNT = { recipientAccountId: OTHER, transferMethod: "PUSH_TO_CARD", fields };

export const OPTIONS = {
  corridor: CORRIDOR,
  amount: 12550,
  quoteBy: "SEND_AMOUNT",
  recipientId: ID,
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
  ["transfer", "POST", /^\/v1\/transfers$/],
];
const operationOf = (request) =>
  OPERATIONS.find(([, method, path]) => method === request.method && path.test(request.path))?.[0];

export const quoteId = (number) => `00000000-0000-4000-9000-${String(number).padStart(12, "0")}`;

/**
 * Declares a test with a flow. `answers` are by operation; a test replaces those it is about. `asked` counts
 * an operation's requests; `sent` returns the body or query of the last one.
 */
export function flowTest(name, work, { options = {}, callOptions } = {}) {
  // A flow that waits for a card which nobody enters would have no end.
  test(name, { timeout: 30_000 }, (t) =>
    withPage(async (page) => {
      const sessions = new Sessions();
      let quotes = 0;
      const answers = {
        openCard: sessions.answer,
        createRecipientAccount: () => ACCOUNT,
        recipientAccounts: () => [],
        quote: () => ({ ...JSON.parse(REPLIES.quote), quoteHistoryId: quoteId((quotes += 1)) }),
      };
      const loaded = await kit((request) => (answers[operationOf(request)] ?? sessions.answer)(request));
      const { remit, requests } = loaded;
      const operations = () => requests.map(operationOf).filter((name) => name !== undefined);
      const it = { ...loaded, ...page, t, sessions, answers, operations };
      it.flow = remit.pushToCard({ ...OPTIONS, ...options }, callOptions);
      it.asked = (operation) => operations().filter((name) => name === operation).length;
      it.sent = (operation) => {
        const request = requests.findLast((request) => operationOf(request) === operation);
        return request.body ?? request.query;
      };
      it.frames = () => page.container.querySelectorAll("iframe").length;
      it.step = async () => (await it.flow.next()).value;
      it.failure = async () => (await errorOf(it.flow.next())).code;
      /** Enters a card into a form. */
      it.enter = async (form, cardId = CARD_ID) => {
        await settled();
        await frameOf(form).load();
        sessions.cards.set(form.sessionId, cardId);
        void frameOf(form).say(START, SUCCESS);
      };
      /** Takes the next step, for which the customer enters a card. */
      it.stepWithCard = async (form, cardId) => {
        const step = it.step();
        await it.enter(form, cardId);
        return step;
      };
      /** Goes on to the step of this type, and enters a card where the flow waits for one. */
      it.upTo = async (type, flow = it.flow) => {
        for (let form; ; ) {
          const next = flow.next();
          if (form !== undefined) await it.enter(form);
          const { value, done } = await next;
          if (done || value.type === type) return value;
          ({ form } = value);
        }
      };
      await work(it);
    }),
  );
}
