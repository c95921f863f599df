import { createRemitKit, preload } from "remitkit";
import { begin, options } from "./moments.js";

// Keeps the bundler from dropping what a whole checkout needs.
export * from "remitkit";
if ("preloads" in document.documentElement.dataset) preload();
begin({
  open: () => createRemitKit(options),
  readyForm: async (kit, container) => {
    const form = await kit.cardForm({ container });
    await new Promise((resolve) => form.on("READY", resolve));
  },
  transfer: (kit, request) => kit.transfer(request),
});
