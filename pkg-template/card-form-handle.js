import { readAnswer } from "./card-imports.js";

/** A card form of the core. */
export class CardFormHandle {
  #core;
  #form;
  #guard;

  /** Creates a form, and calls `deliver(type, detail)` for each event. */
  static async open(core, container, options, deliver, signal) {
    const hear = (type, answer) => {
      let detail;
      try {
        detail = readAnswer(answer);
      } catch (error) {
        detail = error;
      }
      deliver(type, detail);
    };
    const handle = new CardFormHandle();
    handle.#core = core;
    handle.#form = await core.openCard(container, options, { hear }, signal);
    handle.element = handle.#form.element;
    handle.#guard = handle.#form.guard;
    return handle;
  }

  state() {
    return { ...readAnswer(this.#form.state()), element: this.element };
  }

  update(theme) {
    readAnswer(this.#form.update(theme));
  }

  renew(signal) {
    return this.#core.renewCard(this.#form, signal);
  }

  /** Removes the form. After a crash the core cannot, and its guard does. */
  destroy(hasCrashed) {
    if (hasCrashed) {
      this.#guard.abandon();
    } else {
      this.#form.destroy();
      // Not now: the page may call this during `update`, as the frame moves.
      queueMicrotask(() => this.#form.free());
    }
  }
}
