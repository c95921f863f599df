import type { Theme } from "./card.js";
import type { RemitKit } from "./remit-kit.js";

type EventOf<Events, Name> = Name extends keyof Events
  ? Events[Name]
  : Name extends keyof HTMLElementEventMap
    ? HTMLElementEventMap[Name]
    : Event;

/**
 * What the package's elements have in common: a kit, a theme, and the members of a form control. In engines
 * without form-associated elements (Safari before 16.4) a surrounding form neither checks nor submits them.
 *
 * What a page has forgotten, and errors of `<remit-fields>` and `<remit-amount>` whose `detail` none of its
 * listeners reads, are said in the console, and in the element on a loopback host.
 *
 * `Events` are the element's own DOM events. They are composed, and none of them bubbles.
 */
export interface RemitFormControl<Events> extends HTMLElement {
  /** The kit, or a promise of it. Another one starts again. The element does not destroy it. */
  get remit(): RemitKit | PromiseLike<RemitKit> | undefined;
  set remit(remit: RemitKit | PromiseLike<RemitKit> | null | undefined);
  /** Colors, fonts and radius, as the card form has them. */
  get theme(): Theme | undefined;
  set theme(theme: Theme | null | undefined);

  /** The name under which the surrounding form submits the element's value. */
  get name(): string;
  set name(name: string | null | undefined);
  /** Whether the surrounding form is invalid until there is a value. */
  required: boolean;
  /** Whether the element is inert and excluded from submission. */
  disabled: boolean;
  readonly type: string;
  /** The surrounding form, or the one whose id was set. */
  get form(): HTMLFormElement | null;
  set form(id: string | null | undefined);
  readonly labels: NodeList | undefined;
  readonly validity: ValidityState | undefined;
  readonly validationMessage: string;
  readonly willValidate: boolean;
  checkValidity(): boolean;
  reportValidity(): boolean;

  addEventListener<Name extends keyof Events | keyof HTMLElementEventMap>(
    type: Name,
    listener: (this: this, event: EventOf<Events, Name>) => unknown,
    options?: boolean | AddEventListenerOptions,
  ): void;
  addEventListener(
    type: string, listener: EventListenerOrEventListenerObject, options?: boolean | AddEventListenerOptions,
  ): void;
  removeEventListener<Name extends keyof Events | keyof HTMLElementEventMap>(
    type: Name,
    listener: (this: this, event: EventOf<Events, Name>) => unknown,
    options?: boolean | EventListenerOptions,
  ): void;
  removeEventListener(
    type: string, listener: EventListenerOrEventListenerObject, options?: boolean | EventListenerOptions,
  ): void;
}
