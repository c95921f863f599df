import { readAnswer } from "./card-imports.js";

/** A card form of the module. */
export class CardFormHandle {
  #core;
  #form;
  #guard;

  /** Each event goes to `deliver` as `(type, detail)`. */
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

  /** `isCrashed` says that there is no module any more that could take the frame out. */
  destroy(isCrashed) {
    if (isCrashed) {
      this.#guard.abandon();
    } else {
      this.#form.destroy();
      // The page may destroy it from within `update`, as the frame moves.
      queueMicrotask(() => this.#form.free());
    }
  }
}
