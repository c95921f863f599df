/** Single-flight: concurrent calls with the same key share one run of the work. */
export class Flights {
  #underWay = new Map();

  join(key, work) {
    // Not on Cloudflare: when a customer leaves, it cancels all that their request started, so that this
    // would never settle for the others.
    if (isCloudflareWorker()) return work();
    let flight = this.#underWay.get(key);
    if (flight === undefined) {
      flight = work().finally(() => this.#underWay.delete(key));
      this.#underWay.set(key, flight);
    }
    return flight;
  }
}

export function isCloudflareWorker() {
  return globalThis.navigator?.userAgent === "Cloudflare-Workers";
}
