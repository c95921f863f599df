import { contentOf } from "../content.js";
import { useRemitKit } from "./provider.js";
import { useQuery } from "./use-query.js";

const NONE = Object.freeze([]);

export function useCorridors(filter = {}) {
  const kit = useRemitKit();
  const key = filter === null ? null : contentOf(filter);
  const query = useQuery(kit.remit, key, (remit, options) => remit.corridors(filter, options));
  return {
    // Never those of an earlier filter.
    corridors: (query.isCurrent && query.value) || NONE,
    error: key === null ? undefined : (kit.error ?? query.error),
    isLoading: kit.error === undefined && query.isLoading,
    refresh: query.refetch,
  };
}
