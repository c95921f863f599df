// Runs in the page of the fake card form: plays its steps.

const innerFrames = new Map();
const say = (message) => parent.postMessage(message, "*");

/** Returns a frame inside this one that passes messages to the page around this one. */
function innerFrame(origin) {
  if (!innerFrames.has(origin)) {
    const frame = document.createElement("iframe");
    frame.hidden = true;
    frame.src = `${origin}/frame/inner`;
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
    document.body.append(frame);
    innerFrames.set(
      origin,
      loaded.then(() => frame.contentWindow),
    );
  }
  return innerFrames.get(origin);
}

async function verify(card) {
  const body = JSON.stringify({ card });
  const reply = await fetch(`${location.pathname}/verify`, { method: "POST", body });
  if (reply.status !== 204) {
    const { problem } = await reply.json();
    document.querySelector("#problem").textContent = problem;
  }
}

async function continued() {
  const button = document.querySelector("#continue");
  button.hidden = false;
  await new Promise((resolve) => button.addEventListener("click", resolve, { once: true }));
  button.hidden = true;
}

async function play(step, otherOrigin, next) {
  if (step.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, step.delayMs));
  if (step.until !== undefined) {
    await continued();
  } else if (step.move !== undefined) {
    const address = new URL(location.href);
    address.searchParams.set("step", next);
    location.replace(otherOrigin + address.pathname + address.search);
    // The other origin plays the rest.
    await new Promise(() => {});
  } else if (step.from === "form") {
    if (step.verifies) await verify(step.card);
    say(step.message);
  } else {
    const origin = step.from === "other-origin" ? otherOrigin : location.origin;
    const speaker = await innerFrame(origin);
    speaker.postMessage(step.message, origin);
  }
}

for (const button of document.querySelectorAll("[data-event]")) {
  const { event } = button.dataset;
  button.addEventListener("click", async () => {
    if (event === "CARD_VALIDATION_STOP_SUCCESS") await verify();
    say(event);
  });
}

const { steps, otherOrigin } = await (await fetch(`${location.pathname}/steps`)).json();
const first = Number(new URLSearchParams(location.search).get("step") ?? 0);
for (let at = first; at < steps.length; at += 1) await play(steps[at], otherOrigin, at + 1);
