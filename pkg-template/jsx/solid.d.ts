import type { JSX } from "solid-js";
import type { Beside, ElementOf, ListenersOf, MarkupOf, PropertiesOf, RemitTag } from "./attributes.js";

type SetAsProperties<Properties> = {
  [Name in keyof Properties & string as `prop:${Name}`]?: Properties[Name] | null | undefined;
};

/** What an element takes in JSX. */
export type RemitElementProps<Tag extends RemitTag> = Beside<
  MarkupOf<Tag> & SetAsProperties<PropertiesOf<Tag>> & ListenersOf<Tag, "on:">, JSX.HTMLAttributes<ElementOf<Tag>>
>;

declare module "solid-js" {
  namespace JSX {
    interface IntrinsicElements {
      "remit-card-form": RemitElementProps<"remit-card-form">;
      "remit-fields": RemitElementProps<"remit-fields">;
      "remit-amount": RemitElementProps<"remit-amount">;
    }
  }
}
