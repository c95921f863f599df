// The page under test: round after round, until all was thrown and said that this engine is to see.

import { Chance } from "./chance.mjs";
import { Deck } from "./deck.js";
import { FORGERS } from "./forgers.js";
import { Helpers } from "./helpers.js";
import { GENUINE, RealRound } from "./real-round.js";
import { Round } from "./round.js";
import { Tally } from "./tally.js";
import { Witness } from "./witness.js";

const tally = new Tally();
const witness = new Witness((text) => tally.trouble(text));
const config = await (await fetch("/config")).json();
let popup;
let current;
let isDone = false;

document.querySelector("#popup").onclick = () => {
  popup = open(`${config.origins.card}/popup`, "_blank", "popup,width=240,height=160");
};

async function run({ engine, forged, genuine }) {
  const chance = new Chance(config.seed, engine);
  const helpers = await Helpers.open(config, popup);
  const world = { tally, witness, config, chance, helpers };
  // An SDK that looks at whatever a script dispatched falls into the trap, and then believes nobody any more.
  const kinds = Object.keys(FORGERS).filter((kind) => kind !== "trap" || config.weakness !== "isTrusted");
  world.deck = new Deck(kinds, chance);
  world.elsewhere = new Deck(elsewhere(config.origins, helpers.script), chance);

  const real = Math.ceil(forged / 10);
  tally.allow(forged - real, genuine - GENUINE);
  let former;
  while (!tally.isExhausted) {
    current = new Round(world, former);
    await current.play();
    former = current.subject;
  }
  tally.allow(real, GENUINE);
  current = new RealRound(world);
  await current.play();
  if (witness.strays > 0) tally.trouble(`${witness.strays} messages came that nobody was told to say`);
}

/** Where the form's window can be led, and what messages from there are called. */
function elsewhere({ longerPort, longerHost, otherScheme }, script) {
  const pages = Object.entries({ longerPort, longerHost, otherScheme });
  return [
    ...pages.map(([kind, origin]) => ({ kind, url: `${origin}/elsewhere`, origin })),
    { kind: "ownPage", url: `${location.origin}/said.html`, origin: location.origin },
    { kind: "opaqueOrigin", url: `data:text/html,${encodeURIComponent(`<body><script>${script}</script>`)}`, origin: "null" },
  ];
}

globalThis.remitkitWeakness = config.weakness;
globalThis.forge = {
  start(options) {
    run(options)
      .catch((error) => tally.trouble(String(error.stack ?? error)))
      .finally(() => (isDone = true));
  },
  report: () => ({ isDone, awaited: current?.awaited, ...tally.toJSON() }),
};
