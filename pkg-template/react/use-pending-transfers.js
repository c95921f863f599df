import { useKitQuery } from "./use-query.js";

const NONE = Object.freeze([]);

export function usePendingTransfers() {
  const query = useKitQuery("pending", (remit) => remit.pendingTransfers());
  const { value: attempts = NONE, error, isLoading, refetch } = query;
  return { attempts, error, isLoading, refresh: refetch };
}
