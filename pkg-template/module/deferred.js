/** A promise that settles once. It may stay unhandled. */
export class Deferred {
  isSettled = false;
  hasFailed = false;
  value;
  #resolve;
  #reject;
  promise = new Promise((resolve, reject) => {
    this.#resolve = resolve;
    this.#reject = reject;
  });

  constructor() {
    this.promise.catch(() => {});
  }

  succeed(value) {
    if (!this.isSettled) {
      this.isSettled = true;
      this.value = value;
      this.#resolve(value);
    }
  }

  fail(error) {
    if (!this.isSettled) {
      this.isSettled = true;
      this.hasFailed = true;
      this.#reject(error);
    }
  }
}
