// The second proof: many kits and forms at once, in an order nobody would write. Every promise must settle.

import { Chance } from "../chaos/chance.mjs";
import { Story } from "./story.mjs";

/**
 * Plays the stories `from` up to `to` of a seed. Calls `tell` with `{ at }` before each, and
 * with `{ fault, at, says }` for each fault.
 */
export async function playStories({ seed, from, to, module, service, clock, container, stray, tell }) {
  let promises = 0;
  for (let at = from; at < to; at += 1) {
    tell({ at });
    const story = new Story({ chance: new Chance(seed, `story/${at}`), module, service, clock, container });
    for (const found of await story.play()) tell({ ...found, at });
    for (const error of stray()) for (const found of story.judgeStray(error)) tell({ ...found, at });
    promises += story.promises;
  }
  return { promises };
}
