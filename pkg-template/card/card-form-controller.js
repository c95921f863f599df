import { CARD_EVENT_TYPES } from "./card-event-types.js";
import DEFAULTS from "./card-form-defaults.js";
import { contentOf } from "../input/content.js";
import { failure } from "../errors/errors.js";
import { kitError } from "../errors/kit-error.js";
import { readSignal } from "../input/signal.js";

export const CARD_FORM_HEIGHT = DEFAULTS.height;
/** Codes of errors that another theme, title or height may fix. */
const OPTION_ERRORS = ["InvalidConfiguration", "InvalidRequest"];

/**
 * The card form of a component. A component may unmount within the same turn, as in React's StrictMode, and
 * creating a form takes a request: so start a turn later, and handle removal during creation.
 */
export class CardFormController {
  #remit;
  #options;
  #listeners;
  #showing;
  #abort;
  #form;
  // The refused options.
  #refused;
  #followed;
  #removals = 0;

  /** `remit` is a kit or a promise of one. `listeners` are `event`, `completed` and `error`. */
  constructor(remit, options, listeners) {
    this.#remit = remit;
    this.#options = options;
    this.#listeners = listeners;
    this.#begin();
  }

  /** Undefined once the kit has ended, which removes the frame. */
  get form() {
    return this.#form?.element.parentNode ? this.#form : undefined;
  }

  /** Applies another theme, title or height. A different theme, compared by value, reloads the form. */
  change(changes) {
    const before = this.#options;
    this.#options = { ...before, ...changes };
    // A form that is being created applies them once it exists.
    if (this.#form !== undefined) {
      this.#apply(before);
    } else {
      this.#beginAgain();
    }
  }

  /** Starts a new session in the same place, also if the form could not be shown or was removed. */
  async renew(options) {
    const signal = readSignal(options);
    const removals = this.#removals;
    for (let showing; showing !== this.#showing;) {
      showing = this.#showing;
      await showing;
    }
    // A form that was removed in the meantime must not reappear.
    if (removals !== this.#removals) throw removed();
    if (this.#form === undefined) {
      const showing = this.#show(undefined, signal);
      this.#showing = showing.catch(() => {});
      await showing;
      if (this.#form === undefined) throw removed();
      return;
    }
    try {
      await this.#form.renew(options);
    } catch (error) {
      // The caller gets this error; don't report it again as the form's outcome.
      this.#followed = this.#form?.completed;
      throw error;
    }
    this.#follow();
  }

  focus() {
    this.form?.focus();
  }

  /** Removes the form. No events until `renew`. */
  destroy() {
    this.#removals += 1;
    this.#refused = undefined;
    this.#abort?.abort();
    this.#form?.destroy();
    this.#form = undefined;
  }

  #begin() {
    const options = this.#options;
    this.#showing = this.#show(options.sessionId).catch((error) => {
      this.#listeners.error(error);
      if (OPTION_ERRORS.includes(error.code)) {
        this.#refused = options;
        this.#beginAgain();
      }
    });
  }

  #beginAgain() {
    if (this.#refused !== undefined && !isSameLook(this.#refused, this.#options)) {
      this.#refused = undefined;
      this.#begin();
    }
  }

  async #show(sessionId, signal) {
    const abort = new AbortController();
    this.#abort = abort;
    await null;
    if (abort.signal.aborted) return;
    const stop = () => abort.abort();
    signal?.addEventListener("abort", stop);
    if (signal?.aborted) stop();
    const options = this.#options;
    let form;
    try {
      const remit = await this.#remit;
      form = await remit.cardForm(withoutUndefined({ ...options, sessionId }), { signal: abort.signal });
    } catch (error) {
      if (!abort.signal.aborted || signal?.aborted) throw kitError(error);
      return;
    } finally {
      signal?.removeEventListener("abort", stop);
    }
    if (abort.signal.aborted) {
      form.destroy();
      return;
    }
    this.#form = form;
    for (const type of CARD_EVENT_TYPES) {
      form.on(type, (event) => {
        // A form that loaded late, or that other code renewed, has a new `completed`.
        this.#follow();
        this.#listeners.event(event, form);
      });
    }
    this.#follow();
    this.#apply(options);
  }

  #follow() {
    const form = this.#form;
    const completed = form?.completed;
    if (completed === undefined || completed === this.#followed) return;
    this.#followed = completed;
    completed.then(
      (card) => this.#form === form && this.#listeners.completed(card),
      (error) => {
        if (this.#form !== form) return;
        if (error.code === "CardFormDestroyed") this.#form = undefined;
        this.#listeners.error(error);
      },
    );
  }

  #apply(before) {
    const { theme, title, height } = this.#options;
    const { element } = this.#form;
    if (title !== before.title) element.title = title || DEFAULTS.title;
    if (height !== before.height) element.style.setProperty("height", `${height}px`);
    if (contentOf(theme ?? {}) !== contentOf(before.theme ?? {})) {
      try {
        this.#form.update({ theme: theme ?? {} });
      } catch (error) {
        this.#listeners.error(error);
      }
    }
  }
}

function isSameLook(one, other) {
  const [a, b] = [one, other].map(({ theme, title, height }) => contentOf([theme, title, height]));
  return a === b;
}

const removed = () => failure("CardFormDestroyed", "The card form was closed.");

const withoutUndefined = (options) =>
  Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
