import { createRemitKit } from "remitkit";
import { forgedData, turningInto, wrongData } from "./data.js";
import { FORGERS } from "./forgers.js";
import { anyPause, inTime, sleep, turn } from "./pause.js";
import { dialogue } from "./script.js";
import { Subject } from "./subject.js";

const ROUND_MS = 60_000;
/** How long the page is kept busy, so that messages wait for it. */
const BUSY_MS = 5;

/** One card form from its mounting to after its end, with forged messages all along. */
export class Round {
  #arrivals = [];
  #kits = [];
  container = document.createElement("div");
  subject;
  sibling;

  /** @param former the subject of the round before, destroyed */
  constructor(world, former) {
    this.world = world;
    this.chance = world.chance;
    this.former = former;
  }

  async play() {
    document.querySelector("#forms").append(this.container);
    try {
      await inTime(this.act(), ROUND_MS, "a round was over");
    } catch (error) {
      this.world.tally.trouble(String(error.stack ?? error));
      this.subject?.countForged(this.world.tally);
    } finally {
      this.former?.iframe?.remove();
      await Promise.all(this.#kits.map((kit) => kit.destroy())).catch(() => {});
      this.container.remove();
    }
  }

  async act() {
    const { chance, world } = this;
    const { tally } = world;
    const length = tally.takeGenuine(chance.between(6, 14));
    // With the form's own invalid messages, and those after its end, two and a half for each genuine message.
    let forged = length === 0 ? 30 : Math.round(length * 1.3 * (0.7 + 0.6 * chance.fraction()));
    this.subject = await this.#mount();
    forged -= this.#beforeLoad(chance.between(0, 2));
    if (chance.happens(60)) this.sibling = await this.#mount();
    await Promise.all([this.subject.ready(), this.sibling?.ready()]);
    if (chance.happens(30)) forged -= await this.#oldWindow();

    const parts = dialogue(length, chance);
    const away = chance.happens(80) ? chance.between(1, 5) : 0;
    for (const [index, part] of (parts.length > 0 ? parts : [[], []]).entries()) {
      const some = Math.max(1, Math.round((forged - away) / 2));
      await Promise.all([this.#speak(part), this.forge(some)]);
      await this.#arrived();
      if (index === 0 && away > 0) await this.#goAway(away);
    }
    await this.judge();
  }

  /** Looks at what came of it, and ends it. */
  async judge() {
    const { tally } = this.world;
    await this.#arrived();
    // What was delivered has been by now.
    await turn();
    await sleep(0);
    tally.genuine.arrived += await this.subject.judge(tally);
    await this.#judgeSibling();
    await this.#afterDestroy(this.chance.between(1, 3));
  }

  /** An SDK that is gone when the round is over. */
  keep(kit) {
    this.#kits.push(kit);
    return kit;
  }

  async #mount() {
    const cardOrigin = this.world.config.origins.card;
    const options = { baseUrl: location.origin, cardUrl: cardOrigin, token: "a-token", journal: "memory" };
    const kit = this.keep(await createRemitKit(options));
    return Subject.mount(this.world, kit, { cardOrigin, container: this.container });
  }

  /** The frame's first document is an empty one of the page's own: it has the right window. */
  #beforeLoad(count) {
    const { subject, world } = this;
    let thrown = 0;
    while (thrown < count && subject.iframe.contentDocument && world.tally.takeForged("beforeLoad")) {
      const data = forgedData(this.chance, subject.script);
      this.#arrivals.push(world.witness.expectOfNobody({ kind: "beforeLoad", data }));
      subject.window.eval(`parent.postMessage(${JSON.stringify(data)}, "*")`);
      thrown += 1;
    }
    return thrown;
  }

  /** The form gets a new window while messages of the old one are on their way. */
  async #oldWindow() {
    const { subject } = this;
    const count = this.#sayAndForget("oldWindow", this.chance.between(1, 3));
    busy();
    subject.replaceWindow();
    await subject.ready();
    return count;
  }

  /** Tells the form's page to say something, and waits for nothing. */
  #sayAndForget(kind, count) {
    const { subject, world } = this;
    let said = 0;
    for (; said < count && world.tally.takeForged(kind); said += 1) subject.sayPerhaps(forgedData(this.chance, subject.script), { kind });
    return said;
  }

  /** The form says its part, and among it what a form does not say. */
  async #speak(part) {
    for (const data of part) {
      this.#misspeak();
      this.#arrivals.push(this.subject.sayGenuine(data));
      await anyPause(this.chance);
    }
    this.#misspeak();
  }

  #misspeak() {
    const { chance, subject, world } = this;
    const { script } = subject;
    if (chance.happens(25) && world.tally.takeForged("wrongData")) {
      this.#arrivals.push(subject.say(wrongData(chance), { kind: "wrongData" }));
    }
    const kind = script.isOver ? "afterCompletion" : "illegalOrder";
    for (let count = script.isOver ? chance.between(1, 4) : chance.between(0, 1); count > 0 && world.tally.takeForged(kind); count -= 1) {
      this.#arrivals.push(subject.say(chance.pick(script.illegal), { kind }));
    }
  }

  /** Others say what the form could say. */
  async forge(count) {
    for (let thrown = 0; thrown < count && this.world.tally.hasForged; thrown += 1) {
      await this.#throwOne(this.world.deck.deal());
      await anyPause(this.chance);
    }
  }

  /** Throws a message of a kind, if that can be done here. */
  async #throwOne(kind, as = kind) {
    const { chance, subject, world } = this;
    if (!world.tally.takeForged(as)) return;
    const text = forgedData(chance, subject.script);
    const isObject = kind === "synthetic" && chance.happens(30);
    // An async forger's promise is that of the arrival: only what it does before is waited for.
    const message = { kind: as, data: isObject ? turningInto(text) : text };
    const arrival = FORGERS[kind](this, message);
    if (arrival === undefined) world.tally.giveBack(as);
    else this.#arrivals.push(arrival);
  }

  /** Pages of other origins in the form's own window. */
  async #goAway(count) {
    const { chance, subject, world } = this;
    const { kind, url, origin } = world.elsewhere.deal();
    if (!world.tally.hasForged) return;
    await subject.navigate(url, origin);
    for (let said = 0; said < count && world.tally.takeForged(kind); said += 1) {
      const data = forgedData(chance, subject.script);
      this.#arrivals.push(subject.say(data, { kind }, origin));
      await anyPause(chance);
    }
    await this.#arrived();
    await subject.navigate(subject.form.url, subject.cardOrigin);
  }

  async #judgeSibling() {
    const { sibling } = this;
    if (!sibling) return;
    const arrived = await sibling.judge(this.world.tally);
    if (arrived !== sibling.said.length) {
      this.world.tally.trouble(`of ${sibling.said.length} messages of a sibling ${arrived} arrived`);
    }
  }

  async #afterDestroy(count) {
    const { chance, subject, world } = this;
    this.#sayAndForget("afterDestroy", chance.between(0, 2));
    if (chance.happens(50)) busy();
    subject.form.destroy();
    for (let thrown = 0; thrown < count; thrown += 1) {
      await this.#throwOne(chance.pick(["page", "otherFrame", "popup", "replayed"]), "afterDestroy");
    }
    await this.#arrived();
    await turn();
    subject.countForged(world.tally);
  }

  async #arrived() {
    await Promise.all(this.#arrivals.splice(0));
  }
}

function busy() {
  const end = performance.now() + BUSY_MS;
  while (performance.now() < end);
}
