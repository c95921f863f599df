import { textsOf, type Values } from "../messages";
import { workbenchEn } from "../messages/workbench_en";
import { workbenchEs } from "../messages/workbench_es";

export type TextKey = keyof typeof workbenchEn;

/** A text of the workbench in the page's language. */
export const wt: (key: TextKey, values?: Values) => string = textsOf<TextKey>({ en: workbenchEn, es: workbenchEs });
