/** A failure to read a body, with its reason. */
export class BodyError extends Error {
  /** @param {"too_long" | "not_text" | "encoded" | "cut_off" | "late"} reason */
  constructor(reason) {
    super(reason);
    this.reason = reason;
  }
}

/** Reads a Fetch body as text, up to `limit` bytes. */
export async function readText(stream, limit) {
  return decode(await readBytes(stream, limit));
}

/** Reads a Fetch body, up to `limit` bytes. Cancels it after `ms`. */
export async function readBytes(stream, limit, ms) {
  const chunks = [];
  let left = limit;
  let reader;
  const read = async () => {
    // Throws if the stream has another reader.
    reader = stream?.getReader();
    for (let part = await reader?.read(); part && !part.done; part = await reader.read()) {
      left -= part.value.byteLength;
      if (left < 0) throw new BodyError("too_long");
      chunks.push(part.value);
    }
  };
  try {
    await (ms === undefined ? read() : inTime(read(), ms));
  } catch (error) {
    reader?.cancel().catch(() => {});
    throw error instanceof BodyError ? error : new BodyError("cut_off");
  }
  return Buffer.concat(chunks);
}

/**
 * Converts a Node request to a Fetch body. After a cancel, the rest drains. Readable.toWeb would treat a
 * request that was read before as empty, not encode text, and refuse mocks.
 */
export function streamOf(request) {
  let controller;
  const stream = new ReadableStream({
    start: (own) => void (controller = own),
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
  if (request.destroyed || request.readableEnded) cutOff();
  return stream;
}

/** Settles as the promise does, or rejects with a BodyError after `ms`. */
export function inTime(promise, ms) {
  let timer;
  const timeout = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new BodyError("late")), ms);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

/** Returns the text of UTF-8, without its byte order mark. */
export function decode(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new BodyError("not_text");
  }
}
