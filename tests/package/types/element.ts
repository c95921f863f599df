// Everything here must compile, without React's types.

import { createRemitKit } from "remitkit";
import type { CardForm, CompletedCard, RemitError, Theme } from "remitkit";
import { defineRemitCardForm } from "remitkit/element";
import type { RemitCardFormElement } from "remitkit/element";
import { exactly } from "./exactly.js";

defineRemitCardForm();

const element = document.createElement("remit-card-form");
exactly<RemitCardFormElement>()(element);
const options = { baseUrl: "https://api.example", cardUrl: "https://card.example", token: "t" };
element.remit = createRemitKit(options);
element.remit = null;
element.theme = { primary: "#0a7" };
element.required = true;
exactly<Promise<CompletedCard>>()(element.completed);
exactly<CardForm | undefined>()(element.cardForm);
element.loadError = ({ reason }) => ({ message: reason });
element.loadError = null;
element.focus();
void element.renew({ signal: AbortSignal.timeout(5) });

element.addEventListener("completed", function (event) {
  exactly<string>()(event.detail.cardId);
  exactly<RemitCardFormElement>()(this);
});
element.addEventListener("error", ({ detail }) => exactly<RemitError>()(detail));
element.addEventListener("loadfailed", ({ detail }) => detail.directive?.length, { once: true });
element.addEventListener("keydown", (event) => exactly<KeyboardEvent>()(event));
element.addEventListener("shop:own", (event) => exactly<Event>()(event));
const listener = { handleEvent(_: Event) {} };
element.addEventListener("ready", listener);
element.removeEventListener("ready", listener);

export const found: RemitCardFormElement | null = document.querySelector("remit-card-form");
exactly<Theme | undefined>()(found?.theme);
