import { useEffect, useState, useSyncExternalStore } from "react";
import { QuoteSession } from "../quote/quote-session.js";
import { useRemitKit } from "./provider.js";

export function useQuote(request, options) {
  const { remit, error } = useRemitKit();
  const [session] = useState(() => new QuoteSession());
  const read = () => session.state;
  useSyncExternalStore(session.subscribe, read, read);
  useEffect(() => session.ask(remit, request, options));
  useEffect(() => () => session.pause(), [session]);
  const isAsked = request !== null && request !== undefined;
  const state = session.stateFor(remit, request);
  return {
    quote: state.quote,
    error: (isAsked && error) || state.error,
    isLoading: state.isLoading && error === undefined,
    isExpired: state.isExpired,
    isStale: state.isStale,
    refresh: session.refresh,
  };
}
