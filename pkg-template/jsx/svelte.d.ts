import type { HTMLAttributes } from "svelte/elements";
import type { Beside, ElementOf, ListenersOf, MarkupOf, RemitTag } from "./attributes.js";

/** What an element takes in a template; listeners as in Svelte 5 and as in Svelte 4. */
export type RemitElementProps<Tag extends RemitTag> = Beside<
  MarkupOf<Tag> & ListenersOf<Tag, "on"> & ListenersOf<Tag, "on:">, HTMLAttributes<ElementOf<Tag>>
>;

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "remit-card-form": RemitElementProps<"remit-card-form">;
    "remit-fields": RemitElementProps<"remit-fields">;
    "remit-amount": RemitElementProps<"remit-amount">;
  }
}
