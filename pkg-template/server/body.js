// Bodies that others send, read no further than a limit and no longer than a time.

/** Thrown by what reads a body; who reads it knows what that means. */
export class BodyError extends Error {
  /** @param {"too_long" | "not_text" | "cut_off" | "late"} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** The text of a Fetch body, which is let go of if it takes longer than `ms`. */
export async function readStream(stream, limit, ms) {
  const text = new LimitedText(limit);
  let reader;
  const read = async () => {
    // Throws where somebody else reads it.
    reader = stream?.getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
      text.add(part.value);
    }
  };
  try {
    await (ms === undefined ? read() : inTime(read(), ms));
  } catch (error) {
    reader?.cancel().catch(() => {});
    throw error instanceof BodyError ? error : new BodyError("cut_off");
  }
  return text.end();
}

/**
 * The text that a request of Node's carries. By its events, as an iterator would tear down the connection
 * that is to be answered.
 */
export function readIncoming(request, limit) {
  const text = new LimitedText(limit);
  return new Promise((resolve, reject) => {
    const settle = (work) => {
      for (const [event, listener] of Object.entries(listeners)) {
        request.off(event, listener);
      }
      // What is left flows off, or else whoever sends it would be reset before the answer is read.
      request.resume();
      try {
        resolve(work());
      } catch (error) {
        reject(error);
      }
    };
    const fail = (error) => () => {
      throw error;
    };
    const listeners = {
      data: (chunk) => {
        try {
          text.add(typeof chunk === "string" ? Buffer.from(chunk) : chunk);
        } catch (error) {
          settle(fail(error));
        }
      },
      end: () => settle(() => text.end()),
      error: () => settle(fail(new BodyError("cut_off"))),
      close: () => settle(fail(new BodyError("cut_off"))),
    };
    for (const [event, listener] of Object.entries(listeners)) {
      request.on(event, listener);
    }
    if (request.destroyed || request.readableEnded) {
      settle(fail(new BodyError("cut_off")));
    }
  });
}

export function readBytes(bytes, limit) {
  const text = new LimitedText(limit);
  text.add(bytes);
  return text.end();
}

/** The value, or a BodyError if it takes too long. */
export function inTime(promise, ms) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new BodyError("late")), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

class LimitedText {
  #decoder = new TextDecoder("utf-8", { fatal: true });
  #text = "";
  #left;

  constructor(limit) {
    this.#left = limit;
  }

  add(bytes) {
    this.#left -= bytes.byteLength;
    if (this.#left < 0) {
      throw new BodyError("too_long");
    }
    this.#text += this.#decode(bytes, { stream: true });
  }

  end() {
    return this.#text + this.#decode();
  }

  #decode(...bytes) {
    try {
      return this.#decoder.decode(...bytes);
    } catch {
      throw new BodyError("not_text");
    }
  }
}
