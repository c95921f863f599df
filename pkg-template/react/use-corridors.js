import { contentOf } from "../content.js";
import { useRemitKit } from "./provider.js";
import { useAnswer } from "./use-answer.js";

const NONE = Object.freeze([]);

export function useCorridors(filter = {}) {
  const kit = useRemitKit();
  const key = filter === null ? null : contentOf(filter);
  const asked = useAnswer(kit.remit, key, (remit, options) => remit.corridors(filter, options));
  return {
    // Those of another filter would offer what was not asked for.
    corridors: (asked.isCurrent && asked.value) || NONE,
    error: key === null ? undefined : (kit.error ?? asked.error),
    isLoading: kit.error === undefined && asked.isLoading,
    refresh: asked.again,
  };
}
