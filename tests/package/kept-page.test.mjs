// A page that the customer leaves and comes back to, as the browser has kept it.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { built, IN_PAGE, told } from "./chromium.mjs";
import { listening, shop } from "./packed.mjs";

// The headless shell keeps no page.
const program = process.env.REMITKIT_WHOLE_CHROMIUM ?? "chromium";

/** Serves every request with one text; gives its origin. */
const serve = (type, text) =>
  listening(
    createServer((_, reply) => {
      const head = { "access-control-allow-origin": "*", "access-control-allow-headers": "*", "content-type": type };
      reply.writeHead(200, head).end(text);
    }),
  );

const SESSION = { id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301", status: "INCOMPLETE", expirationDate: "2999-01-01T00:00:00Z", cardId: null };
const service = await serve("application/json", JSON.stringify(SESSION));
const card = await serve("text/html", `<!doctype html><script>onmessage = () => parent.postMessage("CARD_VALIDATION_START", "*")</script>`);

const MAIN = `
import { createRemitKit } from "remitkit";
const tell = (story) => fetch("/told", { method: "POST", body: JSON.stringify(story) });
if (performance.getEntriesByType("navigation")[0].type === "back_forward") {
  tell("loaded anew");
}
const remit = await createRemitKit({ baseUrl: "${service}", cardUrl: "${card}", token: "t" });
const form = await remit.cardForm({ container: "#card" });
form.on("READY", () => (location.href = "/away.html"));
form.on("CARD_VALIDATION_START", () => tell(form.secondsLeft() > 0 ? "heard" : "over"));
addEventListener("pageshow", ({ persisted }) => {
  if (persisted) {
    form.element.contentWindow.postMessage("speak", "*");
  }
});
`;

const PAGE = '<!doctype html><title>Shop</title><div id="card"></div><script type="module" src="/main.js"></script>';
const AWAY = "<!doctype html><script>onload = () => setTimeout(() => history.back(), 100)</script>";

test("a form on a page that was kept for going back still hears its frame", IN_PAGE, async () => {
  const root = await shop({ "index.html": PAGE, "main.js": MAIN, "public/away.html": AWAY });
  assert.equal(await told(await built(root), {}, { program }), "heard");
});
