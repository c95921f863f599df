import type { FieldControls, FieldControlsOptions } from "./types/field-controls.js";
import type { FieldForm } from "./types/fields.js";

export * from "./types/field-controls.js";

/** Creates what a page without a framework needs to show a form: values, problems and choices, kept up to date. */
export function createFieldControls(form: FieldForm, options?: FieldControlsOptions): FieldControls;
