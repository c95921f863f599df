import { Shop } from "./app";
import { applyLanguage } from "./messages";

const shop = new Shop(document.body);
applyLanguage();
shop.start();
