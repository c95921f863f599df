// Dates of the service: without a zone they are UTC, and a day alone is that day in every zone.

import { shows } from "./support/shown.mjs";
import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();

/** Changes the members of a transfer wherever the service sends one. */
async function changeTransfers(page, change) {
  const changed = (_, value) => (value?.transferId ? { ...value, ...change } : value);
  await page.route(/\/v1\/transfers(\?.*|\/(?!progress)[^/]*)?$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: JSON.stringify(JSON.parse(await response.text(), changed)) });
  });
  await page.route(/\/statuses$/, async (route) => {
    const response = await route.fetch();
    const { statuses } = await response.json();
    const changedDate = change.createdAt;
    await route.fulfill({ response, json: { statuses: [{ ...statuses[0], changedDate }] } });
  });
}

const DATES = { createdAt: "2026-03-02T02:30:00", dateAvailable: "2031-03-05" };
const ZONES = {
  "America/Los_Angeles": { created: "Mar 1, 2026, 6:30 PM", by: "Wednesday, March 5" },
  "Asia/Tokyo": { created: "Mar 2, 2026, 11:30 AM", by: "Wednesday, March 5" },
};
for (const [timezoneId, { created, by }] of Object.entries(ZONES)) {
  shop.test(`dates without a zone are right in ${timezoneId}`, { timezoneId }, async (checkout, page) => {
    await checkout.toReview();
    await changeTransfers(page, DATES);
    await checkout.send();
    await checkout.outcome();
    const plain = (locator) => ({
      innerText: async () => (await locator.innerText()).replaceAll(/[\u00a0\u202f]/g, " "),
    });
    await shows(plain(page.locator("[data-fact=by] dd")), by);
    await shows(plain(page.locator(".line.arrives dd")), by);
    await shows(plain(page.locator(".stop time").first()), created);
    const facts = page.locator(".panel .fact dd");
    await facts.filter({ hasText: /\d{4}, / }).first().waitFor();
    await shows(plain(facts.filter({ hasText: /\d{4}, / }).first()), created);
    await checkout.button("transfers.title").click();
    await shows(plain(page.locator(".transfer .muted").first()), new RegExp(`^${created} · `));
  });
}
