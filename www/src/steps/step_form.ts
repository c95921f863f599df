import { isRemitError, type FieldForm, type FieldValues, type RemitKit } from "remitkit";
import { t } from "../messages";
import { kit } from "../remit";
import { isBusy, submitButton, whileBusy } from "../ui/button";
import { h, on, type LiveText } from "../ui/dom";
import { FieldFormView, type FieldFormOptions } from "../ui/field_form";
import { endWaiting, showWaiting } from "../ui/loading";
import { errorNotice, retry } from "../ui/notice";
import type { App } from "./step";

type Work<Result> = (remit: RemitKit, signal: AbortSignal) => Promise<Result>;

export interface StepFormOptions {
  label?: LiveText;
  busyLabel?: LiveText;
  head?: Node;
  /** Offers a way back while loading takes long. */
  goBack?: () => void;
}

/** The form of a step: loads what it shows, sends what it gathers, and reports the errors of both. */
export class StepForm {
  readonly slot;
  readonly body = h("div.stack");
  readonly submit: HTMLButtonElement;
  readonly panel: HTMLFormElement;
  fields: FieldForm | undefined;
  view: FieldFormView | undefined;
  readonly #options;
  #run = new AbortController();

  /** Calls `submit` when the form is submitted and its button is not busy. */
  constructor(app: App, id: string, submit: () => unknown, options: StepFormOptions = {}) {
    this.#options = { label: () => t("action.continue"), busyLabel: () => t("action.saving"), ...options };
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

  /** Fetches what the step shows, with an outline of `rows` fields meanwhile. A failure can be retried. */
  async load<Fetched>(rows: number, fetch: Work<Fetched>, show: (fetched: Fetched) => void): Promise<void> {
    this.leave();
    this.#run = new AbortController();
    this.slot.clear();
    this.submit.hidden = true;
    showWaiting(this.body, rows, this.#options.goBack);
    const work: Work<void> = async (remit, signal) => {
      const fetched = await fetch(remit, signal);
      if (!signal.aborted) show(fetched);
    };
    await this.run(work, (error) => this.fail(error, () => void this.load(rows, fetch, show)));
  }

  loadFields(fetch: Work<FieldForm>, options: FieldFormOptions, show = () => this.show()): Promise<void> {
    this.view = undefined;
    return this.load(4, fetch, (fields) => {
      this.setFields(fields, options);
      show();
    });
  }

  setFields(fields: FieldForm, options: FieldFormOptions): void {
    this.fields = fields;
    this.view = new FieldFormView(fields, options);
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
    return this.view?.check() ? this.view.values() : undefined;
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

  leave(): void {
    this.#run.abort();
  }
}
