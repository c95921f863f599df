// Nothing here may compile: each line must be an error, or the line above it is one.

import { defineRemitCardForm } from "remitkit/element";

declare const element: HTMLElementTagNameMap["remit-card-form"];

// @ts-expect-error an element's name has a hyphen
defineRemitCardForm("card");
// @ts-expect-error options are not a kit
element.remit = { baseUrl: "https://api.example" };
// @ts-expect-error no parameter of a theme
element.theme = { colour: "#000" };
// @ts-expect-error the card comes from the form alone
element.value = "card";
// @ts-expect-error as does its completion
element.completed = Promise.resolve();
// @ts-expect-error what ready tells is empty
element.addEventListener("ready", (event) => event.detail.cardId.length);
// @ts-expect-error there is no card number, ever
element.addEventListener("completed", (event) => event.detail.cardNumber);
