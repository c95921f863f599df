// Tells the sandbox's record of traffic which test runs and which of the card form's messages arrived.

import { post } from "./sandbox.mjs";

/** Names the test that runs. */
export function nameTest(baseUrl, test) {
  return post(baseUrl, "/sandbox/label", { test });
}

/** Reports every genuine message of the card form that reaches the page; `settled` waits for the last. */
export async function reportCardEvents(page, { baseUrl, cardUrl }) {
  const reports = [];
  await page.exposeBinding("__cardEvent", (_, event) => {
    reports.push(post(baseUrl, "/sandbox/traffic", { event }));
  });
  await page.addInitScript((origin) => {
    addEventListener("message", (event) => {
      const form = document.querySelector(".card-frame iframe")?.contentWindow;
      const genuine = event.isTrusted && event.origin === origin && event.source === form;
      if (genuine && typeof event.data === "string") globalThis.__cardEvent(event.data);
    });
  }, new URL(cardUrl).origin);
  return { settled: () => Promise.all(reports) };
}
