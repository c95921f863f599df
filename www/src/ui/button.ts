import { h, on, setText, textOf, type LiveText } from "./dom";

type Weight = "primary" | "secondary" | "quiet";

export function button(label: LiveText, run: () => void, weight: Weight = "secondary"): HTMLButtonElement {
  return on(h("button", { type: "button", class: `button ${weight}` }, label), { click: run });
}

/** Marks a button as busy or not. It stays focusable, so its handler has to check `isBusy`. */
export function setBusy(target: HTMLButtonElement, busy: boolean, label: LiveText): void {
  target.toggleAttribute("data-busy", busy);
  target.setAttribute("aria-disabled", String(busy));
  setText(target, label);
}

/** Runs work while a button is busy, and then restores its label. */
export async function whileBusy(
  target: HTMLButtonElement,
  busyLabel: LiveText,
  work: () => Promise<unknown>,
): Promise<void> {
  const label = textOf(target);
  setBusy(target, true, busyLabel);
  try {
    await work();
  } finally {
    setBusy(target, false, label);
  }
}

export function isBusy(target: HTMLButtonElement): boolean {
  return target.hasAttribute("data-busy");
}
