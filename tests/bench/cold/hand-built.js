import { createClient, mountCardForm } from "../hand-built/index.js";
import { begin, options } from "./moments.js";

export * from "../hand-built/index.js";
begin({
  open: async () => createClient(options),
  readyForm: async (client, container) => {
    const { id } = await client.createCardSession();
    const { element } = mountCardForm({ container, cardUrl: options.cardUrl, sessionId: id });
    await new Promise((resolve) => element.addEventListener("load", resolve));
  },
  transfer: async (client, request) => client.transfer({ ...request, ...(await client.nonce()) }),
});
