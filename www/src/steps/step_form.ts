import { isRemitError, type FieldProblem, type RemitKit } from "remitkit";
import { t } from "../messages";
import { kit } from "../remit";
import { isBusy, setBusy, submitButton } from "../ui/button";
import { h, on, type LiveText } from "../ui/dom";
import { endWaiting, showWaiting } from "../ui/loading";
import { errorNotice } from "../ui/notice";
import type { App } from "./step";

type Work<Result> = (remit: RemitKit, signal: AbortSignal) => Promise<Result>;

export interface StepFormOptions {
  label?: LiveText;
  /** What the button says while it works. */
  busy?: LiveText;
  /** Stands above what is fetched. */
  head?: Node;
  /** Leads back from a wait that is long. */
  goBack?: () => void;
}

/** The form of a step: what it fetches, what it sends, and what is said of both. */
export class StepForm {
  readonly slot;
  /** Holds what is fetched. */
  readonly place = h("div", { class: "stack" });
  readonly submit: HTMLButtonElement;
  readonly panel: HTMLFormElement;
  readonly #options: Required<Pick<StepFormOptions, "label" | "busy">> & StepFormOptions;
  #run = new AbortController();

  /** `submit` runs when the form is submitted, unless it is at work. */
  constructor(app: App, id: string, submit: () => unknown, options: StepFormOptions = {}) {
    this.#options = { label: () => t("action.continue"), busy: () => t("action.saving"), ...options };
    this.slot = app.headSlot();
    this.submit = submitButton(this.#options.label, id);
    this.panel = on(h("form", { id, novalidate: true, class: "stack" }, this.slot.element, options.head, this.place), {
      submit: (event) => {
        event.preventDefault();
        if (!isBusy(this.submit)) void submit();
      },
    });
  }

  /** Fetches what the step shows, as high as `rows` fields; a failure stands at the head, to be tried again. */
  async load<Fetched>(rows: number, fetch: Work<Fetched>, show: (fetched: Fetched) => void): Promise<void> {
    this.leave();
    this.#run = new AbortController();
    this.slot.clear();
    this.submit.hidden = true;
    showWaiting(this.place, rows, this.#options.goBack);
    await this.attempt(
      async (remit, signal) => {
        const fetched = await fetch(remit, signal);
        if (signal.aborted) return;
        endWaiting();
        show(fetched);
      },
      (error) => {
        endWaiting();
        this.place.replaceChildren();
        this.refuse(error, () => void this.load(rows, fetch, show));
      },
    );
  }

  /** Puts what is to be filled in into the step. */
  ask(...asked: Node[]): void {
    this.place.replaceChildren(...asked);
    this.submit.hidden = false;
  }

  /**
   * Does what the button says. `atFields` shows problems at the fields that they name, and returns whether it
   * could; whatever else goes wrong is told to `refused`.
   */
  async send(
    work: Work<void>,
    atFields?: (problems: readonly FieldProblem[]) => boolean,
    refused = (error: unknown) => this.refuse(error, () => this.panel.requestSubmit()),
  ): Promise<void> {
    this.slot.clear();
    setBusy(this.submit, true, this.#options.busy);
    await this.attempt(work, (error) => {
      if (!isRemitError(error) || !error.problems || !atFields?.(error.problems)) refused(error);
    });
    setBusy(this.submit, false, this.#options.label);
  }

  /** Says at the head what went wrong. */
  refuse(error: unknown, again: () => void): void {
    this.slot.show(errorNotice(error, [{ label: () => t("action.again"), run: again }]));
  }

  /** Does something unless the step is left meanwhile, and tells what went wrong. */
  async attempt(work: Work<void>, failed: (error: unknown) => void): Promise<void> {
    const { signal } = this.#run;
    try {
      await work(await kit(), signal);
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }

  /** Ends what is under way. */
  leave(): void {
    this.#run.abort();
  }
}
