// A page that the customer leaves and comes back to, as the browser has kept it.

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { after, test } from "node:test";
import { build, preview } from "vite";
import { opened, shop } from "./packed.mjs";

// The headless shell keeps no page.
const CHROMIUM = process.env.REMITKIT_WHOLE_CHROMIUM ?? "chromium";

const SESSION = {
  id: "3f2504e0-4f89-41d3-9a0c-0305e82c3301",
  status: "INCOMPLETE",
  expirationDate: "2999-01-01T00:00:00Z",
  cardId: null,
};

/** Serves every request with one text; gives its origin. What is posted to `/told` is handed to `told`. */
async function serve(type, text, told) {
  const server = createServer(async (request, reply) => {
    if (request.url === "/told") {
      told(Buffer.concat(await request.toArray()).toString());
    }
    reply.setHeader("access-control-allow-origin", "*");
    reply.setHeader("access-control-allow-headers", "*");
    reply.setHeader("content-type", type);
    reply.end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  after(() => server.close());
  return `http://127.0.0.1:${server.address().port}`;
}

let told;
const result = new Promise((resolve) => (told = resolve));
const service = await serve("application/json", JSON.stringify(SESSION), (text) => told(text));
const card = await serve(
  "text/html",
  `<!doctype html><script>onmessage = () => parent.postMessage("CARD_VALIDATION_START", "*")</script>`,
);

const MAIN = `
import { createRemitKit } from "remitkit";
const tell = (story) => fetch("${service}/told", { method: "POST", body: story });
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

const PAGE =
  '<!doctype html><title>Shop</title><div id="card"></div><script type="module" src="/main.js"></script>';
const AWAY = "<!doctype html><script>onload = () => setTimeout(() => history.back(), 100)</script>";

test(
  "a form on a page that was kept for going back still hears its frame",
  { timeout: 120_000 },
  async (t) => {
    const root = await shop({ "index.html": PAGE, "main.js": MAIN, "public/away.html": AWAY });
    const config = { root, configFile: false, logLevel: "warn", preview: { host: "127.0.0.1" } };
    await build(config);
    const server = await preview(config);
    try {
      const text = await opened(server.resolvedUrls.local[0], result, CHROMIUM);
      if (text === undefined) {
        t.diagnostic("there is no Chromium here to run the page in");
        return;
      }
      assert.equal(text, "heard");
    } finally {
      await server.close();
    }
  },
);
