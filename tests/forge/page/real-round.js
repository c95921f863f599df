import { createRemitKit } from "remitkit";
import { sleep } from "./pause.js";
import { FAIL, START, SUCCESS } from "./script.js";
import { Subject } from "./subject.js";
import { Round } from "./round.js";

/** What the form says to a card that is refused, and then to one that is taken. */
const PARTS = [
  { card: "refused", says: [START, FAIL] },
  { card: "good", says: [START, SUCCESS] },
];
export const GENUINE = PARTS.flatMap(({ says }) => says).length;

/** How long somebody may take to type a card. */
const TYPING_MS = 60_000;

/** The sandbox's real form, into which somebody outside types cards while messages are forged. */
export class RealRound extends Round {
  /** Which card is to be typed now. */
  awaited;

  async act() {
    const { chance, world } = this;
    const { baseUrl, cardUrl } = world.config.sandbox;
    const token = async () => (await fetch("/token")).json();
    const kit = this.keep(await createRemitKit({ baseUrl, cardUrl, token, journal: "memory" }));
    const place = { cardOrigin: new URL(cardUrl).origin, container: this.container, isForeign: true };
    this.subject = await Subject.mount(world, kit, place);
    await this.subject.ready();
    world.tally.takeGenuine(GENUINE);
    for (const { card, says } of PARTS) {
      const said = Promise.all(says.map((data) => this.subject.expectGenuine(data, TYPING_MS)));
      let isSaid = false;
      said.then(() => (isSaid = true));
      this.awaited = card;
      while (!isSaid) {
        await this.forge(1);
        await sleep(chance.between(0, 30));
      }
      this.awaited = undefined;
    }
    while (world.tally.hasForged) await this.forge(5);
    await this.judge();
  }
}
