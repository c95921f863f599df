import { formatDate } from "../delivery";
import { t } from "../messages";
import { button } from "../ui/button";
import { h, setText, type LiveText } from "../ui/dom";
import type { IconName } from "../ui/icons";
import { action, notice, NoticeSlot } from "../ui/notice";
import { Tiles } from "../ui/tiles";
import type { App } from "./step";

/** The choice of a record that is not saved yet. */
export const NEW = "new";
/** How many records are in sight at first. */
const RECENT = 4;

/** A record that the service has. */
export interface Saved {
  id: string;
  label: LiveText;
  createdAt?: string | null | undefined;
}

export interface SavedChoiceOptions<Item> {
  kind: "recipient" | "account";
  another: LiveText;
  icon?: () => IconName;
  choose: (item: Item | undefined) => void;
  edit: (item: Item) => void;
  remove: (item: Item) => void;
}

/** The records that the service has, of which one is chosen, changed or removed, and a new one beside them. */
export class SavedChoice<Item extends Saved> {
  readonly element: HTMLElement;
  chosen: Item | undefined;
  #items: readonly Item[] = [];
  readonly #tiles;
  readonly #more = button(() => "", () => this.#showAll(), "quiet");
  readonly #tools;
  readonly #slot = new NoticeSlot((shown) => shown.focus());

  constructor(app: App, private readonly options: SavedChoiceOptions<Item>) {
    const { kind } = options;
    this.#tiles = new Tiles(`saved-${kind}`, () => t(`${kind}.saved`), (value) => this.#choose(value));
    const tool = (label: LiveText, work: (item: Item) => void) => {
      // What is still being sent may be sent again, and has to find its records as they were.
      const use = () => (app.earlier.isSettling ? app.earlier.focus() : this.chosen && work(this.chosen));
      return button(label, use, "quiet");
    };
    this.#tools = h("div.button-row", [
      tool(() => t("saved.edit"), options.edit),
      tool(() => t("saved.remove"), (item) => this.#askRemoval(item)),
    ]);
    this.element = h("div.stack", this.#tiles.element, this.#more, this.#tools, this.#slot.element);
  }

  /** Shows the records, with the one of this id chosen. */
  show(items: readonly Item[], id: string): void {
    this.#items = items;
    const isLate = items.findIndex((item) => item.id === id) >= RECENT;
    this.#showTiles(isLate ? items.length : RECENT, id);
    this.#choose(id);
  }

  /** Says that none is chosen, as one of them is being changed. */
  clear(): void {
    this.chosen = undefined;
    this.#tools.hidden = true;
    this.#slot.clear();
  }

  #choose(id: string): void {
    this.clear();
    this.chosen = this.#items.find((item) => item.id === id);
    this.#tools.hidden = this.chosen === undefined;
    this.options.choose(this.chosen);
  }

  #showTiles(count: number, chosen: string): void {
    const icon = this.options.icon?.();
    const tiles = this.#items.slice(0, count).map(({ id, label, createdAt }) => ({
      value: id,
      label,
      about: () => t("saved.on", { date: formatDate(new Date(createdAt ?? Number.NaN)) }),
      icon,
    }));
    this.#tiles.show([...tiles, { value: NEW, label: this.options.another }], chosen);
    this.#tiles.element.hidden = this.#items.length === 0;
    this.#more.hidden = this.#items.length <= count;
    setText(this.#more, () => t("saved.more", { count: this.#items.length }));
  }

  #showAll(): void {
    this.#showTiles(this.#items.length, this.chosen?.id ?? NEW);
    this.#tiles.element.querySelectorAll("input")[RECENT]?.focus();
  }

  #askRemoval(item: Item): void {
    const { kind, remove } = this.options;
    const [title, text] = [() => t(`${kind}.remove`, { name: item.label() }), () => t(`${kind}.remove.text`)];
    const actions = [
      action("saved.remove.yes", () => remove(item)),
      action("saved.remove.keep", () => this.#slot.clear()),
    ];
    this.#slot.show(notice({ tone: "warning", title, text, actions }));
  }
}
