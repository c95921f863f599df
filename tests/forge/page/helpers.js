import { addFrame, reach } from "./tell.js";

/** What stands beside the form all the time: other windows, and those who can post but have no window. */
export class Helpers {
  /** `popup` and `opener` are windows of the card form's origin. */
  static async open({ origins, sandbox }, popup) {
    const helpers = new Helpers();
    const place = document.querySelector("#others");
    const script = await (await fetch("./say.js")).text();
    const card = `${origins.card}/other`;
    Object.assign(helpers, {
      script,
      popup,
      opener: window.opener,
      otherFrames: {
        [origins.card]: await addFrame(place, { src: card }, origins.card),
        [new URL(sandbox.cardUrl).origin]: await addLoaded(place, `${sandbox.cardUrl}/test/say`),
      },
      sandboxedFrame: await addFrame(place, { src: card, sandbox: "allow-scripts" }, "null"),
      ownFrame: await addFrame(place, { srcdoc: `<body><script>${script}</script>` }, location.origin),
      worker: new Worker("./worker.js"),
      channel: [new BroadcastChannel("forge"), new BroadcastChannel("forge")],
    });
    await reach(popup, origins.card);
    await reach(window.opener, origins.card);
    return helpers;
  }
}

async function addLoaded(place, src) {
  const frame = Object.assign(document.createElement("iframe"), { src });
  const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
  place.append(frame);
  await loaded;
  return frame;
}
