import { h, setText, uniqueId, type LiveText } from "./dom";

export type Control = HTMLInputElement | HTMLSelectElement;

/** A labelled control with a line below it for its hint, or for what is wrong with it. */
export interface Field {
  readonly element: HTMLElement;
  readonly control: Control;
  /** Shows a problem in place of the hint; nothing takes it away again. */
  setProblem(text: LiveText | undefined): void;
  setRequired(required: boolean): void;
}

export interface FieldOptions {
  label: LiveText;
  hint?: LiveText | undefined;
  /** Stands before the control, inside its outline. */
  prefix?: LiveText | undefined;
  required?: boolean;
  /** Leaves out the line below, where there is never anything to say. */
  bare?: boolean;
  /** What marks a field that may stay empty; needed where one may. */
  optionalMark?: LiveText;
}

/** Puts a control into a field. The line below is always there, so that a problem moves nothing. */
export function field(control: Control, options: FieldOptions): Field {
  const id = control.id || uniqueId("field");
  control.id = id;
  const noteId = `${id}-note`;
  if (!options.bare) control.setAttribute("aria-describedby", noteId);

  const optional = h("span", { class: "optional" }, options.optionalMark ?? "");
  const note = h("div", { class: "field-note", id: noteId });
  if (options.hint) setText(note, options.hint);

  const prefix = options.prefix && h("span", { class: "prefix" }, options.prefix);
  const element = h(
    "div",
    { class: "field stack tight" },
    h("label", { for: id }, options.label, " ", optional),
    h("div", { class: control instanceof HTMLSelectElement ? "control select" : "control" }, prefix, control),
    !options.bare && note,
  );

  const made: Field = {
    element,
    control,
    setProblem(text) {
      control.toggleAttribute("data-invalid", text !== undefined);
      if (text) control.setAttribute("aria-invalid", "true");
      else control.removeAttribute("aria-invalid");
      note.classList.toggle("problem", text !== undefined);
      setText(note, text ?? options.hint ?? "");
    },
    setRequired(required) {
      optional.hidden = required;
      control.setAttribute("aria-required", String(required));
    },
  };
  made.setRequired(options.required ?? true);
  return made;
}

/** Replaces the options of a select and chooses one of them. */
export function fillSelect(select: HTMLSelectElement, options: { value: string; label: LiveText }[], chosen: string): void {
  select.replaceChildren(...options.map(({ value, label }) => h("option", { value }, label)));
  select.value = chosen;
}
