import { translator } from "../messages";
import { workbenchTexts } from "../messages/workbench";

export type WorkbenchKey = keyof typeof workbenchTexts;

export const wt = translator(workbenchTexts);
