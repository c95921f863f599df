// A page that the customer leaves and comes back to, as the browser has kept it.

import assert from "node:assert/strict";
import { test } from "node:test";
import { buildWithVite, cardService, IN_PAGE, page, REPORT, reportOf } from "./chromium.mjs";
import { serveAll, shop } from "./packed.mjs";

// The headless shell keeps no page.
const program = process.env.REMITKIT_WHOLE_CHROMIUM ?? "chromium";

const SPEAK = 'onmessage = () => parent.postMessage("CARD_VALIDATION_START", "*")';
const FORM = `<!doctype html><script>${SPEAK}</script>`;
const { origin: service } = await cardService();
const card = await serveAll("text/html", () => FORM);

const MAIN = `${REPORT}
import { createRemitKit } from "remitkit";
if (performance.getEntriesByType("navigation")[0].type === "back_forward") report("loaded again");
const remit = await createRemitKit({ baseUrl: "${service}", cardUrl: "${card}", token: "t" });
const form = await remit.cardForm({ container: "#card" });
form.on("READY", () => (location.href = "/away.html"));
form.on("CARD_VALIDATION_START", () => report(form.secondsLeft() > 0 ? "heard" : "over"));
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) form.element.contentWindow.postMessage("speak", "*");
});`;

const AWAY = "<!doctype html><script>onload = () => setTimeout(() => history.back(), 100)</script>";

test("a form on a page from the back/forward cache still hears its frame", IN_PAGE, async () => {
  const files = { "index.html": page('<div id="card"></div>'), "main.js": MAIN, "public/away.html": AWAY };
  assert.equal(await reportOf(await buildWithVite(await shop(files)), {}, { program }), "heard");
});
