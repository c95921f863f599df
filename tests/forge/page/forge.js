// The page under test: card form after card form, until enough forged messages are sent. One message is on
// its way at a time, or a few from the form itself, whose order is certain; so it is known which one was
// accepted.

import { Chance } from "./chance.mjs";
import { Form } from "./form.js";
import { FORGERS } from "./forgers.js";
import { ALL, ENDS, FAIL, GENUINE_SHARE, START, SUCCESS, WRONG } from "./messages.js";
import { forgedData, legalAfter } from "./messages.js";
import { delivered, inTime, openHelpers, turn } from "./windows.js";

const ROUND_MS = 60_000;
const COMPLETED_MS = 10_000;
/** How much of the wrong data each form is made to say. */
const WRONG_EACH = 10;
/** How long the page is blocked, so that messages queue up. */
const BUSY_MS = 5;

/** The forged messages sent, those accepted, by kind, and the genuine ones that arrived in order. */
const forged = {};
const accepted = {};
const genuine = { said: 0, arrived: 0 };
const troubles = [];
const { seed, weakness, origins } = await (await fetch("/config")).json();
let popup;
let isDone = false;

document.querySelector("#popup").onclick = () => {
  popup = open(`${origins.card}/popup`, "_blank", "popup,width=240,height=160");
};

const sum = (counts) => Object.values(counts).reduce((total, value) => total + value, 0);

/** Returns the list's next item, in turn. */
function next(list) {
  const item = list.shift();
  list.push(item);
  return item;
}

function count(counts, kind, number = 1) {
  if (number > 0) counts[kind] = (counts[kind] ?? 0) + number;
}

async function run({ engine, count: wanted }) {
  const chance = new Chance(seed, engine);
  const helpers = await openHelpers(origins, popup);
  const lists = { places: placesFor(helpers.script), ends: [...ENDS], wrong: [...WRONG] };
  const world = { chance, helpers, origins, ...lists };
  while (sum(forged) < wanted || genuine.said < GENUINE_SHARE * wanted) {
    const round = new Round(world);
    await round.play();
    world.former = round.form;
  }
}

/** Returns where the form's window can be navigated to, and the kind of messages from there. */
function placesFor(script) {
  const body = encodeURIComponent(`<body><script>${script}</script>`);
  const at = (kind) => ({ kind, url: `${origins[kind]}/elsewhere`, origin: origins[kind] });
  return [
    at("longerPort"),
    at("longerHost"),
    { kind: "ownPage", url: `${location.origin}/said.html`, origin: location.origin },
    { kind: "opaqueOrigin", url: `data:text/html,${body}`, origin: "null" },
  ];
}

/** One card form from mount to after destroy, beside another one, with forged messages all along. */
class Round {
  #container = document.createElement("div");
  form;
  sibling;

  constructor(world) {
    Object.assign(this, { world, chance: world.chance });
  }

  async play() {
    document.querySelector("#forms").append(this.#container);
    try {
      await inTime(this.#act(), ROUND_MS, "a round is over");
    } catch (error) {
      troubles.push(String(error.stack ?? error));
    } finally {
      this.world.former?.iframe?.remove();
      await Promise.all([this.form?.end(), this.sibling?.end()]).catch(() => {});
      this.#container.remove();
    }
  }

  async #act() {
    const { chance, world } = this;
    this.form = await Form.mount(origins.card, this.#container);
    await this.#beforeLoad();
    this.sibling = await Form.mount(origins.card, this.#container);
    await Promise.all([this.form.ready(), this.sibling.ready()]);
    if (chance.happens(50)) await this.#oldWindow();
    await this.#speak([], Array.from({ length: WRONG_EACH }, () => next(world.wrong)));

    // An SDK that reads events dispatched by a script is trapped, and accepts nothing any more.
    const kinds = Object.keys(FORGERS).filter((kind) => kind !== "trap" || weakness !== "isTrusted");
    const failures = Array.from({ length: chance.between(8, 20) }, () => [START, FAIL]);
    const words = [...failures.flat(), ...next(world.ends)];
    let place = next(world.places);
    while (kinds.length > 0 || words.length > 0) {
      for (let left = chance.between(1, 6); left > 0 && kinds.length > 0; left -= 1) {
        const [kind] = kinds.splice(chance.between(0, kinds.length - 1), 1);
        await this.#forge(kind);
      }
      // Once, and not during a verification: a form that was left then may start again.
      if (place !== undefined && ["", FAIL].includes(this.form.last)) {
        await this.#goAway(place);
        place = undefined;
      }
      await this.#speak(words.splice(0, chance.between(1, 3)));
    }
    await this.#speak([], this.#illegal());
    await this.#complete();
    await this.#afterDestroy();
  }

  /** Lets another sender say what the form could say. */
  async #forge(kind, as = kind) {
    const { chance, form, sibling, world } = this;
    if ((kind === "replacedFrame" && !world.former) || (kind === "replayed" && !form.genuineEvent)) return;
    const data = forgedData(chance, form.last);
    count(forged, as);
    await delivered(1, as, () => FORGERS[kind]({ ...world, form, sibling }, data));
    this.#judge(as);
  }

  /** Counts what the SDK has delivered beyond the genuine messages. */
  #judge(kind, words = []) {
    const events = this.form.take();
    const isInOrder = words.every((word, index) => events[index] === word);
    genuine.said += words.length;
    if (isInOrder) genuine.arrived += words.length;
    count(accepted, kind, events.length - words.length);
  }

  /** Posts from the frame's first, empty document, which has the page's origin and the right window. */
  async #beforeLoad() {
    const { form } = this;
    if (!form.iframe.contentDocument) return;
    const data = JSON.stringify(forgedData(this.chance, form.last));
    count(forged, "beforeLoad");
    await delivered(1, "beforeLoad", () => form.window.eval(`parent.postMessage(${data}, "*")`));
    this.#judge("beforeLoad");
  }

  /** Gives the form a new window while messages of the old one are on their way. */
  async #oldWindow() {
    this.#sayAndForget("oldWindow");
    block();
    this.form.replaceWindow();
    await this.form.ready();
    this.#judge("oldWindow");
  }

  /** Makes the form's page say something that may arrive or not. */
  #sayAndForget(kind) {
    const { chance, form } = this;
    for (let left = chance.between(1, 3); left > 0; left -= 1) {
      count(forged, kind);
      form.say(forgedData(chance, form.last));
    }
  }

  /** Makes the form say its words at once, and between them what a form never says. */
  async #speak(words, said = []) {
    const { chance, form } = this;
    const misspeak = () => {
      if (chance.happens(30)) said.push(chance.pick(this.#illegal()));
    };
    for (const word of words) {
      misspeak();
      said.push(word);
      form.last = word;
    }
    misspeak();
    count(forged, "misspoken", said.length - words.length);
    await delivered(said.length, "misspoken", () => said.forEach((data) => form.say(data)));
    this.#judge("misspoken", words);
  }

  #illegal() {
    return ALL.filter((data) => !legalAfter(this.form.last).includes(data));
  }

  /** Shows a page of another origin in the form's own window. */
  async #goAway({ kind, url, origin }) {
    const { chance, form } = this;
    await form.navigate(url, origin);
    for (let left = chance.between(1, 2); left > 0; left -= 1) {
      count(forged, kind);
      await delivered(1, kind, () => form.say(forgedData(chance, form.last)));
      this.#judge(kind);
    }
    await form.navigate(form.card.url, origins.card);
  }

  /** Checks that the form has completed with its own card after a success, and otherwise not. */
  async #complete() {
    const { form, sibling } = this;
    const heard = sibling.take();
    if (heard.join() !== sibling.said.join()) troubles.push(`a sibling said ${sibling.said}, heard ${heard}`);
    if (form.last === SUCCESS) {
      const { cardId, sessionId } = await inTime(form.card.completed, COMPLETED_MS, "the form is completed");
      if (sessionId !== form.card.sessionId || cardId !== `card-${sessionId}`) troubles.push("another card");
    } else if (form.isCompleted) {
      count(accepted, "completed");
    }
  }

  async #afterDestroy() {
    const { chance, form } = this;
    this.#sayAndForget("afterDestroy");
    if (chance.happens(50)) block();
    form.card.destroy();
    for (const kind of ["page", "otherFrame", "popup", "replayed"]) await this.#forge(kind, "afterDestroy");
    await turn();
    this.#judge("afterDestroy");
  }
}

function block() {
  const end = performance.now() + BUSY_MS;
  while (performance.now() < end);
}

globalThis.remitkitWeakness = weakness;
globalThis.forge = {
  start(options) {
    run(options)
      .catch((error) => troubles.push(String(error.stack ?? error)))
      .finally(() => (isDone = true));
  },
  report: () => ({ isDone, forged, accepted, genuine, troubles }),
};
