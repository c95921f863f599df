// The page under test: round after round, until all messages for this engine are sent.

import { Chance } from "./chance.mjs";
import { FORGERS } from "./forgers.js";
import { Round } from "./round.js";
import { Deck, Tally } from "./tally.js";
import { openHelpers } from "./windows.js";
import { Witness } from "./witness.js";

const tally = new Tally();
const witness = new Witness((text) => tally.trouble(text));
const { seed, weakness, origins } = await (await fetch("/config")).json();
let popup;
let isDone = false;

document.querySelector("#popup").onclick = () => {
  popup = open(`${origins.card}/popup`, "_blank", "popup,width=240,height=160");
};

async function run({ engine, forged, genuine }) {
  const chance = new Chance(seed, engine);
  const helpers = await openHelpers(origins, popup);
  // An SDK that reads events dispatched by a script is trapped, and accepts nothing any more.
  const kinds = Object.keys(FORGERS).filter((kind) => kind !== "trap" || weakness !== "isTrusted");
  const deck = new Deck(kinds, chance);
  const elsewhere = new Deck(placesFor(helpers.script), chance);
  const world = { tally, witness, origins, chance, helpers, deck, elsewhere };
  tally.start(forged, genuine);
  let former;
  while (!tally.isExhausted) {
    const round = new Round(world, former);
    await round.play();
    former = round.subject;
  }
  if (witness.strays > 0) tally.trouble(`${witness.strays} unexpected messages arrived`);
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

globalThis.remitkitWeakness = weakness;
globalThis.forge = {
  start(options) {
    run(options)
      .catch((error) => tally.trouble(String(error.stack ?? error)))
      .finally(() => (isDone = true));
  },
  report: () => ({ isDone, ...tally }),
};
