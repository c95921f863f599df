import { attributeOf } from "./attribute-of.js";

/** Applies rules, and the colors and fonts of a card form's theme, in an element's shadow root. */
export function applyStyle({ ownerDocument, shadowRoot }, rules, theme = {}) {
  const { defaultView } = ownerDocument;
  // A sheet stays with its document. One without a window has none, and accepts no other document's.
  if (!defaultView || !shadowRoot) return;
  const canAdopt = "adoptedStyleSheets" in shadowRoot;
  const sheet = canAdopt ? new defaultView.CSSStyleSheet() : sheetOf(shadowRoot, rules);
  if (canAdopt) sheet.replaceSync(rules);
  for (const [name, value] of Object.entries(theme)) {
    if (typeof value === "string") sheet?.cssRules[0].style.setProperty(`--remit-${attributeOf(name)}`, value);
  }
  if (canAdopt) shadowRoot.adoptedStyleSheets = [sheet];
}

// Safari before 16.4 adopts no sheets. A policy without 'unsafe-inline' blocks this one.
function sheetOf(root, rules) {
  const style = root.querySelector("style") ?? root.appendChild(root.ownerDocument.createElement("style"));
  style.textContent = rules;
  return style.sheet;
}
