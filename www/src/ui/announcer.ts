import { h } from "./dom";

const status = h("p.visually-hidden", { role: "status" });

/** Has screen readers say a text politely, the same text again included. */
export function announce(text: string): void {
  if (!status.isConnected) document.body.append(status);
  status.textContent = "";
  // A region that was just added or emptied has to be painted before its text counts as news.
  setTimeout(() => (status.textContent = text), 100);
}
