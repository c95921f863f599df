import { defineRemitCardForm } from "remitkit/element";

declare const element: HTMLElementTagNameMap["remit-card-form"];

// Each line below is an error.

defineRemitCardForm("card");
element.remit = { baseUrl: "https://api.example" };
element.theme = { colour: "#000" };
element.value = "card";
element.completed = Promise.resolve({ cardId: "c", sessionId: "s" });
element.addEventListener("ready", (event) => event.detail.cardId.length);
element.addEventListener("completed", (event) => event.detail.cardNumber);
