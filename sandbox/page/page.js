// Shows the sandbox's requests, records and tables, and polls for changes.

const POLL_MS = 1000;
const MAX_REQUESTS = 200;

const byId = (id) => document.getElementById(id);

async function get(path, options) {
  const reply = await fetch(`/sandbox/${path}`, { cache: "no-store", ...options });
  if (!reply.ok) throw new Error(`/sandbox/${path} answered ${reply.status}`);
  return reply.json();
}

function post(path, body) {
  const headers = { "content-type": "application/json" };
  return get(path, { method: "POST", headers, body: JSON.stringify(body) });
}

const time = (iso) => iso?.slice(11, 23);
const join = (list) => list?.join(" ");
const currencies = (list) => join(list.map((currency) => currency.iso3Code));

/** Formats minor units as a decimal, without floating point. */
function amount(money) {
  if (!money) return "";
  const { decimalPlaces: places, iso3Code } = money.currency;
  const digits = String(money.value).padStart(places + 1, "0");
  const decimal = places ? `${digits.slice(0, -places)}.${digits.slice(-places)}` : digits;
  return `${decimal} ${iso3Code}`;
}

function describe({ kind, ...means }) {
  if (kind === "name") return "last name or company name: the code itself";
  return [kind, ...Object.values(means).map((value) => (value === "" ? "(none)" : value))].join(" ");
}

function add(parent, name, properties) {
  return parent.appendChild(Object.assign(document.createElement(name), properties));
}

/** Adds a section, and returns a function that shows rows. `columns` are [title, row => text]. */
function section(title, columns) {
  const element = add(document.querySelector("main"), "section", { ariaLabel: title });
  const count = add(add(element, "h2", { textContent: `${title} ` }), "span");
  const scroll = add(element, "div", { tabIndex: 0, role: "region", ariaLabel: title });
  const table = add(scroll, "table");
  const head = table.createTHead().insertRow();
  for (const [name] of columns) add(head, "th", { scope: "col", textContent: name });
  const body = table.createTBody();
  return (rows, total = rows.length) => {
    body.replaceChildren();
    for (const row of rows) {
      const line = body.insertRow();
      line.className = row.status >= 400 ? "bad" : "";
      for (const [, text] of columns) line.insertCell().textContent = text(row) ?? "";
    }
    count.textContent = total;
  };
}

const showRequests = section("Requests", [
  ["At", (r) => time(r.at)],
  ["Request", (r) => `${r.method} ${r.path || r.route}`],
  ["Query", (r) => join(r.query.map(([name, value]) => `${name}=${value}`))],
  ["Body", (r) => join(r.bodyNames)],
  ["Status", (r) => r.status],
  ["Codes", (r) => join(r.codes)],
  ["Fault", (r) => r.fault],
  ["ms", (r) => r.milliseconds],
]);
const showTransfers = section("Transfers", [
  ["At", (t) => time(t.createdAt)],
  ["Confirmation", (t) => t.confirmationNumber],
  ["Method", (t) => t.transferMethod],
  ["Sent", (t) => amount(t.sendAmount)],
  ["Received", (t) => amount(t.receiveAmount)],
  ["Status", (t) => (t.held ? `${t.status} (held)` : t.status)],
]);
const showSessions = section("Card sessions", [
  ["At", (s) => time(s.createdAt)],
  ["Session", (s) => s.id],
  ["Status", (s) => s.status],
  ["Until", (s) => time(s.expirationDate)],
  ["Behavior", (s) => s.behaviour],
]);
const showFaults = section("Pending faults", [
  ["Kind", (f) => f.kind],
  ["When", (f) => f.when],
  ["Requests", (f) => `${f.method ?? "any"} ${f.path}`],
  ["Times", (f) => f.count],
]);
const showTriggers = section("How to get each error", [
  ["Code", (t) => t.code],
  ["Operation", (t) => t.operation],
  ["How", (t) => describe(t.means)],
]);
const showCards = section("Test cards", [["Number", (c) => c.number], ["Effect", (c) => c.description]]);
const showCorridors = section("Corridors", [
  ["Country", (c) => `${c.destinationCountry.name} (${c.destinationCountry.iso3Code})`],
  ["Method", (c) => c.transferMethod],
  ["From", (c) => currencies(c.sourceCurrency)],
  ["To", (c) => currencies(c.destinationCurrency)],
]);

let requests = [];
let lastNumber = 0;

async function pollRequests() {
  const { requests: added, total } = await get(`requests?after=${lastNumber}`);
  // Another sandbox has started at this address; a reset goes on counting.
  if (total < lastNumber) {
    requests = [];
    lastNumber = 0;
    return;
  }
  lastNumber = added.at(-1)?.number ?? lastNumber;
  requests = [...added.reverse(), ...requests].slice(0, MAX_REQUESTS);
  showRequests(requests, total);
}

async function poll() {
  const [clock, transfers, sessions, { faults }] = await Promise.all([
    get("clock"),
    get("transfers?newest=100"),
    get("card-sessions"),
    get("faults"),
    pollRequests(),
  ]);
  byId("now").textContent = `${clock.now.slice(0, 19).replace("T", " ")} UTC`;
  byId("offset").textContent = clock.offsetSeconds ? `(advanced by ${clock.offsetSeconds} s)` : "";
  showTransfers(transfers);
  showSessions(sessions);
  showFaults(faults);
}

async function showTables() {
  const [{ triggers, testCards }, corridors] = await Promise.all([get("triggers"), get("corridors")]);
  showTriggers(triggers);
  showCards(testCards);
  showCorridors(corridors);
}

async function attempt(work) {
  try {
    await work();
    byId("problem").textContent = "";
  } catch (error) {
    byId("problem").textContent = `The sandbox does not answer: ${error.message}`;
  }
}

/** Makes a button change the sandbox. */
function onClick(button, path, body, changed) {
  button.addEventListener("click", () => attempt(() => post(path, body).then(changed).then(poll)));
}

for (const button of document.querySelectorAll("[data-advance]")) {
  onClick(button, "clock", { advanceSeconds: Number(button.dataset.advance) });
}
onClick(byId("reset"), "reset", {}, () => {
  requests = [];
});

async function pollForever() {
  if (!document.hidden) await attempt(poll);
  setTimeout(pollForever, POLL_MS);
}

attempt(showTables);
pollForever();
