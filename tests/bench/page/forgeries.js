// Messages that the mounted form did not send, and one that it did.

import { answering } from "./frame.js";
import { ID } from "./samples.js";
import { cardForm, cardOrigin } from "./subjects.js";

const START = "CARD_VALIDATION_START";
const SETTLE_MS = 100;

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Rows for the table of refusals. */
export async function forgeries() {
  const sdk = await forgeriesTo("sdk");
  const others = [await forgeriesTo("mini"), await forgeriesTo("full")];
  return sdk.map(({ what, refused, good }, at) => ({
    group: "message",
    what,
    sdk: refused,
    handBuilt: others.some((rows) => rows[at].refused),
    good,
  }));
}

async function forgeriesTo(variant) {
  const container = document.createElement("div");
  const stranger = document.createElement("iframe");
  stranger.src = `${cardOrigin}/v2/add-card/${ID}`;
  document.body.append(container, stranger);
  const form = await cardForm(variant, container);
  let heard = 0;
  for (const type of [START, "CARD_VALIDATION_STOP_FAIL"]) form.on(type, () => (heard += 1));
  const frame = container.querySelector("iframe").contentWindow;
  await Promise.all([answering(frame), answering(stranger.contentWindow)]);
  const dispatched = (init) => () => dispatchEvent(new MessageEvent("message", { data: START, ...init }));
  const tries = [
    ["of another window of the card form's origin", () => stranger.contentWindow.postMessage({ say: [START] }, "*")],
    ["of the page itself", () => postMessage(START, "*")],
    ["that a script dispatches, as from another origin", dispatched({ origin: "https://evil.example", source: frame })],
    ["that a script dispatches, without a source", dispatched({ origin: cardOrigin })],
    ["that a script dispatches, with the form's origin and source", dispatched({ origin: cardOrigin, source: frame })],
    ["of the form, that is none of the four", () => frame.postMessage({ say: ["CARD_VALIDATION", `${START} `, { type: START }, [START]] }, "*")],
    ["of the form, good", () => frame.postMessage({ say: [START] }, "*"), true],
  ];
  const rows = [];
  for (const [what, send, good = false] of tries) {
    heard = 0;
    send();
    await pause(SETTLE_MS);
    rows.push({ what, refused: heard === 0, good });
  }
  form.completed?.catch(() => {});
  form.destroy();
  container.remove();
  stranger.remove();
  return rows;
}
