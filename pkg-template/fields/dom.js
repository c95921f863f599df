import { dispatchChange } from "../custom-element/events.js";
import { showText } from "./sentence.js";

// The key code of what an input method handles.
const INPUT_METHOD = 229;

/** Creates an element that a page's style sheet reaches as this part. */
export function make(name, part, ...children) {
  const element = document.createElement(name);
  element.setAttribute("part", part);
  element.append(...children);
  return element;
}

export function makeButton(part, said, onClick) {
  const button = makeText("button", part, said);
  button.type = "button";
  if (onClick) button.addEventListener("click", onClick);
  return button;
}

/** Creates an element that shows a text or a sentence. */
export function makeText(name, part, said) {
  const element = make(name, part);
  showText(element, said);
  return element;
}

/** Creates a text that screen readers tell once it changes: a `status`, or an `alert` at once. */
export function makeMessage(part, role, said) {
  const message = make("p", part);
  message.setAttribute("role", role);
  tell(message, said);
  return message;
}

/** Tells a text. Its element is not hidden without one: a screen reader must know it before it says something. */
export function tell(message, said) {
  showText(message, said);
  message.hidden = false;
}

export function slot(name, ...children) {
  const element = document.createElement("slot");
  element.name = name;
  element.append(...children);
  return element;
}

/** Submits a form with its checks, as its first button does. */
function submit(form) {
  const own = [...form.elements].find(({ type }) => type === "submit");
  if (own) return own.click();
  // Safari before 16 has none.
  if (form.requestSubmit) return form.requestSubmit();
  const button = document.createElement("button");
  button.hidden = true;
  form.append(button);
  button.click();
  button.remove();
}

/** Enter submits a form, but does not reach it from a shadow root. */
export function submitOnEnter(element, place) {
  place.addEventListener("keydown", ({ key, target, isComposing, keyCode }) => {
    // Safari ends a composition before the key that ended it is heard.
    const isOfInputMethod = isComposing || keyCode === INPUT_METHOD;
    if (key !== "Enter" || target.localName !== "input" || isOfInputMethod || !element.shadowRoot) return;
    if (element.form) submit(element.form);
  });
}

/**
 * Puts the place of an element's controls into a shadow root. With the attribute `shadow="none"` it is in the
 * page's own tree, whose style sheets and scripts then reach the controls.
 */
export function mount(element, place) {
  if (element.getAttribute("shadow") === "none") {
    // A copy of an element has a copied form, too, which does nothing: only what the page put into its slots stays.
    for (const form of element.querySelectorAll(":scope > [part=form]")) {
      form.replaceWith(...form.querySelectorAll("slot > [slot]"));
    }
    return element.append(place);
  }
  (element.shadowRoot ?? element.attachShadow({ mode: "open", delegatesFocus: true })).append(place);
  // Leaves a shadow root by itself only as `input`.
  place.addEventListener("change", () => dispatchChange(element));
  submitOnEnter(element, place);
}
