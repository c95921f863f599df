import { createRemitKit } from "remitkit";
import { FORGERS } from "./forgers.js";
import { dialogue, forgedData, turningInto, wrongData } from "./messages.js";
import { Subject } from "./subject.js";
import { anyPause, inTime, sleep, turn } from "./windows.js";

const ROUND_MS = 60_000;
/** How long the page is blocked, so that messages queue up. */
const BUSY_MS = 5;

/** One card form from mount to after destroy, with forged messages all along. */
export class Round {
  #arrivals = [];
  #kits = [];
  #container = document.createElement("div");
  subject;
  sibling;

  /** @param former the destroyed subject of the previous round */
  constructor(world, former) {
    Object.assign(this, { world, chance: world.chance, former });
  }

  async play() {
    document.querySelector("#forms").append(this.#container);
    try {
      await inTime(this.#act(), ROUND_MS, "a round is over");
    } catch (error) {
      this.world.tally.trouble(String(error.stack ?? error));
      this.subject?.countForged(this.world.tally);
    } finally {
      this.former?.iframe?.remove();
      await Promise.all(this.#kits.map((kit) => kit.destroy())).catch(() => {});
      this.#container.remove();
    }
  }

  async #act() {
    const { chance, world } = this;
    const length = world.tally.takeGenuine(chance.between(6, 14));
    // With the form's own invalid messages, and those after its end, two and a half for each genuine message.
    let forged = length === 0 ? 30 : Math.round(length * 1.3 * (0.7 + 0.6 * chance.fraction()));
    this.subject = await this.#mount();
    forged -= this.#beforeLoad(chance.between(0, 2));
    if (chance.happens(60)) this.sibling = await this.#mount();
    await Promise.all([this.subject.ready(), this.sibling?.ready()]);
    if (chance.happens(30)) forged -= await this.#oldWindow();

    const away = chance.happens(80) ? chance.between(1, 5) : 0;
    for (const [index, part] of dialogue(length, chance).entries()) {
      await Promise.all([this.#speak(part), this.#forge(Math.max(1, Math.round((forged - away) / 2)))]);
      await this.#arrived();
      if (index === 0 && away > 0) await this.#goAway(away);
    }
    await this.#judge();
    await this.#afterDestroy(chance.between(1, 3));
  }

  async #mount() {
    const cardOrigin = this.world.origins.card;
    const options = { baseUrl: location.origin, cardUrl: cardOrigin, token: "a-token", journal: "memory" };
    const kit = await createRemitKit(options);
    this.#kits.push(kit);
    return Subject.mount(this.world, kit, { cardOrigin, container: this.#container });
  }

  /** Posts from the frame's first, empty document, which has the page's origin and the right window. */
  #beforeLoad(count) {
    const { subject, world } = this;
    let sent = 0;
    while (sent < count && subject.iframe.contentDocument && world.tally.takeForged("beforeLoad")) {
      const data = forgedData(this.chance, subject.script);
      this.#arrivals.push(world.witness.expectOrphan({ kind: "beforeLoad", data }));
      subject.window.eval(`parent.postMessage(${JSON.stringify(data)}, "*")`);
      sent += 1;
    }
    return sent;
  }

  /** Gives the form a new window while messages of the old one are in flight. */
  async #oldWindow() {
    const count = this.#sayAndForget("oldWindow", this.chance.between(1, 3));
    block();
    this.subject.replaceWindow();
    await this.subject.ready();
    return count;
  }

  /** Makes the form's page say something, and waits for nothing. */
  #sayAndForget(kind, count) {
    const { subject, world } = this;
    let sent = 0;
    for (; sent < count && world.tally.takeForged(kind); sent += 1) {
      subject.sayPerhaps(forgedData(this.chance, subject.script), { kind });
    }
    return sent;
  }

  /** Makes the form say its part, and between that what a form never says. */
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
    const count = script.isOver ? chance.between(1, 4) : chance.between(0, 1);
    for (let sent = 0; sent < count && world.tally.takeForged(kind); sent += 1) {
      this.#arrivals.push(subject.say(chance.pick(script.illegal), { kind }));
    }
  }

  /** Lets others say what the form could say. */
  async #forge(count) {
    for (let sent = 0; sent < count && this.world.tally.hasForged; sent += 1) {
      this.#send(this.world.deck.deal());
      await anyPause(this.chance);
    }
  }

  #send(kind, as = kind) {
    const { chance, subject, world } = this;
    if (!world.tally.takeForged(as)) return;
    const text = forgedData(chance, subject.script);
    const isObject = kind === "synthetic" && chance.happens(30);
    const needsFormer = kind === "replacedFrame" && !this.former;
    const message = { kind: as, data: isObject ? turningInto(text) : text };
    const arrival = needsFormer ? undefined : FORGERS[kind](this, message);
    if (arrival === undefined) world.tally.giveBack(as);
    else this.#arrivals.push(arrival);
  }

  /** Shows pages of other origins in the form's own window. */
  async #goAway(count) {
    const { chance, subject, world } = this;
    const { kind, url, origin } = world.elsewhere.deal();
    if (!world.tally.hasForged) return;
    await subject.navigate(url, origin);
    for (let sent = 0; sent < count && world.tally.takeForged(kind); sent += 1) {
      this.#arrivals.push(subject.say(forgedData(chance, subject.script), { kind }, origin));
      await anyPause(chance);
    }
    await this.#arrived();
    await subject.navigate(subject.form.url, subject.cardOrigin);
  }

  async #judge() {
    const { sibling, subject, world: { tally } } = this;
    await this.#arrived();
    // All messages have been delivered after this.
    await turn();
    await sleep(0);
    tally.genuine.arrived += await subject.judge(tally);
    if (!sibling) return;
    const arrived = await sibling.judge(tally);
    const count = sibling.said.length;
    if (arrived !== count) tally.trouble(`${arrived} of ${count} messages of a sibling arrived`);
  }

  async #afterDestroy(count) {
    const { chance, subject } = this;
    this.#sayAndForget("afterDestroy", chance.between(0, 2));
    if (chance.happens(50)) block();
    subject.form.destroy();
    for (let sent = 0; sent < count; sent += 1) {
      this.#send(chance.pick(["page", "otherFrame", "popup", "replayed"]), "afterDestroy");
    }
    await this.#arrived();
    await turn();
    subject.countForged(this.world.tally);
  }

  async #arrived() {
    await Promise.all(this.#arrivals.splice(0));
  }
}

function block() {
  const end = performance.now() + BUSY_MS;
  while (performance.now() < end);
}
