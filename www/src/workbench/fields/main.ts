import { useEnglish } from "../../messages";
import { FieldExplorer } from "./explorer";

useEnglish();
void new FieldExplorer(document.body).start();
