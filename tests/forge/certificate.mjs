// A self-signed certificate, for a server that browsers do not trust.

import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

const ECDSA_WITH_SHA256 = sequence(Buffer.from("06082a8648ce3d040302", "hex"));
const COMMON_NAME = Buffer.from("0603550403", "hex");
const SUBJECT_ALTERNATIVE_NAME = Buffer.from("0603551d11", "hex");
const DAY_MS = 86_400_000;

/** Returns a host's key and certificate (RFC 5280, in DER), valid for a week, as PEM. */
export function selfSigned(host) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const name = sequence(tagged(0x31, sequence(COMMON_NAME, tagged(0x0c, Buffer.from(host)))));
  const names = sequence(tagged(0x82, Buffer.from(host)));
  const toSign = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    tagged(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(Date.now() - DAY_MS), time(Date.now() + 7 * DAY_MS)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    tagged(0xa3, sequence(sequence(SUBJECT_ALTERNATIVE_NAME, tagged(0x04, names)))),
  );
  const signature = Buffer.concat([Buffer.from([0]), sign("sha256", toSign, privateKey)]);
  const certificate = sequence(toSign, ECDSA_WITH_SHA256, tagged(0x03, signature)).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }),
    cert: `-----BEGIN CERTIFICATE-----\n${certificate.match(/.{1,64}/g).join("\n")}\n-----END CERTIFICATE-----\n`,
  };
}

function tagged(tag, content) {
  const { length } = content;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), content]);
}

function sequence(...parts) {
  return tagged(0x30, Buffer.concat(parts));
}

function time(ms) {
  return tagged(0x17, Buffer.from(`${new Date(ms).toISOString().slice(2, 19).replace(/[-:T]/g, "")}Z`));
}
