import { isRemitError, type FieldForm, type FieldValues, type RemitKit } from "remitkit";
import type { FieldsKind } from "remitkit/fields";
import { submitForm } from "../compat";
import { t } from "../messages";
import { kit } from "../remit";
import type { FormName } from "../state";
import { button, isBusy, whileBusy } from "../ui/button";
import { h, on, type LiveText } from "../ui/dom";
import { Fields, type FieldsOptions } from "../ui/fields";
import { endWaiting, showWaiting } from "../ui/loading";
import { errorNotice, retry } from "../ui/notice";
import type { App, Step, StepName } from "./step";

type Work<Result> = (remit: RemitKit, signal: AbortSignal) => Promise<Result>;

interface StepFormOptions {
  label?: LiveText;
  busyLabel?: LiveText;
  head?: Node;
  back?: StepName | "origin";
}

/** The form of a step: loads what it shows, sends what it gathers, and reports the errors of both. */
export class StepForm {
  readonly slot;
  readonly body = h("div.stack");
  readonly submit: HTMLButtonElement;
  /** The button that leads back; on a side page, to the step of the transfer. */
  readonly back: HTMLButtonElement;
  readonly panel: HTMLFormElement;
  /** The fields, once they are there. */
  fields: Fields | undefined;
  readonly #options;
  /** Where the input is kept when the customer leaves the step. */
  #keptAs: FormName | undefined;
  #run = new AbortController();

  /** Calls `submit` when the form is submitted and its button is not busy. */
  constructor(
    private readonly app: App,
    id: string,
    submit: () => unknown,
    options: StepFormOptions = {},
  ) {
    this.#options = { label: () => t("action.continue"), busyLabel: () => t("action.saving"), ...options };
    const backLabel = options.back === "origin" ? "profile.back" : "action.back";
    this.back = button(() => t(backLabel), () => this.goBack());
    this.slot = app.createHeadSlot();
    // It stands elsewhere on the page.
    this.submit = h("button.button.primary", { type: "submit", form: id }, this.#options.label);
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
  async load<Fetched>(fetch: Work<Fetched>, show: (fetched: Fetched) => void, rows = 4): Promise<void> {
    this.#run.abort();
    this.#run = new AbortController();
    this.fields = undefined;
    this.slot.clear();
    this.submit.hidden = true;
    showWaiting(this.body, rows, this.#options.back && (() => this.goBack()));
    const work: Work<void> = async (remit, signal) => {
      const fetched = await fetch(remit, signal);
      if (!signal.aborted) show(fetched);
    };
    await this.run(work, (error) => this.fail(error, () => void this.load(fetch, show, rows)));
  }

  /** Fetches fields, which are hidden until `show`. They start with, and are kept as, the input of `keptAs`. */
  async fetchFields(kind: FieldsKind, options: FieldsOptions, keptAs?: FormName): Promise<FieldForm> {
    const { signal } = this.#run;
    const kept = keptAs && { values: this.app.checkout.state.values[keptAs] };
    const fields = new Fields(kind, { ...kept, ...options });
    fields.element.hidden = true;
    // They load on the page only.
    this.panel.append(fields.element);
    // Removed, they are never ready.
    const aborted = new Promise<never>((_, reject) => {
      signal.addEventListener("abort", () => {
        fields.element.remove();
        reject(signal.reason);
      });
    });
    const form = await Promise.race([fields.ready, aborted]);
    [this.fields, this.#keptAs] = [fields, keptAs];
    return form;
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
      this.showError(error, () => submitForm(this.panel));
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
      const remit = await kit();
      if (!signal.aborted) await work(remit, signal);
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }

  keep(): void {
    if (this.#keptAs && this.fields) this.app.checkout.keepValues(this.#keptAs, this.fields.form.values);
  }

  leave(): void {
    this.keep();
    this.#run.abort();
  }
}
