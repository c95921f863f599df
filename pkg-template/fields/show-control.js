// How a field's elements follow its control.

export function showControl(state, elements) {
  const { row, label, optional, control, prefix, hint, problem, retry, isForeign } = elements;
  if (row) row.hidden = !state.isShown;
  if (label) showText(label, state.labelProps, state.label);
  const optionalId = `${state.labelProps.id}-optional`;
  if (optional) Object.assign(optional, { id: optionalId, hidden: state.isRequired });
  if (prefix) showText(prefix, state.prefixProps, state.prefix ?? "");
  if (hint) showText(hint, state.hintProps, state.hint ?? "");
  const told = state.problem ?? state.warning ?? state.error?.userMessage;
  if (problem) showText(problem, state.problemProps, told ?? "");
  if (retry) retry.hidden = state.error === undefined;
  if (!control) return;
  const { value, ...props } = state.controlProps;
  // Heard after the name, which it would lengthen.
  const described = [optional && !state.isRequired && optionalId, props["aria-describedby"]];
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

function showText(element, props, text) {
  setProps(element, props);
  if (element.textContent !== text) element.textContent = text;
  element.hidden = text === "";
}

function setProps(element, props) {
  for (const [name, value] of Object.entries(props)) {
    const attribute = name === "htmlFor" ? "for" : name.toLowerCase();
    if (value === undefined) element.removeAttribute(attribute);
    else if (element.getAttribute(attribute) !== `${value}`) element.setAttribute(attribute, value);
  }
}

// The first option is the page's own, such as "Choose".
function showOptions(select, options) {
  const [first = new Option("–", ""), ...shown] = select.options;
  const isSame =
    shown.length === options.length &&
    shown.every(({ value, text, disabled }, at) => {
      const { id, name, disabled: isOff = false } = options[at];
      return value === id && text === (name ?? id) && disabled === isOff;
    });
  if (!isSame || select.options.length === 0) {
    const optionOf = ({ id, name, disabled = false }) => Object.assign(new Option(name ?? id, id), { disabled });
    select.replaceChildren(first, ...options.map(optionOf));
  }
}
