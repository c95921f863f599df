// Runs in the page of the fake card form: plays its steps.

const inner = new Map();
const say = (message) => parent.postMessage(message, "*");

/** A frame within this one that says to the page around this one what it is told. */
function innerFrame(origin) {
  if (!inner.has(origin)) {
    const frame = document.createElement("iframe");
    frame.hidden = true;
    frame.src = `${origin}/frame/inner`;
    const loaded = new Promise((resolve) => frame.addEventListener("load", resolve, { once: true }));
    document.body.append(frame);
    inner.set(
      origin,
      loaded.then(() => frame.contentWindow),
    );
  }
  return inner.get(origin);
}

async function verify(card) {
  const reply = await fetch(`${location.pathname}/verify`, { method: "POST", body: JSON.stringify({ card }) });
  if (reply.status !== 204) {
    const { problem } = await reply.json();
    document.querySelector("#problem").textContent = problem;
  }
}

function clicked() {
  const button = document.querySelector("#continue");
  button.hidden = false;
  return new Promise((resolve) => {
    button.addEventListener("click", resolve, { once: true });
  }).then(() => {
    button.hidden = true;
  });
}

async function play(step, otherOrigin, next) {
  if (step.delayMs > 0) {
    await new Promise((resolve) => setTimeout(resolve, step.delayMs));
  }
  if (step.until !== undefined) {
    await clicked();
  } else if (step.move !== undefined) {
    const address = new URL(location.href);
    address.searchParams.set("step", next);
    location.replace(otherOrigin + address.pathname + address.search);
    // Nothing more is said from here.
    await new Promise(() => {});
  } else if (step.from === "form") {
    if (step.verifies) {
      await verify(step.card);
    }
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
    if (event === "CARD_VALIDATION_STOP_SUCCESS") {
      await verify();
    }
    say(event);
  });
}

const { steps, otherOrigin } = await (await fetch(`${location.pathname}/steps`)).json();
const first = Number(new URLSearchParams(location.search).get("step") ?? 0);
for (let at = first; at < steps.length; at += 1) {
  await play(steps[at], otherOrigin, at + 1);
}
