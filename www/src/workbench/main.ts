import { useEnglish } from "../messages";
import { Workbench } from "./workbench";

useEnglish();
new Workbench(document.body).start();
