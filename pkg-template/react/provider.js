import { createContext, createElement, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { contentOf } from "../content.js";
import { failure, invalid, isRemitError } from "../errors.js";
import { readable } from "../card-form-controller.js";
import { loadAgain } from "../load-again.js";
import { useLatest } from "./use-latest.js";

const Context = /* @__PURE__ */ createContext(undefined);
const LOADING = /* @__PURE__ */ Object.freeze({ remit: undefined, error: undefined, isLoading: true });
const SETTLED = /* @__PURE__ */ Object.freeze({ ...LOADING, isLoading: false });

// By name, so that a page which imports `remitkit` too has the same module, whichever form it gets.
const loadCreate = /* @__PURE__ */ loadAgain(
  () => import("remitkit"),
  (address) => import(/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */ address),
);

export function RemitKitProvider({ options, remit, children }) {
  if ((options === undefined) === (remit === undefined)) {
    throw invalid("InvalidConfiguration", "RemitKitProvider", "given either `options` or `remit`");
  }
  const made = useMadeKit(options);
  const given = useGivenKit(remit);
  const { state, retry } = remit === undefined ? made : given;
  const value = useMemo(() => ({ ...state, retry }), [state, retry]);
  return createElement(Context.Provider, { value }, children);
}

export function useRemitKit() {
  const value = useContext(Context);
  if (value === undefined) {
    throw failure(
      "InvalidConfiguration",
      "RemitKit's hooks and components need a <RemitKitProvider> around them.",
    );
  }
  return value;
}

/** A kit made from options, for as long as the provider is there and what they say is the same. */
function useMadeKit(options) {
  const latest = useLatest(options);
  // An object of its own for each kit that is to be made: for other options, or because it is tried again.
  const [wanted, want] = useState({ options });
  const [state, setState] = useState(LOADING);
  let making = wanted;
  if (!isSameKit(wanted.options, options)) {
    making = { options };
    want(making);
  }

  useEffect(() => {
    if (making.options === undefined) {
      return undefined;
    }
    let isOver = false;
    let kit;
    const settle = (more) => !isOver && setState({ ...SETTLED, ...more, of: making });
    const make = async () => {
      // Only here, so that a page shows before the kit is loaded, and one that is given a kit does not load
      // another. In StrictMode the first of two passes is over before the module is there.
      const { createRemitKit } = await loadCreate();
      if (isOver) {
        return;
      }
      const created = await createRemitKit(following(making.options, latest));
      if (isOver) {
        await created.destroy();
        return;
      }
      kit = created;
      settle({ remit: kit });
    };
    make().catch((error) => settle({ error: unavailable(error) }));
    return () => {
      isOver = true;
      // Kept without effects, as in a hidden <Activity>, it has no kit until it is shown again.
      setState(LOADING);
      void kit?.destroy();
    };
  }, [making]);

  const retry = useCallback(() => want((last) => ({ ...last })), []);
  return { state: state.of === making ? state : LOADING, retry };
}

/** A kit of the page's own, which the page destroys itself. */
function useGivenKit(remit) {
  const isPromise = typeof remit?.then === "function";
  const [settled, setSettled] = useState(LOADING);
  useEffect(() => {
    if (!isPromise) {
      return undefined;
    }
    let isOver = false;
    const settle = (state) => !isOver && setSettled({ ...state, of: remit });
    remit.then(
      (kit) => settle(stateOf(kit)),
      (error) => settle({ ...SETTLED, error: readable(error) }),
    );
    return () => {
      isOver = true;
    };
  }, [remit, isPromise]);
  const state = useMemo(() => {
    if (remit === null || remit === undefined) {
      return LOADING;
    }
    return isPromise ? settled : stateOf(remit);
  }, [remit, isPromise, settled]);
  return { state: isPromise && settled.of !== remit ? LOADING : state, retry: nothing };
}

const nothing = () => {};

const stateOf = (remit) =>
  typeof remit?.cardForm === "function" ? { ...SETTLED, remit } : { ...SETTLED, error: readable() };

/** The module itself may not load, as where a new version of the page has taken its place. */
function unavailable(cause) {
  return isRemitError(cause)
    ? cause
    : failure("NetworkFailure", "RemitKit could not be loaded. Try again, or load the page anew.", { cause });
}

/**
 * The options with the newest functions, so that these may be written where the provider is. Of another kit's
 * options none is called while this one is at work: that token is for another service.
 */
function following(options, latest) {
  const newest = () => (isSameKit(options, latest.current) ? latest.current : options);
  const { token, onDiagnostic, ...others } = newest() ?? {};
  const followed = { ...others, token: typeof token === "function" ? () => newest().token() : token };
  if (onDiagnostic !== undefined) {
    followed.onDiagnostic = (entry) => newest().onDiagnostic?.(entry);
  }
  return followed;
}

/**
 * Whether two options make the same kit. Another function is no reason for another kit, another token is: it
 * may be another sender's.
 */
function isSameKit(a, b) {
  if (a === b || a === undefined || b === undefined) {
    return a === b;
  }
  const [one, other] = [a, b].map(({ baseUrl, cardUrl, locale, timeoutMs, senderId, token }) =>
    contentOf([baseUrl, cardUrl, locale, timeoutMs, senderId, typeof token === "function" || { token }]),
  );
  return one === other && a.journal === b.journal;
}
