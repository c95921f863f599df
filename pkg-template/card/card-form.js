import {
  failure, focusedElement, invalid, isRemitError, leftOf, makePublic, notify, Deferred, readMember, toJson,
} from "./card-imports.js";
import { EventLog } from "./event-log.js";
import { CARD_EVENT_TYPES } from "./part-event-types.js";

export const importNotice = () => import("./load-error-notice.js");

/** The hosted card form on the page. */
export class CardForm {
  #handle;
  #form;
  // The frame, and what removes it after a crash, when the module cannot.
  #element;
  #guard;
  #state;
  #theme;
  // The option `loadError`; undefined for "never".
  #loadError;
  // The notice for a failed load, and the promise of its module.
  #loading;
  #notice;
  // The focused element when the form was requested; undefined if the form must not take the focus.
  #focused;
  #events = new EventLog();
  #outcome = new Deferred();
  #closed;
  #release;

  /** `data` holds the options that are data. */
  static async mount(handle, container, { theme, ...data }, options, callOptions) {
    const element = findContainer(container);
    const given = { ...data, theme: theme === undefined ? theme : toJson(theme, "theme") };
    const begin = (kit, deliver, signal) => kit.cardForm(element, given, deliver, signal);
    return CardForm.over(handle, begin, { ...options, theme }, callOptions);
  }

  /** Creates a form over any kit's form: `begin(kit, deliver, signal)` returns it. */
  static async over(handle, begin, options = {}, callOptions) {
    const { loadError = "auto", autoFocus = false, focused = focusedElement(), theme } = options;
    if (!isLoadError(loadError)) {
      const expected = '"auto", "never", { message, button }, an element or a function';
      throw invalid("InvalidRequest", "loadError", expected);
    }
    if (typeof autoFocus !== "boolean") throw invalid("InvalidRequest", "autoFocus", "true or false");
    const form = new CardForm();
    form.#handle = handle;
    makePublic(form, (error) => handle.explain(error));
    form.#theme = theme;
    form.#focused = autoFocus ? focused : undefined;
    form.#loadError = loadError === "never" ? undefined : loadError;
    const deliver = (type, detail) => form.#deliver(type, detail);
    form.#form = await handle.call((kit, signal) => begin(kit, deliver, signal), callOptions);
    ({ element: form.#element, guard: form.#guard } = form.#form);
    try {
      form.#read();
      form.#release = handle.onEnd((error) => form.#close(error));
    } catch (error) {
      // The kit was destroyed in the meantime.
      form.#remove(error);
      throw error;
    }
    return form;
  }

  get completed() {
    return this.#outcome.promise;
  }

  on(type, listener) {
    if (!CARD_EVENT_TYPES.includes(type)) {
      throw invalid("InvalidRequest", "type", `one of ${CARD_EVENT_TYPES.join(", ")}`);
    }
    if (typeof listener !== "function") throw invalid("InvalidRequest", "listener", "a function");
    return this.#events.listen(type, listener);
  }

  [Symbol.asyncIterator]() {
    return this.#events.iterate();
  }

  secondsLeft() {
    const left = leftOf(this);
    return left === undefined ? undefined : Math.ceil(left / 1000);
  }

  update(options) {
    const json = toJson(readMember(options, "theme", "options"), "theme");
    this.#refuseIfClosed();
    this.#handle.run(() => this.#form.update(json));
    this.#read();
    this.#theme = JSON.parse(json);
    this.#notice?.setBusy(true);
  }

  async renew(options) {
    this.#refuseIfClosed();
    const before = this.#outcome;
    if (before.isSettled) this.#reopen();
    const outcome = this.#outcome;
    this.#notice?.setBusy(true);
    try {
      await this.#handle.call((_, signal) => this.#form.renew(signal), options);
      this.#refuseIfClosed();
      const { sessionId } = this.#state;
      this.#read();
      const { isSettled, value } = this.#outcome;
      if (isSettled && this.sessionId !== sessionId && this.sessionId !== value?.sessionId) {
        // The old session settled it in the meantime.
        this.#reopen();
      }
    } catch (error) {
      this.#notice?.setBusy(false);
      if (outcome !== before) outcome.fail(error);
      throw error;
    }
  }

  focus() {
    (this.#notice?.isShown ? this.#notice : this.element)?.focus();
  }

  destroy() {
    if (this.#closed === undefined) {
      this.#close(this.#handle.translate(failure("CardFormDestroyed", "The card form was closed.")));
    }
  }

  [Symbol.dispose ?? Symbol()]() {
    this.destroy();
  }

  #reopen() {
    this.#outcome = new Deferred();
    this.#events.reopen();
  }

  // Deliver in a microtask, so that listeners cannot re-enter the core.
  #deliver(type, detail) {
    queueMicrotask(() => {
      if (this.#closed !== undefined) return;
      if (this.#outcome.hasFailed && type !== "FAILED") {
        // The form is alive: it loaded late, or the customer tries again.
        this.#outcome = new Deferred();
      }
      if (type === "COMPLETED") {
        this.#outcome.succeed(detail);
        this.#events.end();
      } else if (type === "FAILED") {
        this.#fail(
          isRemitError(detail)
            ? this.#handle.translate(detail)
            : failure("Internal", "The card form failed.", { cause: detail }),
        );
      } else {
        this.#showState(type, detail);
        this.#events.append(Object.freeze({ ...detail, type }));
      }
    });
  }

  // While the notice offers another try, the outcome stays open.
  #fail(error) {
    if (error.code === "CardFormLoadFailed" && this.#loading !== undefined) {
      this.#loading.catch(() => this.#outcome.fail(error));
    } else {
      this.#outcome.fail(error);
    }
  }

  // Only once the form has loaded or failed, as it must not wait for this.
  #loadNotice() {
    if (this.#loading !== undefined || this.#loadError === undefined) return;
    this.#loading = importNotice().then(({ LoadErrorNotice }) => {
      const { locale } = this.#handle;
      const message = this.#handle.ownMessage("CardFormLoadFailed");
      const renew = () => this.#retry();
      this.#notice = new LoadErrorNotice(this, { content: this.#loadError, locale, message, renew, notify });
    });
    this.#loading.catch(() => {});
  }

  // Keeps the order of the events while the notice loads.
  async #showState(type, detail) {
    if (type === "READY" || type === "LOAD_FAILED") this.#loadNotice();
    await this.#loading?.catch(() => {});
    if (this.#closed !== undefined) return;
    if (type === "LOAD_FAILED") {
      this.#notice?.show(detail, this.#theme ?? {});
      return;
    }
    this.#notice?.hide();
    if (type === "READY" && this.#focused !== undefined) {
      const focused = focusedElement();
      if (focused === this.#focused || focused === document.body) this.focus();
      this.#focused = undefined;
    }
  }

  async #retry() {
    try {
      await this.renew();
    } catch (error) {
      if (!error.retryable) this.#outcome.fail(error);
      throw error;
    }
  }

  // A copy, which stays readable after the core is gone.
  #read() {
    this.#state = this.#handle.run(() => {
      const { sessionId, url, expirationDate } = this.#form.state();
      return { sessionId, url, expirationDate, element: this.#element };
    });
    const left = leftOf(this);
    this.#state.expiresAt = left === undefined ? undefined : Math.round(Date.now() + left);
  }

  #close(error) {
    this.#closed = error;
    this.#release?.();
    this.#outcome.fail(error);
    this.#events.close();
    this.#remove(error);
    this.#notice?.hide();
  }

  // Also after a crash: a frame without listeners must not accept a card.
  #remove(error) {
    if (error.code === "Internal") this.#guard.abandon();
    else this.#form.destroy();
  }

  #refuseIfClosed() {
    if (this.#closed !== undefined) throw this.#closed;
  }

  static #exposed = ["sessionId", "url", "expirationDate", "expiresAt", "element"].forEach((name) =>
    Object.defineProperty(this.prototype, name, {
      __proto__: null,
      get() {
        return this.#state[name];
      },
      configurable: true,
    }),
  );
}

const isLoadError = (value) =>
  ["auto", "never"].includes(value) ||
  typeof value === "function" ||
  value?.nodeType === 1 ||
  (typeof value === "object" &&
    value !== null &&
    Object.entries(value).every(([name, text]) => ["message", "button"].includes(name) && isText(text)));

const isText = (text) => text === undefined || (typeof text === "string" && text.trim() !== "");

function findContainer(container) {
  let cause;
  try {
    const element = typeof container === "string" ? document.querySelector(container) : container;
    // Throws unless it is an element, of any realm.
    Element.prototype.hasAttribute.call(element, "id");
    return element;
  } catch (error) {
    cause = error;
  }
  const expected = "an element of the page, or a selector that finds one";
  throw invalid("InvalidRequest", "container", expected, { cause });
}
