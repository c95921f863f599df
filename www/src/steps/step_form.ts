import { isRemitError, type FieldForm, type FieldValues, type RemitKit } from "remitkit";
import { t } from "../messages";
import { kit } from "../remit";
import type { FormName } from "../state";
import { button, isBusy, submitButton, whileBusy } from "../ui/button";
import { h, on, type LiveText } from "../ui/dom";
import { FieldFormView, type FieldFormOptions } from "../ui/field_form";
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
  fields: FieldForm | undefined;
  view: FieldFormView | undefined;
  readonly #options;
  #run = new AbortController();

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

  loadFields(fetch: Work<FieldForm>, options: FieldFormOptions, show = () => this.show()): Promise<void> {
    this.view = undefined;
    return this.load(4, fetch, (fields) => {
      this.setFields(fields, options);
      show();
    });
  }

  setFields(fields: FieldForm, options: FieldFormOptions): FieldFormView {
    this.fields = fields;
    this.view = new FieldFormView(fields, options);
    return this.view;
  }

  /** Shows the content of the step, by default its fields, and the button. */
  show(...content: Node[]): void {
    endWaiting();
    this.body.replaceChildren(...(content.length === 0 && this.view ? [this.view.element] : content));
    this.submit.hidden = false;
  }

  /** Returns the input if it has no problem; otherwise shows the problems. */
  checkedValues(): FieldValues | undefined {
    this.slot.clear();
    const isValid = this.view?.check() ?? false;
    this.app.markProblem(!isValid);
    return isValid ? this.view?.values() : undefined;
  }

  /** Runs the button's work. By default, problems are shown at their fields, other errors at the head. */
  async send(work: Work<void>, failed?: (error: unknown) => void): Promise<void> {
    this.slot.clear();
    const showError = (error: unknown) => {
      const problems = isRemitError(error) ? error.problems : undefined;
      if (problems && this.view?.show(problems)) return;
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

  /** Keeps the input, and that of fields this form lacks, such as those of another type of recipient. */
  keep(): void {
    const { keptAs } = this;
    if (!keptAs || !this.view) return;
    const own = this.view.fieldIds();
    const kept = Object.entries(this.app.checkout.state.values[keptAs]);
    const others = Object.fromEntries(kept.filter(([id]) => !own.includes(id)));
    this.app.checkout.keepValues(keptAs, { ...others, ...this.view.values() });
  }

  leave(): void {
    this.keep();
    this.#run.abort();
  }
}
