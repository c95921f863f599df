import { kit, serviceOrigin } from "./remit";

export interface Option {
  id: string;
  name: string;
  description?: string | undefined;
}

/** Fetches the options at an address that a field definition names. Only the service itself is ever asked. */
export async function loadOptions(address: string): Promise<Option[]> {
  const origin = await serviceOrigin();
  const url = new URL(address, origin);
  // The request carries the customer's token; a definition must not send it elsewhere.
  if (url.origin !== origin) throw new Error("The options of a field are at a foreign address.");
  const remit = await kit();
  const reply: unknown = await remit.request({
    method: "GET",
    path: url.pathname as `/${string}`,
    query: Object.fromEntries(url.searchParams),
  });
  return Array.isArray(reply) ? reply.map(readOption).filter((option) => option !== undefined) : [];
}

function readOption(sent: unknown): Option | undefined {
  if (typeof sent !== "object" || sent === null || !("id" in sent)) return undefined;
  const { id, name, description } = sent as Record<string, unknown>;
  if (typeof id !== "string" && typeof id !== "number") return undefined;
  return {
    id: String(id),
    name: typeof name === "string" ? name : String(id),
    description: typeof description === "string" ? description : undefined,
  };
}
