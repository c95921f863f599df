import { useEnglish } from "../messages";
import { h } from "../ui/dom";
import { Kits } from "./kits";
import { part, setLooking, showPage } from "./page";
import { picker } from "./picker";
import { preview } from "./preview";
import { themeEditor } from "./theme_editor";
import { timeline } from "./timeline";

/** How long the page may be held back while its parts load. */
const LOAD_MS = 3_000;
const CONTENTS = { scenarios: "Scenarios", theme: "Theme", timeline: "Timeline" };
const ABOUT =
  "Try RemitKit without writing a test: trigger every documented error, see the code that handles it, and " +
  "theme the card form. Everything runs against the sandbox; no money moves.";
const THEME_ABOUT =
  "All 24 parameters of the form. What you leave empty keeps the form’s own look; each change reloads " +
  "the form.";

useEnglish();
document.title = "Workbench · Sendero";
const kits = new Kits();
const form = preview(kits);
const editor = themeEditor(kits.of(), (theme) => form.setTheme(theme));
const scenarios = picker(kits, form);
setLooking(true);
void Promise.allSettled([scenarios.filled, editor.filled]).then(() => setLooking(false));
setTimeout(() => setLooking(false), LOAD_MS);
const links = Object.entries(CONTENTS).map(([id, title]) => h("li", h("a", { href: `#${id}` }, title)));
showPage("workbench", [
  h("header.bench-head.stack.tight", [
    h("h1", "Workbench"),
    h("p.muted", ABOUT),
    h("nav.contents", { "aria-label": "On this page" }, h("ul", ...links)),
  ]),
  scenarios.element,
  h("div.form-room", part("form", "Hosted card form", [form.element])),
  part("theme", "Theme", [h("p.muted", THEME_ABOUT), editor.element]),
  timeline(kits.trace),
]);
form.start();
