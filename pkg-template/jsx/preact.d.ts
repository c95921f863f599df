import type { ClassAttributes, HTMLAttributes } from "preact";
import type { Beside, ElementOf, ListenersOf, MarkupOf, RemitTag } from "./attributes.js";

type OwnOf<Tag extends RemitTag> = MarkupOf<Tag> & ListenersOf<Tag, "on"> & ClassAttributes<ElementOf<Tag>>;

/** What an element takes in JSX. */
export type RemitElementProps<Tag extends RemitTag> = Beside<OwnOf<Tag>, HTMLAttributes<ElementOf<Tag>>>;

interface RemitIntrinsicElements {
  "remit-card-form": RemitElementProps<"remit-card-form">;
  "remit-fields": RemitElementProps<"remit-fields">;
  "remit-amount": RemitElementProps<"remit-amount">;
}

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements extends RemitIntrinsicElements {}
  }
}
