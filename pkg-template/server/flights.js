/** Of all who want the same at the same time one does the work. */
export class Flights {
  #underWay = new Map();

  join(key, work) {
    // Cloudflare cancels a request whose customer has left, with all that it has begun: that never settles,
    // and who waits for it waits for ever.
    if (globalThis.navigator?.userAgent === "Cloudflare-Workers") {
      return work();
    }
    let flight = this.#underWay.get(key);
    if (flight === undefined) {
      flight = work().finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, flight);
    }
    return flight;
  }
}
