import { h, on, uniqueId, type LiveText } from "./dom";
import { icon, type IconName } from "./icons";

export interface Tile {
  value: string;
  label: LiveText;
  about?: LiveText | undefined;
  icon?: IconName;
}

/** A choice of few, all in sight: radio buttons drawn as tiles. */
export class Tiles {
  readonly element: HTMLElement;
  readonly #name: string;
  readonly #list = h("div", { class: "tiles" });
  readonly #chosen: (value: string) => void;

  constructor(name: string, legend: LiveText, chosen: (value: string) => void) {
    this.#name = name;
    this.#chosen = chosen;
    this.element = h("fieldset", { class: "tile-set" }, h("legend", {}, legend), this.#list);
  }

  show(tiles: readonly Tile[], value: string): void {
    // Made again only when the choices differ, so that a keyboard keeps its place.
    const inputs = [...this.#list.querySelectorAll("input")];
    if (inputs.map((input) => input.value).join() === tiles.map((tile) => tile.value).join()) {
      for (const input of inputs) input.checked = input.value === value;
      return;
    }
    this.#list.classList.toggle("compact", tiles.every((tile) => !tile.about));
    this.#list.replaceChildren(
      ...tiles.map((tile) => {
        const [label, about] = [uniqueId("tile"), uniqueId("tile-about")];
        const described = tile.about ? about : undefined;
        const input = h("input", { type: "radio", name: this.#name, value: tile.value, "aria-labelledby": label, "aria-describedby": described });
        input.checked = tile.value === value;
        on(input, { change: () => this.#chosen(tile.value) });
        return h(
          "label",
          { class: "tile" },
          input,
          tile.icon && icon(tile.icon),
          h("span", { class: "tile-text" }, h("span", { class: "tile-label", id: label }, tile.label), tile.about && h("span", { class: "muted", id: about }, tile.about)),
        );
      }),
    );
  }
}
