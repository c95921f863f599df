import { createContext, createElement, useCallback, useContext, useEffect, useMemo, useState } from "react";
import { contentOf } from "../input/content.js";
import { failure, invalid, isRemitError } from "../errors/errors.js";
import { kitError } from "../errors/kit-error.js";
import { loadAgain } from "../module/load-again.js";
import { languageOf } from "../errors/locale.js";
import { useLatest } from "./use-latest.js";

const Context = /* @__PURE__ */ createContext(undefined);
const Locale = /* @__PURE__ */ createContext(undefined);
const LOADING = /* @__PURE__ */ Object.freeze({ remit: undefined, error: undefined, isLoading: true });
const SETTLED = /* @__PURE__ */ Object.freeze({ ...LOADING, isLoading: false });

// By its public name, so that a page which also imports `remitkit` gets the same module.
const loadRemitKit = /* @__PURE__ */ loadAgain(() => import("remitkit"));

export function RemitKitProvider({ options, remit, children }) {
  if ((options === undefined) === (remit === undefined)) {
    throw invalid("InvalidConfiguration", "RemitKitProvider", "given either `options` or `remit`");
  }
  const created = useCreatedKit(options);
  const passed = usePassedKit(remit);
  const { state, retry } = remit === undefined ? created : passed;
  const value = useMemo(() => ({ ...state, retry }), [state, retry]);
  const content = createElement(Locale.Provider, { value: options?.locale }, children);
  return createElement(Context.Provider, { value }, content);
}

/** Returns the language of the provider's options, or else the page's: a kit does not tell its own. */
export const useLanguage = () => languageOf(useContext(Locale));

export function useRemitKit() {
  const value = useContext(Context);
  if (value !== undefined) return value;
  const message = "RemitKit's hooks and components need a <RemitKitProvider> around them.";
  throw failure("InvalidConfiguration", message);
}

/** Creates a kit from options, and another when these change. */
function useCreatedKit(options) {
  const latest = useLatest(options);
  // A new object for each kit to create: for other options, or a retry.
  const [last, setWanted] = useState({ options });
  const [state, setState] = useState(LOADING);
  let wanted = last;
  if (!isSameKit(last.options, options)) {
    wanted = { options };
    setWanted(wanted);
  }

  useEffect(() => {
    if (wanted.options === undefined) return undefined;
    let isOver = false;
    let kit;
    const settle = (change) => !isOver && setState({ ...SETTLED, ...change, of: wanted });
    const create = async () => {
      // Imported here, so that the page shows before the kit loads, and a passed kit loads no second one.
      // StrictMode's first pass is over before the module has loaded.
      const { createRemitKit } = await loadRemitKit();
      if (isOver) return;
      const created = await createRemitKit(withLatestFunctions(wanted.options, latest));
      if (isOver) {
        await created.destroy();
        return;
      }
      kit = created;
      settle({ remit: kit });
    };
    create().catch((error) => settle({ error: loadFailure(error) }));
    return () => {
      isOver = true;
      // A hidden <Activity> has no kit until it is shown again.
      setState(LOADING);
      void kit?.destroy();
    };
  }, [wanted]);

  const retry = useCallback(() => setWanted((last) => ({ ...last })), []);
  return { state: state.of === wanted ? state : LOADING, retry };
}

/** Awaits the page's own kit, which the page destroys. */
function usePassedKit(remit) {
  const isPromise = typeof remit?.then === "function";
  const [settled, setSettled] = useState(LOADING);
  useEffect(() => {
    if (!isPromise) return undefined;
    let isOver = false;
    const settle = (state) => !isOver && setSettled({ ...state, of: remit });
    remit.then(
      (kit) => settle(stateOf(kit)),
      (error) => settle({ ...SETTLED, error: kitError(error) }),
    );
    return () => {
      isOver = true;
    };
  }, [remit, isPromise]);
  const state = useMemo(() => {
    if (remit === null || remit === undefined) return LOADING;
    return isPromise ? settled : stateOf(remit);
  }, [remit, isPromise, settled]);
  return { state: isPromise && settled.of !== remit ? LOADING : state, retry: doNothing };
}

const doNothing = () => {};

const stateOf = (remit) =>
  typeof remit?.cardForm === "function" ? { ...SETTLED, remit } : { ...SETTLED, error: kitError() };

/** Returns the error if the module itself does not load, for example after a deployment. */
function loadFailure(cause) {
  if (isRemitError(cause)) return cause;
  const message = "RemitKit could not be loaded. Try again, or load the page again.";
  return failure("LoadFailed", message, { cause });
}

/**
 * Returns options that call the latest functions, so that these may be written inline. Never calls those of
 * another kit's options: their token is for another service.
 */
function withLatestFunctions(options, latest) {
  const newest = () => (isSameKit(options, latest.current) ? latest.current : options);
  const { token, onDiagnostic, ...others } = newest() ?? {};
  const result = { ...others, token: typeof token === "function" ? () => newest().token() : token };
  if (onDiagnostic !== undefined) result.onDiagnostic = (entry) => newest().onDiagnostic?.(entry);
  return result;
}

/** Returns whether both options make the same kit: other functions do not count, but another token does. */
function isSameKit(a, b) {
  if (a === b || a === undefined || b === undefined) return a === b;
  const [one, other] = [a, b].map(({ baseUrl, cardUrl, locale, timeoutMs, senderId, token }) =>
    contentOf([baseUrl, cardUrl, locale, timeoutMs, senderId, typeof token === "function" || { token }]),
  );
  return one === other && a.journal === b.journal;
}
