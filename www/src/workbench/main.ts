import { applyLanguage } from "../messages";
import { Workbench } from "./workbench";

new Workbench(document.body).start();
applyLanguage();
