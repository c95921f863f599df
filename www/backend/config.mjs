export class ConfigurationError extends Error {}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);
const ADDRESS_RULE = "an https address (http on a loopback host), without query, fragment or user name";

/** Reads the backend's configuration from `env`. Throws a ConfigurationError that lists every problem. */
export function readConfig(env) {
  const problems = [];
  const required = (name, about) => {
    const value = env[name]?.trim();
    if (!value) problems.push(`${name} is missing: ${about}`);
    return value;
  };
  const address = (name, about) => {
    const value = required(name, about);
    if (!value) return undefined;
    if (isSafeAddress(value)) return new URL(value).href.replace(/\/+$/, "");
    problems.push(`${name} must be ${ADDRESS_RULE}`);
    return undefined;
  };
  const config = {
    baseUrl: address("REMITKIT_BASE_URL", "the service's base address"),
    cardUrl: address("REMITKIT_CARD_URL", "the address of the card form"),
    clientId: required("REMITKIT_CLIENT_ID", "the client id"),
    clientSecret: required("REMITKIT_CLIENT_SECRET", "the client secret"),
    senderId: required("REMITKIT_SENDER_ID", "the sender id of the shop's customer"),
    port: Number(env.PORT || 4102),
  };
  if (config.senderId && !UUID.test(config.senderId)) problems.push("REMITKIT_SENDER_ID must be a UUID");
  if (!Number.isInteger(config.port) || config.port < 0 || config.port > 65_535) {
    problems.push("PORT must be a number from 0 (any free port) to 65535");
  }
  if (problems.length > 0) throw new ConfigurationError(problems.join("\n"));
  return config;
}

function isSafeAddress(text) {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, search, hash, username, password } = new URL(text);
  const isSecure = protocol === "https:" || (protocol === "http:" && LOOPBACK.has(hostname));
  return isSecure && !search && !hash && !username && !password;
}
