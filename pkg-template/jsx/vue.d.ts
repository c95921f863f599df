import type { HTMLAttributes, ReservedProps } from "vue";
import type { Beside, ElementOf, EventsOf, Listener, MarkupOf, RemitTag } from "./attributes.js";

type ListenersOf<Tag extends RemitTag> = {
  [Name in keyof EventsOf<Tag> & string as `on${Capitalize<Name>}`]?: Listener<EventsOf<Tag>[Name]> | undefined;
};

/** What an element takes in a template or in JSX. */
export type RemitElementProps<Tag extends RemitTag> =
  Beside<MarkupOf<Tag> & ListenersOf<Tag> & ReservedProps, HTMLAttributes>;

type Component<Tag extends RemitTag> = new () => ElementOf<Tag> & { $props: RemitElementProps<Tag> };

declare module "vue" {
  interface GlobalComponents {
    "remit-card-form": Component<"remit-card-form">;
    "remit-fields": Component<"remit-fields">;
    "remit-amount": Component<"remit-amount">;
  }
}

declare module "vue/jsx-runtime" {
  namespace JSX {
    interface IntrinsicElements {
      "remit-card-form": RemitElementProps<"remit-card-form">;
      "remit-fields": RemitElementProps<"remit-fields">;
      "remit-amount": RemitElementProps<"remit-amount">;
    }
  }
}
