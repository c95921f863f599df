import { test } from "node:test";
import { kit } from "./facade.mjs";
import { withPage } from "./page.mjs";

export const START = "CARD_VALIDATION_START";
export const FAIL = "CARD_VALIDATION_STOP_FAIL";
export const SUCCESS = "CARD_VALIDATION_STOP_SUCCESS";

/** A test with a form on a page, and the core's end of it. */
export function formTest(name, work) {
  test(name, () =>
    withPage(async ({ container }) => {
      const loaded = await kit();
      const form = await loaded.remit.cardForm({ container: "#card" });
      const [core] = loaded.control.mounted;
      await work({ ...loaded, container, form, core, deliver: core.deliver });
    }),
  );
}

export const typesOf = (events) => events.map((event) => event.type);
