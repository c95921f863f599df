import { create as createClient } from "braintree-web/client";
import { create as createHostedFields } from "braintree-web/hosted-fields";

export async function mountCardForm(authorization) {
  const client = await createClient({ authorization });
  const fields = await createHostedFields({
    client,
    fields: {
      number: { container: "#number" },
      expirationDate: { container: "#expiration-date" },
      cvv: { container: "#cvv" },
    },
  });
  return { submit: () => fields.tokenize(), unmount: () => fields.teardown() };
}
