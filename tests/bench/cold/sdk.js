import * as remitkit from "remitkit";
import { firstQuote, options } from "./first-quote.js";

// Nothing of it is dropped by the bundler, as a whole checkout would need it.
globalThis.shop = remitkit;
if ("preloads" in document.documentElement.dataset) remitkit.preload();
firstQuote(() => remitkit.createRemitKit(options));
