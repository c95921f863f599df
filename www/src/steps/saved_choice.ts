import type { FieldForm, Recipient, RecipientAccount, RemitKit } from "remitkit";
import { formatDate } from "../delivery";
import { t } from "../messages";
import { startingWith } from "../saved_records";
import type { FormName } from "../state";
import { button } from "../ui/button";
import { h, setText, type LiveText } from "../ui/dom";
import type { FieldsOptions } from "../ui/fields";
import type { IconName } from "../ui/icons";
import { action, notice, NoticeSlot } from "../ui/notice";
import { Tiles } from "../ui/tiles";
import { given, type App } from "./step";
import type { StepForm } from "./step_form";

/** The choice of a record that is not saved yet. */
const NEW = "new";
/** How many records are in sight at first. */
const RECENT = 4;

export interface Saved {
  id: string;
  label: LiveText;
  record: Recipient | RecipientAccount;
}

interface SavedChoiceOptions<Item> {
  kind: "recipient" | "account";
  another: LiveText;
  icon?: IconName;
  /** Fetches the fields of a new record, or of the one that is `edited`. */
  fetchFields: (options: Partial<FieldsOptions>, keptAs?: FormName, edited?: Item) => Promise<FieldForm>;
  /** Fetches the records, which may depend on the fields. */
  list: (remit: RemitKit, signal: AbortSignal, fields: Promise<FieldForm>) => Promise<Item[]>;
  /** Returns the id of the record that is chosen at first. */
  first: (items: readonly Item[]) => string | undefined;
  /** Shows the step's content, once it is fetched. */
  show: () => void;
  choose: (item: Item | undefined) => void;
  remove: (item: Item, remit: RemitKit, signal: AbortSignal) => Promise<unknown>;
}

/**
 * The records that the service has, of which one is chosen, changed or removed, and a new one beside them. Loads
 * the form of its step.
 */
export class SavedChoice<Item extends Saved> {
  readonly element: HTMLElement;
  items: readonly Item[] = [];
  chosen: Item | undefined;
  edited: Item | undefined;
  readonly #tiles;
  readonly #more = button(() => "", () => this.#showAll(), "quiet");
  readonly #tools;
  readonly #slot = new NoticeSlot((shown) => shown.focus());

  constructor(
    private readonly app: App,
    private readonly form: StepForm,
    private readonly options: SavedChoiceOptions<Item>,
  ) {
    const { kind } = options;
    this.#tiles = new Tiles(`saved-${kind}`, () => t(`${kind}.saved`), (value) => this.#choose(value));
    const tool = (label: LiveText, work: (item: Item) => void) => {
      // What is still being sent may be sent again, and has to find its records as they were.
      const use = () => (app.earlier.isSettling ? app.earlier.focus() : this.chosen && work(this.chosen));
      return button(label, use, "quiet");
    };
    this.#tools = h("div.button-row", [
      tool(() => t("saved.edit"), (item) => this.edit(item)),
      tool(() => t("saved.remove"), (item) => this.#askRemoval(item)),
    ]);
    this.element = h("div.stack", this.#tiles.element, this.#more, this.#tools, this.#slot.element);
  }

  /** Shows the records and the fields of a new one, with a record `chosen`, by default the first. */
  load(chosen?: string): Promise<void> {
    const { kind, fetchFields, list, first, show } = this.options;
    this.edited = undefined;
    const fetch = async (remit: RemitKit, signal: AbortSignal) => {
      const fields = fetchFields({}, kind);
      const [items] = await Promise.all([list(remit, signal, fields), fields]);
      return items;
    };
    return this.form.load(fetch, (items) => {
      show();
      this.items = items;
      const id = chosen ?? first(items) ?? NEW;
      const isLate = items.findIndex((item) => item.id === id) >= RECENT;
      this.#showTiles(isLate ? items.length : RECENT, id);
      this.#choose(id);
    });
  }

  /** Shows the details of a record to be changed, and `why` they have to be. */
  edit(item: Item, why?: HTMLElement): void {
    const { form } = this;
    const { fetchFields, show } = this.options;
    const { country } = given(this.app, "route");
    this.edited = item;
    this.#clear();
    void form.load(() => fetchFields(startingWith(item.record, country), undefined, item), () => {
      show();
      if (why) form.slot.show(why);
      else form.fields?.form.focus();
    });
  }

  #clear(): void {
    this.chosen = undefined;
    this.#tools.hidden = true;
    this.#slot.clear();
  }

  #choose(id: string): void {
    this.#clear();
    this.chosen = this.items.find((item) => item.id === id);
    this.#tools.hidden = this.chosen === undefined;
    // Fields that are still to come are not this one's.
    if (!this.form.fields || (!this.chosen && this.edited)) void this.load(id);
    else this.options.choose(this.chosen);
  }

  #showTiles(count: number, chosen: string): void {
    const { another, icon } = this.options;
    const tiles = this.items.slice(0, count).map(({ id, label, record }) => ({
      value: id,
      label,
      about: () => t("saved.on", { date: formatDate(record.createdAt) }),
      icon,
    }));
    this.#tiles.show([...tiles, { value: NEW, label: another }], chosen);
    this.element.hidden = this.items.length === 0;
    this.#more.hidden = this.items.length <= count;
    setText(this.#more, () => t("saved.more", { count: this.items.length }));
  }

  #showAll(): void {
    this.#showTiles(this.items.length, this.chosen?.id ?? NEW);
    this.#tiles.element.querySelectorAll("input")[RECENT]?.focus();
  }

  #askRemoval(item: Item): void {
    const { kind } = this.options;
    const [title, text] = [() => t(`${kind}.remove`, { name: item.label() }), () => t(`${kind}.remove.text`)];
    const actions = [
      action("saved.remove.yes", () => void this.#remove(item)),
      action("saved.remove.keep", () => this.#slot.clear()),
    ];
    this.#slot.show(notice({ tone: "warning", title, text, actions }));
  }

  async #remove(item: Item): Promise<void> {
    const { form } = this;
    const { checkout } = this.app;
    const { kind, remove } = this.options;
    const work = async (remit: RemitKit, signal: AbortSignal) => {
      await remove(item, remit, signal);
      if (checkout.state[kind]?.id === item.id) checkout.change({ [kind]: undefined });
      if (signal.aborted) return;
      await this.load();
      const title = () => t(`${kind}.removed`, { name: item.label() });
      // Not if the step was left, or could not be shown again.
      if (form.fields) form.slot.show(notice({ tone: "success", title }));
    };
    await form.send(work, (error) => form.showError(error, () => void this.#remove(item)));
  }
}
