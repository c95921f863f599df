// Connects the modules to the page. What is typed stays in the inputs until it is sent to this page's own
// server.

import {
  codeLengthsOf, codeProblem, digitsOf, groupNumber, networkOf, numberProblem,
} from "./card-number.js";
import { CardPicture, colorOf, inkOn } from "./card-picture.js";
import { cleanName, nameProblem } from "./cardholder.js";
import { formatExpiry, readExpiry } from "./expiry.js";
import { Field } from "./field.js";
import { CardFlow, ENTRY_STATES } from "./flow.js";
import { maskInput } from "./masked-input.js";
import { messagesIn } from "./messages.js";
import { CardSession } from "./session.js";
import { readTheme } from "./theme.js";

const root = document.documentElement;
const byId = (id) => document.getElementById(id);

const theme = readTheme(location.search, { supports: CSS.supports.bind(CSS), colorOf });
const say = messagesIn(theme.language);
const picture = new CardPicture(byId("picture"));

const typed = (id) => byId(`card-${id}`).value;
const network = () => networkOf(digitsOf(typed("number")));
const expiry = () => readExpiry(typed("expiry"), new Date());

/** Returns "3" or "4", or "" while the network is undecided. */
const codeLength = () => {
  const lengths = codeLengthsOf(network());
  return lengths.length === 1 ? String(lengths[0]) : "";
};

/** Returns the key of a problem's text: "numberShort" for ("number", "short"). */
const textKey = (field, problem) => (problem ? field + problem[0].toUpperCase() + problem.slice(1) : null);

/** In the order of the page. */
const fields = [
  { id: "number", problem: () => textKey("number", numberProblem(typed("number"))) },
  { id: "expiry", problem: () => textKey("expiry", expiry().problem) },
  {
    id: "code",
    problem: () => {
      const problem = codeProblem(typed("code"), network());
      return textKey("code", problem === "length" ? `length${codeLength()}` : problem);
    },
    hint: () => say(`codeHint${codeLength()}`),
  },
  { id: "name", problem: () => textKey("name", nameProblem(typed("name"))), hint: () => say("nameHint") },
].map((field) => {
  const input = byId(`card-${field.id}`);
  return new Field({ ...field, input, message: byId(`${input.id}-message`), say });
});

const PANEL_ICONS = {
  loading: "icon-spinner",
  success: "icon-check",
  used: "icon-check",
  expired: "icon-clock",
  unknown: "icon-alert",
  unreachable: "icon-offline",
  unsettled: "icon-offline",
};

function applyTheme() {
  for (const [property, value] of theme.properties) root.style.setProperty(property, value);
  if (theme.cardColor !== null) root.style.setProperty("--card-ink", inkOn(theme.cardColor));
  if (theme.properties.get("--card-image")?.startsWith("url(")) root.dataset.card = "image";
  root.dataset.picture = theme.showCardAnimation ? "on" : "off";
  byId("picture").hidden = !theme.showCardAnimation;
  byId("steps").hidden = !theme.showStep;
  // Names only: invalid values must not be repeated anywhere.
  if (theme.ignored.length > 0) {
    console.warn(`Card form: theme values ignored for ${theme.ignored.join(", ")}`);
  }
}

function applyTexts() {
  root.lang = theme.language;
  document.title = say("title");
  for (const element of document.querySelectorAll("[data-text]")) {
    element.textContent = say(element.dataset.text);
  }
  byId("step-1-count").textContent = say("step", { step: 1 });
  byId("step-2-count").textContent = say("step", { step: 2 });
  byId("note-text").textContent = say("note");
  byId("card-expiry").placeholder = say("expiryPlaceholder");
}

function showNetwork() {
  const current = network();
  byId("network").textContent = current?.name ?? "";
  byId("number-icon").toggleAttribute("hidden", current !== null);
  byId("card-number-network").textContent = current ? say("network", { network: current.name }) : "";
  byId("card-code").placeholder = "0".repeat(Number(codeLength()) || 3);
  picture.show(current);
}

function clearInputs() {
  for (const field of fields) field.clear();
  showNetwork();
}

function wireFields() {
  maskInput(byId("card-number"), (text) => groupNumber(digitsOf(text)));
  maskInput(byId("card-expiry"), formatExpiry);
  maskInput(byId("card-code"), digitsOf);
  for (const field of fields) {
    const changed = () => {
      if (field.id === "number") {
        showNetwork();
        fields.find(({ id }) => id === "code").refresh();
      }
      field.refresh();
    };
    field.input.addEventListener("input", changed);
    field.input.addEventListener("change", changed);
    field.input.addEventListener("focus", () => picture.pointAt(field.id));
    field.input.addEventListener("blur", () => {
      picture.pointAt("");
      field.blur();
    });
    field.input.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.isComposing) return;
      event.preventDefault();
      verify();
    });
  }
}

/** The fields that were invalid at the last verification. */
let invalid = [];

function verify() {
  if (!ENTRY_STATES.includes(flow.state)) return;
  // The service judges every entry; problems that are known here are shown beside their fields meanwhile.
  invalid = fields.filter((field) => !field.validate());
  const [month, year] = formatExpiry(typed("expiry")).split(" / ");
  const name = typed("name");
  flow.verify({
    number: digitsOf(typed("number")),
    expiryMonth: month || undefined,
    expiryYear: year && (expiry().year ?? year),
    // A card number in this field must not be sent as a name.
    name: nameProblem(name) === "characters" ? "" : cleanName(name),
    securityCode: digitsOf(typed("code")),
  });
}

function showAlert(text) {
  byId("alert").hidden = text === null;
  byId("note").style.visibility = text === null ? "" : "hidden";
  byId("alert-text").textContent = text ?? "";
}

function announce(text) {
  byId("announcer").textContent = text;
}

function failureText({ code, message, unfinished }) {
  if (unfinished) return say("failedUnfinished");
  // The service's messages are for customers too. They are shown as text, never as HTML.
  return say.knowsCode(code) ? say(code) : (message ?? say("failed"));
}

/** Whether the focus was here before `loading`, which has no focusable element. */
let restoresFocus = false;

function show(state, detail) {
  const focused = document.hasFocus() ? document.activeElement : null;
  const hadFocus = restoresFocus || (focused !== null && focused !== document.body);
  const fromPanel = restoresFocus || byId("panel").contains(focused);
  const busy = state === "verifying";
  const open = busy || ENTRY_STATES.includes(state);
  root.dataset.state = state;
  root.dataset.entry = open ? "open" : "closed";

  byId("verify").setAttribute("aria-disabled", String(busy));
  byId("verify-text").textContent = say(busy ? "verifying" : "verify");
  // Also read-only in form.html: what is typed before the form is open would be lost.
  for (const field of fields) field.input.readOnly = state === "loading" || busy;
  showStep(state);
  const hasInvalidFields = state === "failed" && invalid.length > 0;
  showAlert(state === "failed" && !hasInvalidFields ? failureText(detail) : null);
  if (open) announce(busy ? say("verifying") : "");

  restoresFocus = state === "loading" && hadFocus;
  if (!open) showPanel(state, hadFocus && !restoresFocus);
  else if (fromPanel) byId("card-number").focus();
  if (hasInvalidFields) {
    invalid[0].input.focus();
    announce(invalid.length > 1 ? say("severalProblems", { count: invalid.length }) : "");
  }
}

function showPanel(state, takeFocus) {
  const title = say(`${state}Title`);
  const text = say(`${state}Text`);
  byId("panel-icon").setAttribute("href", `#${PANEL_ICONS[state]}`);
  byId("panel-title").textContent = title;
  byId("panel-text").textContent = text;
  byId("retry").hidden = state !== "unreachable" && state !== "unsettled";
  byId("retry").textContent = say(state === "unsettled" ? "retryUnsettled" : "retry");
  // The focus would be lost with the form; moving it makes screen readers read the panel. A focus elsewhere,
  // perhaps in the embedding page, must not move.
  if (takeFocus) byId("panel-title").focus();
  announce(takeFocus ? text : `${title} ${text}`);
}

function showStep(state) {
  const current = ["verifying", "unsettled", "success", "used"].includes(state) ? "step-2" : "step-1";
  for (const id of ["step-1", "step-2"]) {
    if (id === current) byId(id).setAttribute("aria-current", "step");
    else byId(id).removeAttribute("aria-current");
  }
}

const flow = new CardFlow({
  session: new CardSession(location.pathname),
  // The messages contain no secrets, and the embedder's origin is unknown: any origin may read them.
  post: (event) => {
    if (window.parent !== window) window.parent.postMessage(event, "*");
  },
  show,
  warn: () => {
    byId("note-text").textContent = say("expiringSoon");
    announce(say("expiringSoon"));
  },
  clear: clearInputs,
});

applyTheme();
applyTexts();
wireFields();
clearInputs();

byId("form").addEventListener("submit", (event) => event.preventDefault());
byId("verify").addEventListener("click", verify);
byId("retry").addEventListener("click", () => flow.retry());

// Timers stop in a sleeping tab, so the session is checked when the page becomes visible.
document.addEventListener("visibilitychange", () => {
  if (document.visibilityState === "visible") flow.recheck();
});
addEventListener("online", () => flow.recheck());
addEventListener("pageshow", (event) => {
  if (event.persisted) flow.recheck();
});
// Browsers keep the contents of inputs in the page's history; card data must not stay there.
addEventListener("pagehide", clearInputs);

flow.start();
