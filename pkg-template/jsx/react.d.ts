import type { ClassAttributes, HTMLAttributes } from "react";
import type { Beside, ElementOf, ListenersOf, MarkupOf, RemitTag } from "./attributes.js";

type OwnOf<Tag extends RemitTag> = MarkupOf<Tag> & ListenersOf<Tag, "on"> & ClassAttributes<ElementOf<Tag>>;

/** What an element takes in JSX. Properties and listeners need React 19: React 18 writes all as attributes. */
export type RemitElementProps<Tag extends RemitTag> =
  Beside<OwnOf<Tag> & { class?: string | undefined }, HTMLAttributes<ElementOf<Tag>>>;

interface RemitIntrinsicElements {
  "remit-card-form": RemitElementProps<"remit-card-form">;
  "remit-fields": RemitElementProps<"remit-fields">;
  "remit-amount": RemitElementProps<"remit-amount">;
}

declare module "react" {
  namespace JSX {
    interface IntrinsicElements extends RemitIntrinsicElements {}
  }
}

// What React 18 reads.
declare global {
  namespace JSX {
    interface IntrinsicElements extends RemitIntrinsicElements {}
  }
}
