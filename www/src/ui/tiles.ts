import { h, on, uniqueId, type LiveText } from "./dom";
import { icon, type IconName } from "./icons";

interface Tile {
  value: string;
  label: LiveText;
  about?: LiveText | undefined;
  icon?: IconName | undefined;
}

/** A choice of few options, all in sight: radio buttons drawn as tiles. */
export class Tiles {
  readonly element: HTMLElement;
  readonly #list = h("div.tiles");

  constructor(
    private readonly name: string,
    legend: LiveText,
    private readonly chosen: (value: string) => void,
  ) {
    this.element = h("fieldset.tile-set", h("legend", h("h2", legend)), this.#list);
  }

  show(tiles: readonly Tile[], value: string): void {
    const inputs = [...this.#list.querySelectorAll("input")];
    // Equal choices are kept, so that the keyboard keeps its place.
    if (inputs.map((input) => input.value).join() !== tiles.map((tile) => tile.value).join()) {
      this.#list.replaceChildren(...tiles.map((tile) => this.#tile(tile)));
    }
    for (const input of this.#list.querySelectorAll("input")) input.checked = input.value === value;
  }

  #tile({ value, label, about, icon: name }: Tile): HTMLElement {
    const [labelId, aboutId] = ["tile", "tile-about"].map(uniqueId);
    const input = h("input", {
      type: "radio",
      name: this.name,
      value,
      "aria-labelledby": labelId,
      "aria-describedby": about && aboutId,
    });
    const text = h("span.tile-text", [
      h("span.tile-label", { id: labelId }, label),
      about && h("span.muted.small", { id: aboutId }, about),
    ]);
    on(input, { change: () => this.chosen(value) });
    return h("label.tile", input, name && icon(name), text);
  }
}
