// How a field's elements follow its control.

import { showText } from "./dom.js";

export function showControl(state, elements) {
  const { row, optional, control, retry, isForeign } = elements;
  const { isRequired, error } = state;
  if (row) row.hidden = !state.isShown;
  const told = state.problem ?? state.warning ?? error?.userMessage;
  const texts = { label: state.label, prefix: state.prefix, hint: state.hint, problem: told };
  for (const [name, text] of Object.entries(texts)) {
    const element = elements[name];
    if (element) {
      setProps(element, state[`${name}Props`]);
      showText(element, text);
    }
  }
  const optionalId = `${state.labelProps.id}-optional`;
  if (optional) Object.assign(optional, { id: optionalId, hidden: isRequired });
  if (retry) retry.hidden = error === undefined;
  if (!control) return;
  const { value, ...props } = state.controlProps;
  // Heard after the name, which it would lengthen.
  const described = [optional && !isRequired && optionalId, props["aria-describedby"]];
  props["aria-describedby"] = described.filter(Boolean).join(" ") || undefined;
  setProps(control, isForeign ? foreignProps(state, told) : props);
  if (state.element === "select" && control.options) showOptions(control, state.options);
  if (control.value !== value) control.value = value;
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

// The first option is the page's own, such as "Choose".
function showOptions(select, options) {
  const [first = new Option("–", "")] = select.options;
  const shown = select.cloneNode();
  shown.append(first.cloneNode(true));
  for (const { id, name = id, disabled = false } of options) {
    shown.append(Object.assign(new Option(name, id), { disabled }));
  }
  // A list that is open closes when it is replaced.
  if (!shown.isEqualNode(select)) select.replaceChildren(...shown.options);
}
