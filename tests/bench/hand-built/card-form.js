// The hosted card form in a frame. It accepts documented strings from this frame's window and origin only.

const TYPES = [
  "CARD_VALIDATION_START",
  "CARD_VALIDATION_STOP_SUCCESS",
  "CARD_VALIDATION_STOP_FAIL",
  "CARD_VALIDATION_STOP_EXPIRED",
];

/** Mounts the form; returns `{ element, on, destroy }` and its events as an async iterator. */
export function mountCardForm({ container, cardUrl, sessionId, title = "Card" }) {
  const origin = new URL(cardUrl).origin;
  const frame = document.createElement("iframe");
  const waiting = [];
  const arrived = [];
  const listeners = new Set();
  let ended = false;

  function hear({ source, origin: from, data }) {
    if (source !== frame.contentWindow || from !== origin || !TYPES.includes(data)) return;
    const event = { type: data };
    for (const { type, listener } of listeners) if (type === data) listener(event);
    const next = waiting.shift();
    if (next) next({ done: false, value: event });
    else arrived.push(event);
  }

  addEventListener("message", hear);
  frame.title = title;
  frame.referrerPolicy = "no-referrer";
  frame.src = `${cardUrl}/v2/add-card/${encodeURIComponent(sessionId)}`;
  container.append(frame);

  return {
    element: frame,
    on(type, listener) {
      const entry = { type, listener };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    [Symbol.asyncIterator]() {
      return {
        next() {
          if (arrived.length > 0) return Promise.resolve({ done: false, value: arrived.shift() });
          if (ended) return Promise.resolve({ done: true, value: undefined });
          return new Promise((resolve) => waiting.push(resolve));
        },
        return: async () => ({ done: true, value: undefined }),
      };
    },
    destroy() {
      ended = true;
      removeEventListener("message", hear);
      frame.remove();
      for (const resolve of waiting.splice(0)) resolve({ done: true, value: undefined });
    },
  };
}
