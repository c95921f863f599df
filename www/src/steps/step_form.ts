import { isRemitError, type FieldValues, type RemitKit } from "remitkit";
import type { FieldsKind } from "remitkit/fields";
import { t } from "../messages";
import { kit } from "../remit";
import type { FormName } from "../state";
import { button, isBusy, submitButton, whileBusy } from "../ui/button";
import { h, on, type LiveText } from "../ui/dom";
import { Fields, type FieldsOptions } from "../ui/fields";
import { endWaiting, showWaiting } from "../ui/loading";
import { errorNotice, retry } from "../ui/notice";
import type { App, Step, StepName } from "./step";

type Work<Result> = (remit: RemitKit, signal: AbortSignal) => Promise<Result>;

export interface StepFormOptions {
  label?: LiveText;
  busyLabel?: LiveText;
  head?: Node;
  back?: StepName | "origin";
  keptAs?: FormName;
}

/** The form of a step: loads what it shows, sends what it gathers, and reports the errors of both. */
export class StepForm {
  readonly slot;
  readonly body = h("div.stack");
  readonly submit: HTMLButtonElement;
  /** The button that leads back; on a side page, to the step of the transfer. */
  readonly back: HTMLButtonElement;
  readonly panel: HTMLFormElement;
  /** Where the input is kept when the customer leaves the step. */
  keptAs: FormName | undefined;
  /** The fields, once they are there. */
  fields: Fields | undefined;
  readonly #options;
  #run = new AbortController();
  /** The fields that were fetched last. */
  #latest: Fields | undefined;

  /** Calls `submit` when the form is submitted and its button is not busy. */
  constructor(
    private readonly app: App,
    id: string,
    submit: () => unknown,
    options: StepFormOptions = {},
  ) {
    this.#options = { label: () => t("action.continue"), busyLabel: () => t("action.saving"), ...options };
    this.keptAs = options.keptAs;
    const backLabel = options.back === "origin" ? "profile.back" : "action.back";
    this.back = button(() => t(backLabel), () => this.goBack());
    this.slot = app.createHeadSlot();
    this.submit = submitButton(this.#options.label, id);
    const attributes = { id, novalidate: true, class: "stack" };
    this.panel = on(h("form", attributes, this.slot.element, options.head, this.body), {
      submit: (event) => {
        event.preventDefault();
        if (!isBusy(this.submit)) void submit();
      },
    });
  }

  get signal(): AbortSignal {
    return this.#run.signal;
  }

  /** Makes the step of this form. */
  step(parts: Pick<Step, "title" | "about" | "enter"> & Partial<Step>): Step {
    return {
      panel: this.panel,
      actions: this.#options.back ? [this.back, this.submit] : [this.submit],
      keep: () => this.keep(),
      leave: () => this.leave(),
      ...parts,
    };
  }

  goBack(): void {
    const { back = "origin" } = this.#options;
    this.app.go(back === "origin" ? this.app.origin : back);
  }

  /** Fetches what the step shows, with an outline of `rows` fields meanwhile. A failure can be retried. */
  async load<Fetched>(rows: number, fetch: Work<Fetched>, show: (fetched: Fetched) => void): Promise<void> {
    this.#run.abort();
    this.#run = new AbortController();
    this.slot.clear();
    this.submit.hidden = true;
    this.wait(rows);
    const work: Work<void> = async (remit, signal) => {
      const fetched = await fetch(remit, signal);
      if (!signal.aborted) show(fetched);
    };
    await this.run(work, (error) => this.fail(error, () => void this.load(rows, fetch, show)));
  }

  wait(rows: number): void {
    showWaiting(this.body, rows, this.#options.back && (() => this.goBack()));
  }

  /** Fetches the fields of a form and what `fetch` gets beside them; shows the fields, unless `show` does. */
  loadFields(
    kind: FieldsKind,
    options: FieldsOptions,
    fetch: (remit: RemitKit, signal: AbortSignal, fields: Promise<Fields>) => unknown = () => {},
    show = () => this.show(),
  ): Promise<void> {
    const both = (remit: RemitKit, signal: AbortSignal) => {
      const fields = this.fetchFields(kind, options);
      return Promise.all([fields, fetch(remit, signal, fields)]);
    };
    return this.load(4, both, show);
  }

  /** Fetches fields, which are hidden until `show`, at `place`. */
  async fetchFields(kind: FieldsKind, options: FieldsOptions, place: Element = this.panel): Promise<Fields> {
    this.#latest?.element.remove();
    const fields = new Fields(kind, options);
    this.#latest = fields;
    this.fields = undefined;
    fields.element.hidden = true;
    place.append(fields.element);
    try {
      await fields.ready;
    } catch (error) {
      fields.element.remove();
      throw error;
    }
    if (this.#latest === fields) this.fields = fields;
    return fields;
  }

  /** Shows the content of the step, by default its fields, and the button. */
  show(...content: Node[]): void {
    endWaiting();
    if (this.fields) this.fields.element.hidden = false;
    this.body.replaceChildren(...(content.length === 0 && this.fields ? [this.fields.element] : content));
    this.submit.hidden = false;
  }

  /** Returns the input if it has no problem; otherwise shows the problems. */
  checkedValues(): FieldValues | undefined {
    this.slot.clear();
    const isValid = this.fields?.form.check() ?? false;
    this.app.markProblem(!isValid);
    return isValid ? this.fields?.values : undefined;
  }

  /** Runs the button's work. By default, problems are shown at their fields, other errors at the head. */
  async send(work: Work<void>, failed?: (error: unknown) => void): Promise<void> {
    this.slot.clear();
    const showError = (error: unknown) => {
      if (isRemitError(error) && this.fields?.form.show(error)) return;
      this.showError(error, () => this.panel.requestSubmit());
    };
    await whileBusy(this.submit, this.#options.busyLabel, () => this.run(work, failed ?? showError));
  }

  showError(error: unknown, again: () => void): void {
    this.slot.show(errorNotice(error, [retry(again)]));
  }

  fail(error: unknown, again: () => void): void {
    endWaiting();
    this.body.replaceChildren();
    this.submit.hidden = true;
    this.showError(error, again);
  }

  /** Runs work of the step; errors after the step was left are ignored. */
  async run(work: Work<void>, failed: (error: unknown) => void): Promise<void> {
    const { signal } = this.#run;
    try {
      await work(await kit(), signal);
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }

  keep(): void {
    if (this.keptAs && this.fields) this.app.checkout.keepValues(this.keptAs, this.fields.form.values);
  }

  leave(): void {
    this.keep();
    this.#run.abort();
  }
}
