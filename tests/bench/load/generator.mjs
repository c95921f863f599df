// A process that keeps a server busy. Reads a job as JSON from its arguments and prints its counts as JSON.
//
// Each connection is a bare socket with one request at a time: a client of HTTP takes more processor time
// than the server that is measured.

import { connect } from "node:net";
import { performance } from "node:perf_hooks";

const HEAD_END = Buffer.from("\r\n\r\n");
const LAST_CHUNK = Buffer.from("0\r\n\r\n");
const ID = "3f2504e0-4f89-41d3-9a0c-0305e82c3301";
const ROUTE = {
  dstCountryIso3Code: "MEX",
  dstCurrencyIso3Code: "MXN",
  srcCurrencyIso3Code: "USD",
  transferMethod: "BANK_ACCOUNT",
};
const QUOTE = { ...ROUTE, quoteBy: "SEND_AMOUNT", amount: 10_000 };

const { target, kind, connections, milliseconds = Infinity, count = Infinity } = JSON.parse(process.argv[2]);
const work = workOf(kind, target);
const open = await Promise.all(Array.from({ length: connections }, () => openConnection(target)));

let done = 0;
const before = performance.eventLoopUtilization();
const began = performance.now();
const end = began + milliseconds;

async function keepBusy({ send }) {
  while (done < count && performance.now() < end) {
    await work(send);
    done += 1;
  }
}

await Promise.all(open.map(keepBusy));
const seconds = (performance.now() - began) / 1000;
// Near 1, the generator would be the bottleneck.
const { utilization } = performance.eventLoopUtilization(performance.eventLoopUtilization(), before);
for (const { socket } of open) socket.removeAllListeners().destroy();
console.log(JSON.stringify({ done, seconds, perSecond: done / seconds, utilization }));

/** Returns what a connection does repeatedly: one quote, transfer or session. */
function workOf(kind, { host, port, token, recipientId = ID, recipientAccountId = ID }) {
  const request = (method, path, body) => requestBytes({ host, port, token, method, path, body });
  const quote = request("GET", `/v1/quote?${new URLSearchParams(QUOTE)}`);
  if (kind === "quotes") return (send) => send(quote);
  if (kind === "sessions") {
    const session = request("POST", "/v1/card-onboarding-sessions", { entityMode: "RECIPIENT" });
    return (send) => send(session);
  }
  const nonceRequest = request("GET", "/v1/nonce");
  return async (send) => {
    const quoteHistoryId = member(await send(quote), "quoteHistoryId");
    const nonce = member(await send(nonceRequest), "nonce");
    const transfer = { ...QUOTE, quoteHistoryId, recipientId, recipientAccountId, nonce };
    return send(request("POST", "/v1/transfers", transfer));
  };
}

/** Reads an id of a reply; a mock may have none. */
function member(reply, name) {
  return new RegExp(`"${name}":"([0-9a-f-]{36})"`).exec(reply)?.[1] ?? ID;
}

function requestBytes({ host, port, token, method, path, body }) {
  const text = body === undefined ? "" : JSON.stringify(body);
  const head = [
    `${method} ${path} HTTP/1.1`,
    `host: ${host}:${port}`,
    `authorization: Bearer ${token}`,
    "accept: application/json",
  ];
  if (body) head.push("content-type: application/json", `content-length: ${Buffer.byteLength(text)}`);
  return Buffer.from(`${head.join("\r\n")}\r\n\r\n${text}`);
}

/** Opens a connection; its `send` resolves with the body of a reply that succeeds. */
async function openConnection({ host, port }) {
  const socket = connect({ host, port, noDelay: true });
  await new Promise((resolve, reject) => socket.once("connect", resolve).once("error", reject));
  let received = [];
  let waiting;
  socket.on("data", (bytes) => {
    const all = received.length === 0 ? bytes : Buffer.concat([...received, bytes]);
    const reply = replyIn(all);
    received = reply ? [] : [all];
    if (reply?.status < 300) waiting.resolve(reply.body());
    else if (reply) waiting.reject(new Error(`answered with ${reply.status}: ${reply.body().slice(0, 300)}`));
  });
  socket.on("close", () => waiting?.reject(new Error("the connection was closed")));
  const send = (bytes) =>
    new Promise((resolve, reject) => {
      waiting = { resolve, reject };
      socket.write(bytes);
    });
  return { socket, send };
}

function replyIn(all) {
  const headEnd = all.indexOf(HEAD_END);
  if (headEnd < 0) return undefined;
  const head = all.latin1Slice(0, headEnd).toLowerCase();
  const start = headEnd + HEAD_END.length;
  const at = head.indexOf("\r\ncontent-length:");
  const length = Number.parseInt(head.slice(at + 17), 10);
  const hasLastChunk = all.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK);
  const isComplete = at >= 0 ? all.length - start >= length : hasLastChunk;
  return isComplete ? { status: Number(head.slice(9, 12)), body: () => all.utf8Slice(start) } : undefined;
}
