import { dispatchChange } from "../element/form-control.js";

/** Creates an element that a page's style sheet reaches as this part. */
export function make(name, part, ...children) {
  const element = document.createElement(name);
  element.setAttribute("part", part);
  element.append(...children);
  return element;
}

export function makeButton(part, text, onClick) {
  const button = make("button", part, text);
  button.type = "button";
  if (onClick) button.addEventListener("click", onClick);
  return button;
}

/** Creates a text that screen readers tell once it changes: a `status`, or an `alert` at once. */
export function makeMessage(part, role, text = "") {
  const message = make("p", part, text);
  message.setAttribute("role", role);
  return message;
}

export function slot(name, ...children) {
  const element = document.createElement("slot");
  element.name = name;
  element.append(...children);
  return element;
}

/** Shows a text, and hides its element while that is empty. */
export function showText(element, text = "") {
  if (element.textContent !== text) element.textContent = text;
  element.hidden = text === "";
}

/** Enter submits a form, but does not reach it from a shadow root. */
export function submitOnEnter(element, place) {
  place.addEventListener("keydown", ({ key, target, isComposing }) => {
    if (key === "Enter" && target.localName === "input" && !isComposing && element.shadowRoot) {
      element.form?.requestSubmit();
    }
  });
}

/**
 * Puts the place of an element's controls into a shadow root. With the attribute `shadow="none"` it is in the
 * page's own tree, whose style sheets and scripts then reach the controls.
 */
export function mount(element, place) {
  if (element.getAttribute("shadow") === "none") return element.append(place);
  (element.shadowRoot ?? element.attachShadow({ mode: "open", delegatesFocus: true })).append(place);
  // Leaves a shadow root by itself only as `input`.
  place.addEventListener("change", () => dispatchChange(element));
  submitOnEnter(element, place);
}
