import { contentOf } from "../input/content.js";
import { useKitQuery } from "./use-query.js";

const NONE = Object.freeze([]);

export function useCorridors(filter = {}) {
  const key = filter === null ? null : contentOf(filter);
  const query = useKitQuery(key, (remit, options) => remit.corridors(filter, options));
  const { value, isCurrent, error, isLoading, refetch } = query;
  // Never those of an earlier filter.
  return { corridors: (isCurrent && value) || NONE, error, isLoading, refresh: refetch };
}
