import { translator } from "../messages";
import { workbenchTexts } from "../messages/workbench";

export type WorkbenchKey = keyof typeof workbenchTexts;

/** Returns a text of the workbench in the current language. */
export const wt = translator(workbenchTexts);
