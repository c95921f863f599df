import { connect } from "node:net";

const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("0\r\n\r\n");

/** A kept-alive connection with one request at a time, so that the generator is no bottleneck. */
export class Connection {
  #socket;
  #held = [];
  #waiting;

  static async open({ host, port }) {
    const connection = new Connection();
    connection.#socket = connect({ host, port, noDelay: true });
    await new Promise((resolve, reject) => connection.#socket.once("connect", resolve).once("error", reject));
    connection.#socket.on("data", (bytes) => connection.#hear(bytes));
    const end = (error) => connection.#waiting?.reject(error ?? new Error("the connection was closed"));
    connection.#socket.on("error", end).on("close", () => end());
    return connection;
  }

  /** Sends the bytes of a request; gives `{ status, body }`, where `body()` reads it. */
  send(bytes) {
    return new Promise((resolve, reject) => {
      this.#waiting = { resolve, reject };
      this.#socket.write(bytes);
    });
  }

  close() {
    this.#waiting = undefined;
    this.#socket.destroy();
  }

  #hear(bytes) {
    this.#held.push(bytes);
    const all = this.#held.length === 1 ? bytes : Buffer.concat(this.#held);
    this.#held = [all];
    const reply = replyIn(all);
    if (!reply) return;
    this.#held = [];
    this.#waiting.resolve(reply);
  }
}

function replyIn(all) {
  const headEnd = all.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = all.latin1Slice(0, headEnd).toLowerCase();
  const start = headEnd + HEAD_END.length;
  const at = head.indexOf("\r\ncontent-length:");
  const isWhole = at >= 0 ? all.length - start >= Number.parseInt(head.slice(at + 17), 10) : all.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  if (!isWhole) return undefined;
  return { status: Number(head.slice(9, 12)), body: () => all.utf8Slice(start) };
}

/** The bytes of a request. */
export function requestBytes({ host, port, method = "GET", path, token, body }) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const ofBody = body === undefined ? "" : `content-type: application/json\r\ncontent-length: ${Buffer.byteLength(text)}\r\n`;
  return Buffer.from(`${method} ${path} HTTP/1.1\r\nhost: ${host}:${port}\r\nauthorization: Bearer ${token}\r\naccept: application/json\r\n${ofBody}\r\n${text}`);
}
