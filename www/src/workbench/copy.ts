import { button } from "../ui/button";
import { setText } from "../ui/dom";
import { wt } from "./texts";

const SHOWN_MS = 2_000;

/** A button that copies a text and says so. */
export function copyButton(text: () => string): HTMLButtonElement {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const say = (key: "copy" | "copy.done" | "copy.failed") => setText(made, () => wt(key));
  const made = button(() => wt("copy"), () => {
    clearTimeout(timer);
    timer = setTimeout(() => say("copy"), SHOWN_MS);
    navigator.clipboard.writeText(text()).then(
      () => say("copy.done"),
      () => say("copy.failed"),
    );
  }, "quiet");
  made.setAttribute("aria-live", "polite");
  return made;
}
