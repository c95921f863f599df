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

const canvas = document.createElement("canvas").getContext("2d");

/**
 * Returns a CSS color as the browser writes it, or null. A canvas knows no variables, URLs or inherited
 * values, and its own notation can contain nothing else that was given.
 */
export function colorOf(text) {
  if (/^currentcolor$/i.test(text)) return null;
  // An invalid color leaves the one before it.
  const [onBlack, onWhite] = ["#000000", "#ffffff"].map((before) => {
    canvas.fillStyle = before;
    canvas.fillStyle = text;
    return canvas.fillStyle;
  });
  return onBlack === onWhite ? onBlack : null;
}

/** Returns dark or light ink, whichever is more readable on a color. */
export function inkOn(color) {
  canvas.clearRect(0, 0, 1, 1);
  canvas.fillStyle = color;
  canvas.fillRect(0, 0, 1, 1);
  const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
  const linear = (channel) => {
    const share = (channel * alpha + 255 * (255 - alpha)) / 65025;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const luminance = 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  return luminance > 0.18 ? "#16213a" : "#ffffff";
}
