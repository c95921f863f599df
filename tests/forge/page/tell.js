// Commands to windows that run say.js.

import { sleep } from "./pause.js";

const REACH_MS = 10_000;

export function tell(window, command) {
  const { port1, port2 } = new MessageChannel();
  window.postMessage(command, "*", [port2]);
  return port1;
}

/** Waits until the window shows a page of the origin that listens. */
export async function reach(window, origin) {
  for (const end = performance.now() + REACH_MS; performance.now() < end; await sleep(5)) {
    let port;
    const answer = new Promise((resolve) => {
      port = tell(window, { who: true });
      port.onmessage = ({ data }) => resolve(data);
    });
    // A page that is still to come answers nothing.
    const found = await Promise.race([answer, sleep(100)]);
    port.close();
    if (found === origin) return;
  }
  throw new Error(`no window of the origin ${origin} answered`);
}

/** A frame in a part of the page, once it has loaded. */
export async function addFrame(parent, attributes, origin) {
  const frame = document.createElement("iframe");
  for (const [name, value] of Object.entries(attributes)) frame.setAttribute(name, value);
  parent.append(frame);
  await reach(frame.contentWindow, origin);
  return frame;
}
