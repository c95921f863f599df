import { useRemitKit } from "./provider.js";
import { useAnswer } from "./use-answer.js";

const NONE = Object.freeze([]);

export function usePendingTransfers() {
  const kit = useRemitKit();
  const asked = useAnswer(kit.remit, "pending", (remit) => remit.pendingTransfers());
  return {
    attempts: asked.value ?? NONE,
    error: kit.error ?? asked.error,
    isLoading: kit.error === undefined && asked.isLoading,
    refresh: asked.again,
  };
}
