// The picture of a card beside the form. It shows the places of a card's data, never the data.

import { groupsOf } from "./card-number.js";

export class CardPicture {
  #element;
  #network = null;

  constructor(element) {
    this.#element = element;
  }

  /** Shows the network's name and its number of dots; null means undecided. */
  show(network) {
    this.#network = network;
    this.#element.dataset.network = network?.id ?? "";
    this.#part("network").textContent = network?.name ?? "";
    // Only Diners depends on the length, for 14 digits.
    const groups = groupsOf(network, 14).slice(0, 4);
    this.#part("number").textContent = groups.map((size) => "•".repeat(size)).join(" ");
  }

  /** Highlights the place of a field, and turns the card for a code on its back; "" highlights nothing. */
  pointAt(field) {
    const back = field === "code" && this.#network?.codeLength !== 4;
    this.#element.dataset.field = field;
    this.#element.dataset.side = back ? "back" : "front";
  }

  #part(name) {
    return this.#element.querySelector(`.picture-${name}`);
  }
}

/** Returns dark or light ink, whichever is more readable on a CSS colour. */
export function inkOn(color) {
  const canvas = document.createElement("canvas");
  canvas.width = 1;
  canvas.height = 1;
  const context = canvas.getContext("2d");
  if (context === null) return "#ffffff";
  context.fillStyle = color;
  context.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = context.getImageData(0, 0, 1, 1).data;
  const linear = (channel) => {
    const share = (channel * alpha + 255 * (255 - alpha)) / 65025;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return luminance > 0.18 ? "#16213a" : "#ffffff";
}
