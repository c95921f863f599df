/** Returns the focused element, also within open shadow roots. */
export function focusedElement() {
  let focused = globalThis.document?.activeElement ?? null;
  while (focused?.shadowRoot?.activeElement) {
    focused = focused.shadowRoot.activeElement;
  }
  return focused;
}
