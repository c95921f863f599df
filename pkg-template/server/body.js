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
  const chunks = [];
  let left = limit;
  let reader;
  const read = async () => {
    // Throws where somebody else reads it.
    reader = stream?.getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
      left -= part.value.byteLength;
      if (left < 0) {
        throw new BodyError("too_long");
      }
      chunks.push(part.value);
    }
  };
  try {
    await (ms === undefined ? read() : inTime(read(), ms));
  } catch (error) {
    reader?.cancel().catch(() => {});
    throw error instanceof BodyError ? error : new BodyError("cut_off");
  }
  return textOf(chunks);
}

/**
 * What a request of Node's carries, as a Fetch body. Cancelled, the rest of it flows off. Readable.toWeb
 * would take a request that was read before for an empty one, leave text text, and refuse a mock.
 */
export function streamOf(request) {
  let controller;
  const stream = new ReadableStream({
    start: (given) => void (controller = given),
    cancel: () => void (controller = undefined),
  });
  const end = () => {
    controller?.close();
    controller = undefined;
  };
  const cutOff = () => {
    controller?.error();
    controller = undefined;
  };
  request.on("data", (chunk) => controller?.enqueue(typeof chunk === "string" ? Buffer.from(chunk) : chunk));
  request.on("end", end).on("error", cutOff).on("close", cutOff);
  if (request.destroyed || request.readableEnded) {
    cutOff();
  }
  return stream;
}

/** The value, or a BodyError if it takes too long. */
export function inTime(promise, ms) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new BodyError("late")), ms);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

function textOf(chunks) {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join("") + decoder.decode();
  } catch {
    throw new BodyError("not_text");
  }
}
