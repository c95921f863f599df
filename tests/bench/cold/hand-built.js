import * as handBuilt from "../hand-built/index.js";
import { firstQuote, options } from "./first-quote.js";

globalThis.shop = handBuilt;
firstQuote(async () => handBuilt.createClient(options));
