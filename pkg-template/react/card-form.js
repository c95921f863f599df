import {
  Fragment, createElement, forwardRef, isValidElement, useEffect, useImperativeHandle, useRef, useState,
  useSyncExternalStore,
} from "react";
import { failure } from "../errors/errors.js";
import { notify } from "../errors/notify.js";
import { CARD_FORM_HEIGHT, CardFormController } from "../card/card-form-controller.js";
import { useRemitKit } from "./provider.js";
import { useLatest } from "./use-latest.js";

export const CardForm = /* @__PURE__ */ forwardRef(function CardForm(props, ref) {
  const { id, className, sessionId, theme, title, height = CARD_FORM_HEIGHT, loadTimeoutMs } = props;
  const { loadError, autoFocus } = props;
  const { remit, error } = useRemitKit();
  const latest = useLatest(props);
  const containerRef = useRef(null);
  const controller = useRef(undefined);
  const [isBusy, setBusy] = useState(true);
  const [loadFailure, setLoadFailure] = useState(undefined);
  const isHydrated = useIsHydrated();

  useEffect(() => {
    if (remit === undefined) return undefined;
    const call = (name, ...args) => notify(() => latest.current[name]?.(...args));
    // React renders it beside the frame, which the form hides.
    const onLoadError = (failure) => {
      const current = latest.current.loadError;
      return isRendered(current) ? setLoadFailure(failure) : (current ?? "auto");
    };
    const container = containerRef.current;
    const options = { container, sessionId, theme, title, height, loadTimeoutMs, autoFocus };
    options.loadError = loadError === "never" ? loadError : onLoadError;
    const form = new CardFormController(remit, options, {
      event(event, form) {
        setBusy(false);
        if (event.type !== "LOAD_FAILED") setLoadFailure(undefined);
        call("onEvent", event);
        if (event.type === "READY") call("onReady", form);
      },
      completed: (card) => call("onCompleted", card),
      error(error) {
        setBusy(false);
        call("onError", error);
      },
    });
    controller.current = form;
    return () => {
      controller.current = undefined;
      form.destroy();
      setBusy(true);
      setLoadFailure(undefined);
    };
    // The next effect applies the look: another theme must not cost another session.
  }, [remit, sessionId]);

  useEffect(() => controller.current?.change({ theme, title, height }));

  useEffect(() => {
    if (error !== undefined) notify(() => latest.current.onError?.(error));
  }, [error, latest]);

  useImperativeHandle(
    ref,
    () => ({
      get form() {
        return controller.current?.form;
      },
      async renew(options) {
        if (controller.current === undefined) {
          throw failure("CardFormDestroyed", "There is no card form on the page.");
        }
        await controller.current.renew(options);
      },
      focus: () => controller.current?.focus(),
      destroy() {
        controller.current?.destroy();
        setLoadFailure(undefined);
      },
    }),
    [],
  );

  // The server's markup has no style attribute, which a strict policy would refuse: an empty image reserves
  // the height by its attributes. React sets the height through the CSSOM, in the commit that removes the
  // image.
  return createElement(
    "div",
    { id, className, ref: containerRef, "aria-busy": isBusy, style: isHydrated ? { height } : undefined },
    isHydrated
      ? loadFailure &&
          createElement(Fragment, null, typeof loadError === "function" ? loadError(loadFailure) : loadError)
      : createElement("svg", { "aria-hidden": true, width: 1, height, display: "block", focusable: false }),
  );
});

const isRendered = (loadError) => typeof loadError === "function" || isValidElement(loadError);

const subscribeToNothing = () => () => {};

function useIsHydrated() {
  return useSyncExternalStore(
    subscribeToNothing,
    () => true,
    () => false,
  );
}
