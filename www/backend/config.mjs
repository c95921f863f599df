/** What is wrong with the environment, in words for whoever starts the backend. */
export class ConfigurationError extends Error {}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const LOOPBACK = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** Reads the backend's configuration from `env`; throws a ConfigurationError that lists everything amiss. */
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
    const url = URL.canParse(value) ? new URL(value) : undefined;
    const secure = url?.protocol === "https:" || (url?.protocol === "http:" && LOOPBACK.has(url.hostname));
    const bare = url && !url.search && !url.hash && !url.username && !url.password;
    if (!secure || !bare) {
      problems.push(`${name} must be an https address (http on a loopback host), without query, fragment or user name`);
      return undefined;
    }
    return url.href.replace(/\/+$/, "");
  };

  const config = {
    baseUrl: address("REMITKIT_BASE_URL", "the service's base address"),
    cardUrl: address("REMITKIT_CARD_URL", "the address of the card form"),
    clientId: required("REMITKIT_CLIENT_ID", "the client id"),
    clientSecret: required("REMITKIT_CLIENT_SECRET", "the client secret"),
    senderId: required("REMITKIT_SENDER_ID", "the sender that this shop's customer is"),
    port: readPort(env.PORT, problems),
    stopWithStdin: env.REMITKIT_STOP_WITH_STDIN === "1",
  };
  if (config.senderId && !UUID.test(config.senderId)) problems.push("REMITKIT_SENDER_ID must be a UUID");
  if (problems.length > 0) throw new ConfigurationError(problems.join("\n"));
  return config;
}

function readPort(text = "4102", problems) {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(port <= 65_535)) problems.push("PORT must be a number from 0 (any free port) to 65535");
  return port;
}
