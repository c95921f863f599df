// Shows what happens in the sandbox, as it happens.

const EVERY_MS = 1000;
const SHOWN_REQUESTS = 200;

const byId = (id) => document.getElementById(id);

async function ask(path, options) {
  const reply = await fetch(`/sandbox/${path}`, { cache: "no-store", ...options });
  if (!reply.ok) throw new Error(`/sandbox/${path} answered ${reply.status}`);
  return reply.json();
}

function steer(path, body) {
  const headers = { "content-type": "application/json" };
  return ask(path, { method: "POST", headers, body: JSON.stringify(body) });
}

/** Fills a table: `columns` are [title, row => text, row => class?] each. */
function fill(id, columns, rows, total = rows.length) {
  const head = document.createElement("thead");
  const titles = head.insertRow();
  for (const [title] of columns) {
    const cell = document.createElement("th");
    cell.scope = "col";
    cell.textContent = title;
    titles.append(cell);
  }
  const body = document.createElement("tbody");
  for (const row of rows) {
    const line = body.insertRow();
    for (const [, text, kind] of columns) {
      const cell = line.insertCell();
      cell.textContent = text(row) ?? "";
      const name = kind?.(row);
      if (name) cell.className = name;
    }
  }
  byId(id).replaceChildren(head, body);
  byId(`${id}-count`).textContent = total;
}

const time = (iso) => iso?.slice(11, 23);

/** Minor units as a decimal, without a float in between. */
function amount(value) {
  if (!value) return "";
  const { decimalPlaces, iso3Code } = value.currency;
  const digits = String(value.value).padStart(decimalPlaces + 1, "0");
  const whole = decimalPlaces ? digits.slice(0, -decimalPlaces) : digits;
  const part = decimalPlaces ? `.${digits.slice(-decimalPlaces)}` : "";
  return `${whole}${part} ${iso3Code}`;
}

function means({ kind, ...rest }) {
  switch (kind) {
    case "amount":
      return `amount ${rest.amount}`;
    case "name":
      return "last name or company name: the code itself";
    case "card":
      return `card ${rest.number}`;
    case "property":
      return rest.value ? `${rest.name} = ${rest.value}` : `no ${rest.name}`;
    case "field":
      return rest.value ? `field ${rest.id} = ${rest.value}` : `no field ${rest.id}`;
    default:
      return rest.rule;
  }
}

let requests = [];
let last = 0;

async function showRequests() {
  const { requests: fresh, total } = await ask(`requests?after=${last}`);
  // A reset begins anew.
  if (total < last) {
    requests = [];
    last = 0;
    return;
  }
  if (fresh.length > 0) last = fresh.at(-1).number;
  requests = [...fresh.reverse(), ...requests].slice(0, SHOWN_REQUESTS);
  fill(
    "requests",
    [
      ["At", (r) => time(r.at)],
      ["Request", (r) => `${r.method} ${r.path || r.route}`],
      ["Query", (r) => r.query.map(([name, value]) => `${name}=${value}`).join(" ")],
      ["Body", (r) => (r.bodyNames ?? []).join(" ")],
      ["Status", (r) => r.status, (r) => (r.status >= 400 ? "bad" : "")],
      ["Codes", (r) => (r.codes ?? []).join(" "), () => "bad"],
      ["Fault", (r) => r.fault],
      ["ms", (r) => r.milliseconds],
    ],
    requests,
    total,
  );
}

async function show() {
  const [clock, transfers, sessions, { faults }] = await Promise.all([
    ask("clock"),
    ask("transfers?newest=100"),
    ask("card-sessions"),
    ask("faults"),
    showRequests(),
  ]);
  byId("now").textContent = `${clock.now.slice(0, 19).replace("T", " ")} UTC`;
  byId("offset").textContent = clock.offsetSeconds ? `(moved by ${clock.offsetSeconds} s)` : "";
  fill(
    "transfers",
    [
      ["At", (t) => time(t.createdAt)],
      ["Confirmation", (t) => t.confirmationNumber],
      ["Method", (t) => t.transferMethod],
      ["Sent", (t) => amount(t.sendAmount)],
      ["Received", (t) => amount(t.receiveAmount)],
      ["Status", (t) => (t.held ? `${t.status} (held)` : t.status)],
    ],
    transfers,
  );
  fill(
    "sessions",
    [
      ["At", (s) => time(s.createdAt)],
      ["Session", (s) => s.id],
      ["Status", (s) => s.status],
      ["Until", (s) => time(s.expirationDate)],
      ["Behaves", (s) => s.behaviour],
    ],
    sessions,
  );
  fill(
    "faults",
    [
      ["Kind", (f) => f.kind],
      ["When", (f) => f.when],
      ["Meets", (f) => `${f.method ?? "any"} ${f.path}`],
      ["Times", (f) => f.count],
    ],
    faults,
  );
}

async function showTables() {
  const [{ triggers, testCards }, corridors] = await Promise.all([ask("triggers"), ask("corridors")]);
  fill("triggers", [["Code", (t) => t.code], ["Call", (t) => t.operation], ["How", (t) => means(t.means)]], triggers);
  fill("cards", [["Number", (c) => c.number], ["What it does", (c) => c.description]], testCards);
  const codes = (list) => list.map((currency) => currency.iso3Code).join(" ");
  fill(
    "corridors",
    [
      ["Country", (c) => `${c.destinationCountry.name} (${c.destinationCountry.iso3Code})`],
      ["Method", (c) => c.transferMethod],
      ["From", (c) => codes(c.sourceCurrency)],
      ["To", (c) => codes(c.destinationCurrency)],
    ],
    corridors,
  );
}

async function attempt(work) {
  try {
    await work();
    byId("problem").textContent = "";
  } catch (error) {
    byId("problem").textContent = `The sandbox does not answer: ${error.message}`;
  }
}

for (const button of document.querySelectorAll("[data-advance]")) {
  button.addEventListener("click", () =>
    attempt(async () => {
      await steer("clock", { advanceSeconds: Number(button.dataset.advance) });
      await show();
    }),
  );
}

byId("reset").addEventListener("click", () =>
  attempt(async () => {
    await steer("reset", {});
    requests = [];
    await show();
  }),
);

async function live() {
  if (!document.hidden) await attempt(show);
  setTimeout(live, EVERY_MS);
}

attempt(showTables);
live();
