import { invalid } from "../../errors/errors.js";

/** Reads an element's `limits`, and keeps why it cannot: no price is usable until it can. */
export class AmountLimits {
  // The `limits` that could not be read, and why.
  #unreadable;

  /** Returns why the element's limits cannot be read, if so. */
  errorOf({ limits }) {
    return this.#unreadable?.limits === limits ? this.#unreadable?.error : undefined;
  }

  /** Forgets a failure, as what the limits are read from may have changed. */
  reset() {
    this.#unreadable = undefined;
  }

  /** Returns the limits of a method, none if they cannot be read. */
  of(element, method, currency) {
    const { limits } = element;
    try {
      const given = (typeof limits === "function" ? limits(method, currency) : limits) ?? {};
      if (typeof given !== "object" || "then" in given) throw new TypeError("These are no limits.");
      const [min, max] = [given.min ?? undefined, given.max ?? undefined];
      for (const limit of [min, max]) BigInt(limit ?? 0);
      return { min, max };
    } catch (cause) {
      const expected = "{ min, max } in minor units, or a function that returns that";
      const error = this.errorOf(element) ?? invalid("InvalidRequest", "limits", expected, { cause });
      this.#unreadable = { limits, error };
      return {};
    }
  }
}
