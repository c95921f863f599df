// How a field's elements follow its control.

import { contentOf } from "../../input/content.js";
import { showText } from "../sentence.js";

// What was shown last: the state of a field's elements, the value of a control, and the choices of a list.
const STATES = new WeakMap();
const VALUES = new WeakMap();
const OPTIONS = new WeakMap();

/** Returns whether a control has the value that it was given last. */
export const isShownValue = (control) => VALUES.get(control) === control.value;

/** Takes what a control has for what it was given last. */
export const rememberShown = (control) => VALUES.set(control, control.value);

// The browser's own controls show some texts as others: what they show is then what counts.
const BUILT_IN = ["input", "textarea"];
const LINE_BREAKS = /\s*[\r\n]+\s*/g;
const DAY = /^(\d{4}-\d\d-\d\d)[T ].*/s;

/** Gives a control a value. */
export function showValue(control, value) {
  const text = textFor(control, value);
  if (control.value !== text) control.value = text;
  if (BUILT_IN.includes(control.localName)) VALUES.set(control, value);
  else rememberShown(control);
}

function textFor({ localName, type }, value) {
  if (localName !== "input") return value;
  return type === "date" ? value.replace(DAY, "$1") : value.replace(LINE_BREAKS, " ");
}

/** Shows a control in these texts. `isFocusMoving`: what is wrong is not told, as the focus goes there. */
export function showControl(state, elements, texts, isFocusMoving = false) {
  const { row, optional, control, problem, retry, isForeign, isOwn } = elements;
  // Not when nothing has changed, but for a control that another script has changed, or the engine.
  if (STATES.get(elements) === state && (!control || isShownValue(control))) return;
  STATES.set(elements, state);
  const { isRequired, error } = state;
  if (row) row.hidden = !state.isShown;
  const told = state.problem ?? state.warning ?? texts.ofError(error);
  const isWarning = state.problem === undefined && state.warning !== undefined;
  if (isOwn) problem.setAttribute("part", isWarning ? "warning" : "problem");
  if (problem?.hasAttribute("aria-live")) problem.setAttribute("aria-live", isFocusMoving ? "off" : "polite");
  const shown = { label: state.label, prefix: state.prefix, hint: state.hint, problem: told };
  for (const [name, text] of Object.entries(shown)) {
    const element = elements[name];
    if (element) {
      setProps(element, state[`${name}Props`]);
      showText(element, text);
    }
  }
  const optionalId = `${state.labelProps.id}-optional`;
  if (optional) Object.assign(optional, { id: optionalId, hidden: isRequired });
  if (retry) {
    const hadFocus = retry.getRootNode().activeElement === retry;
    retry.hidden = error === undefined;
    if (hadFocus && retry.hidden) control?.focus();
  }
  if (!control) return;
  const { value, ...props } = state.controlProps;
  // Heard after the name, which it would lengthen.
  const described = [optional && !isRequired && optionalId, props["aria-describedby"]];
  props["aria-describedby"] = described.filter(Boolean).join(" ") || undefined;
  setProps(control, isForeign ? foreignProps(state, told) : props);
  if (state.element === "select" && control.options) showOptions(control, state.options);
  showValue(control, value);
}

// The page's own control, in another tree than the label: ids do not reach it.
function foreignProps({ label, controlProps }, told) {
  const { "aria-required": isRequired, "aria-invalid": isInvalid } = controlProps;
  return { "aria-label": label, "aria-required": isRequired, "aria-invalid": isInvalid, "aria-description": told };
}

function setProps(element, props) {
  for (const [name, value] of Object.entries(props)) {
    const attribute = name === "htmlFor" ? "for" : name;
    if (value === undefined) element.removeAttribute(attribute);
    else if (element.getAttribute(attribute) !== `${value}`) element.setAttribute(attribute, value);
  }
}

// The first option is the page's own, such as "Choose". A list that is open closes when it is replaced.
function showOptions(select, options) {
  const shown = contentOf(options.map(({ id, name = id, disabled = false }) => [id, name, disabled]));
  if (OPTIONS.get(select) === shown) return;
  OPTIONS.set(select, shown);
  const [first = new Option("–", "")] = select.options;
  const optionOf = ({ id, name = id, disabled = false }) => Object.assign(new Option(name, id), { disabled });
  select.replaceChildren(first, ...options.map(optionOf));
}
