// No line below a mark may compile.

import { defineRemitCardForm } from "remitkit/element";

declare const element: HTMLElementTagNameMap["remit-card-form"];

// @ts-expect-error an element's name has a hyphen
defineRemitCardForm("card");
// @ts-expect-error options are not a kit
element.remit = { baseUrl: "https://api.example" };
// @ts-expect-error no such parameter
element.theme = { colour: "#000" };
// @ts-expect-error read-only
element.value = "card";
// @ts-expect-error read-only
element.completed = Promise.resolve();
// @ts-expect-error ready has no details
element.addEventListener("ready", (event) => event.detail.cardId.length);
// @ts-expect-error there is no card number
element.addEventListener("completed", (event) => event.detail.cardNumber);
