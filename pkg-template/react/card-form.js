import {
  Fragment,
  createElement,
  forwardRef,
  isValidElement,
  useEffect,
  useImperativeHandle,
  useRef,
  useState,
  useSyncExternalStore,
} from "react";
import { failure } from "../errors.js";
import { notify } from "../notify.js";
import { CARD_FORM_HEIGHT, CardFormController } from "../card-form-controller.js";
import { useRemitKit } from "./provider.js";
import { useLatest } from "./use-latest.js";

export const CardForm = /* @__PURE__ */ forwardRef(function CardForm(props, ref) {
  const { id, className, sessionId, theme, title, height = CARD_FORM_HEIGHT, loadTimeoutMs } = props;
  const { loadError, autoFocus } = props;
  const { remit, error } = useRemitKit();
  const latest = useLatest(props);
  const container = useRef(null);
  const shown = useRef(undefined);
  const [isBusy, setBusy] = useState(true);
  const [loadFailure, setLoadFailure] = useState(undefined);
  const isHydrated = useIsHydrated();

  useEffect(() => {
    if (remit === undefined) {
      return undefined;
    }
    const call = (name, ...args) => notify(() => latest.current[name]?.(...args));
    // What React renders stands beside the frame, which the form hides meanwhile.
    const onLoadError = (failure) => {
      const given = latest.current.loadError;
      return isRendered(given) ? setLoadFailure(failure) : (given ?? "auto");
    };
    const form = new CardFormController(
      remit,
      {
        container: container.current,
        sessionId,
        theme,
        title,
        height,
        loadTimeoutMs,
        autoFocus,
        loadError: loadError === "never" ? loadError : onLoadError,
      },
      {
        event(event, form) {
          setBusy(false);
          if (event.type !== "LOAD_FAILED") {
            setLoadFailure(undefined);
          }
          call("onEvent", event);
          if (event.type === "READY") {
            call("onReady", form);
          }
        },
        completed: (card) => call("onCompleted", card),
        error(error) {
          setBusy(false);
          call("onError", error);
        },
      },
    );
    shown.current = form;
    return () => {
      shown.current = undefined;
      form.destroy();
      setBusy(true);
      setLoadFailure(undefined);
    };
    // The rest is taken on below: another theme must not cost another session.
  }, [remit, sessionId]);

  useEffect(() => shown.current?.change({ theme, title, height }));

  useEffect(() => {
    if (error !== undefined) {
      notify(() => latest.current.onError?.(error));
    }
  }, [error, latest]);

  useImperativeHandle(
    ref,
    () => ({
      get form() {
        return shown.current?.form;
      },
      async renew(options) {
        if (shown.current === undefined) {
          throw failure("CardFormDestroyed", "There is no card form on the page.");
        }
        await shown.current.renew(options);
      },
      focus: () => shown.current?.focus(),
      destroy() {
        shown.current?.destroy();
        setLoadFailure(undefined);
      },
    }),
    [],
  );

  // The server's markup has no style attribute, which a strict policy would refuse: there a picture of
  // nothing keeps the place, by attributes that are no style. React then sets the height through the CSSOM,
  // in the very commit that takes the picture away.
  return createElement(
    "div",
    { id, className, ref: container, "aria-busy": isBusy, style: isHydrated ? { height } : undefined },
    isHydrated
      ? loadFailure &&
        createElement(Fragment, null, typeof loadError === "function" ? loadError(loadFailure) : loadError)
      : createElement("svg", { "aria-hidden": true, width: 1, height, display: "block", focusable: false }),
  );
});

const isRendered = (loadError) => typeof loadError === "function" || isValidElement(loadError);

const never = () => () => {};

function useIsHydrated() {
  return useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
}
