export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A turn of the event loop, sooner than a timer gives one. */
export function turn() {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(0);
  });
}

/** No time at all, a turn, or some milliseconds. */
export async function anyPause(chance) {
  const kind = chance.between(0, 9);
  if (kind >= 7) await sleep(chance.between(0, 6));
  else if (kind >= 4) await turn();
}

/** As the promise, but not for ever. */
export function inTime(promise, ms, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`in vain it was waited until ${what}`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
