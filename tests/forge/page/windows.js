// Windows that run say.js, and pauses.

const REACH_MS = 10_000;
const ARRIVAL_MS = 10_000;

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits one turn of the event loop, less than a timer takes. */
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

/** Resolves as the promise does, or rejects after `ms`. */
export function inTime(promise, ms, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`timed out: ${what}`)), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

let arrived = 0;
let onArrival = () => {};
const countArrival = () => {
  arrived += 1;
  onArrival();
};
addEventListener("message", countArrival, { capture: true });

/** Sends messages to the page, and waits until so many have arrived and every listener has got them. */
export async function delivered(count, kind, send) {
  const end = arrived + count;
  const all = new Promise((resolve) => {
    onArrival = () => arrived >= end && resolve();
  });
  onArrival();
  await send();
  await inTime(all, ARRIVAL_MS, `a message arrives: ${kind}`);
  await turn();
}

/** Sends a command to a window; returns the port for its answer. */
export function tell(window, command) {
  const { port1, port2 } = new MessageChannel();
  window.postMessage(command, "*", [port2]);
  return port1;
}

/** Waits until the window shows a listening page of the origin. */
export async function reach(window, origin) {
  for (const end = performance.now() + REACH_MS; performance.now() < end; await sleep(5)) {
    let port;
    const answer = new Promise((resolve) => {
      port = tell(window, { who: true });
      port.onmessage = ({ data }) => resolve(data);
    });
    // A page that has not loaded yet does not answer.
    const found = await Promise.race([answer, sleep(100)]);
    port.close();
    if (found === origin) return;
  }
  throw new Error(`no window of the origin ${origin} answered`);
}

/** Opens what exists beside the form all the time: other windows, and senders without a window. */
export async function openHelpers({ card }, popup) {
  const addFrame = async (attributes, origin) => {
    const frame = document.createElement("iframe");
    for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
    document.querySelector("#others").append(frame);
    await reach(frame.contentWindow, origin);
    return frame.contentWindow;
  };
  const script = await (await fetch("./say.js")).text();
  const src = `${card}/other`;
  await Promise.all([reach(popup, card), reach(window.opener, card)]);
  return {
    script,
    popup,
    opener: window.opener,
    otherFrame: await addFrame({ src }, card),
    sandboxedFrame: await addFrame({ src, sandbox: "allow-scripts" }, "null"),
    ownFrame: await addFrame({ srcdoc: `<body><script>${script}</script>` }, location.origin),
    worker: new Worker("./worker.js"),
    channel: [new BroadcastChannel("forge"), new BroadcastChannel("forge")],
  };
}
