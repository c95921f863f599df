import { button } from "../ui/button";
import { setText, type LiveText } from "../ui/dom";
import { wt } from "./texts";

const SHOWN_MS = 2_000;

/** A button that copies a text and says so. */
export function copyButton(text: () => string, label: LiveText = () => wt("copy")): HTMLButtonElement {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (said: LiveText) => setText(made, said);
  const made = button(label, () => {
    clearTimeout(timer);
    timer = setTimeout(() => say(label), SHOWN_MS);
    navigator.clipboard.writeText(text()).then(
      () => say(() => wt("copy.done")),
      () => say(() => wt("copy.failed")),
    );
  }, "quiet");
  made.setAttribute("aria-live", "polite");
  return made;
}
