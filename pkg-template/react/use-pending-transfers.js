import { useRemitKit } from "./provider.js";
import { useQuery } from "./use-query.js";

const NONE = Object.freeze([]);

export function usePendingTransfers() {
  const kit = useRemitKit();
  const query = useQuery(kit.remit, "pending", (remit) => remit.pendingTransfers());
  return {
    attempts: query.value ?? NONE,
    error: kit.error ?? query.error,
    isLoading: kit.error === undefined && query.isLoading,
    refresh: query.refetch,
  };
}
