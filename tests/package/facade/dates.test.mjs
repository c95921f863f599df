// Dates of the service, on devices in several zones.

import assert from "node:assert/strict";
import { after, test } from "node:test";
import { REPLIES, REQUESTS } from "../../fuzz/samples.mjs";
import { Sessions, withPage } from "./card-page.mjs";
import { kit, load } from "./kit.mjs";

const { leftOf } = await load("quote/time.js");
const { TZ } = process.env;
after(() => {
  delete process.env.TZ;
  if (TZ !== undefined) process.env.TZ = TZ;
});

const LEFT_MS = 600_000;
// How the service may write the same moment.
const WRITTEN = {
  "without a zone": (iso) => iso.replace("Z", ""),
  "without a zone, with 7 decimals": (iso) => iso.replace("Z", "9999"),
  "with a space": (iso) => iso.replace("T", " ").replace("Z", ""),
  "in UTC": (iso) => iso,
  "with an offset": (iso) => new Date(Date.parse(iso) + 19_800_000).toISOString().replace("Z", "+05:30"),
};

const isAround = (ms, expected) => Math.abs(ms - expected) < 5000;

for (const zone of ["Asia/Tokyo", "America/Los_Angeles", "UTC"]) {
  for (const [how, write] of Object.entries(WRITTEN)) {
    test(`a quote, an attempt and a card form end when the service says, in ${zone}: ${how}`, () =>
      withPage(async () => {
        process.env.TZ = zone;
        assert.equal(new Date(0).getTimezoneOffset() === 0, zone === "UTC", "the zone has effect");
        const end = Date.now() + LEFT_MS;
        const expirationDate = write(new Date(end).toISOString());
        const sessions = new Sessions();
        sessions.expirationDate = expirationDate;
        const quote = { ...JSON.parse(REPLIES.quote), expirationDate };
        const { remit } = await kit((request) =>
          request.path === "/v1/quote" ? { ...quote, sendAmount: quote.receiveAmount } : sessions.answer(request),
        );
        const { quoteHistoryId, ...quoted } = await remit.quote(REQUESTS.quote());
        assert.ok(isAround(leftOf(quoted), LEFT_MS), `${leftOf(quoted)}`);
        const attempt = await remit.prepareTransfer(REQUESTS.transfer(quoteHistoryId));
        assert.ok(isAround(attempt.expiresAt, end), `${attempt.expiresAt - end}`);
        const form = await remit.cardForm({ container: "#card" });
        assert.ok(isAround(form.secondsLeft() * 1000, LEFT_MS), `${form.secondsLeft()}`);
        form.destroy();
      }));
  }
}
