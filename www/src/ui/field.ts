import { h, setText, uniqueId, type LiveText } from "./dom";

export type Control = HTMLInputElement | HTMLSelectElement;

export type Field = ReturnType<typeof field>;

interface FieldOptions {
  label: LiveText;
  hint?: LiveText | undefined;
  required?: boolean;
  bare?: boolean;
}

/**
 * Labels a control. The line below it, for its hint or its problem, has a reserved height, so that a problem
 * moves nothing; a `bare` field has none.
 */
export function field(control: Control, options: FieldOptions) {
  control.id ||= uniqueId("field");
  const noteId = `${control.id}-note`;
  if (!options.bare) control.setAttribute("aria-describedby", noteId);
  control.setAttribute("aria-required", String(options.required ?? true));
  const note = h("div.field-note", { id: noteId }, options.hint);
  return {
    element: h("div.field.stack.tight", [
      h("label", { for: control.id }, options.label),
      h("div.control", control),
      !options.bare && note,
    ]),
    control,
    /** Shows a problem in place of the hint, or the hint again. */
    setProblem(text: LiveText | undefined): void {
      control.setAttribute("aria-invalid", String(text !== undefined));
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
