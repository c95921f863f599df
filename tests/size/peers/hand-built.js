// All operations of the service over openapi-fetch, each reply checked by a schema; with zod/mini or zod.
export { createClient } from "../../bench/hand-built/client.js";
