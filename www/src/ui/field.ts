import { h, setText, uniqueId, type LiveText } from "./dom";

export type Control = HTMLInputElement | HTMLSelectElement;

/** A labelled control with a line below it for its hint or its problem. */
export interface Field {
  readonly element: HTMLElement;
  readonly control: Control;
  /** Shows a problem in place of the hint, or the hint again. */
  setProblem(text: LiveText | undefined): void;
}

export interface FieldOptions {
  label: LiveText;
  hint?: LiveText | undefined;
  required?: boolean;
  bare?: boolean;
}

/** Wraps a control in a field. The line below has a reserved height, so that a problem moves nothing. */
export function field(control: Control, options: FieldOptions): Field {
  control.id ||= uniqueId("field");
  const noteId = `${control.id}-note`;
  if (!options.bare) control.setAttribute("aria-describedby", noteId);
  control.setAttribute("aria-required", String(options.required ?? true));
  const note = h("div.field-note", { id: noteId }, options.hint);
  const outline = control instanceof HTMLSelectElement ? "control select" : "control";
  return {
    element: h("div.field.stack.tight", [
      h("label", { for: control.id }, options.label),
      h("div", { class: outline }, control),
      !options.bare && note,
    ]),
    control,
    setProblem(text) {
      control.toggleAttribute("data-invalid", text !== undefined);
      if (text) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
      note.classList.toggle("problem", text !== undefined);
      setText(note, text ?? options.hint ?? "");
    },
  };
}

export function fillSelect(
  select: HTMLSelectElement,
  options: { value: string; label: LiveText; disabled?: boolean }[],
  chosen: string,
): void {
  select.replaceChildren(...options.map(({ label, ...attributes }) => h("option", attributes, label)));
  select.value = chosen;
}
