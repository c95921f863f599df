import type { RemitKit, Transfer } from "remitkit";
import { isPickup } from "./methods";
import { corridorQuery, preferenceOf, resolveRoute } from "./routes";
import { asChosen, savedAccounts } from "./saved_records";
import { textsIn } from "./sent_transfers";
import type { CheckoutState } from "./state";

/**
 * Returns the checkout of a transfer like an earlier one: same route, recipient, account and amount. The
 * account is absent if the recipient no longer has it. Returns undefined if the service no longer offers the
 * route.
 */
export async function checkoutLike(
  { quote, recipientDetails, recipientAccountDetails }: Transfer,
  remit: RemitKit,
  signal: AbortSignal,
): Promise<Partial<CheckoutState> | undefined> {
  const { sendAmount, receiveAmount, transferMethod } = quote ?? {};
  const { recipientId: id } = textsIn(recipientDetails);
  const corridors = await remit.corridors({}, { signal });
  const wanted = {
    country: quote?.destinationCountry?.iso3Code,
    transferMethod: transferMethod ?? undefined,
    source: sendAmount?.currency.iso3Code,
    destination: receiveAmount?.currency.iso3Code,
  };
  const { route } = resolveRoute(corridors, wanted) ?? {};
  if (!route || !sendAmount || !id) return undefined;
  if (JSON.stringify(preferenceOf(route)) !== JSON.stringify(wanted)) return undefined;
  const chosen = asChosen(await remit.getRecipient(id, { signal }));
  const { recipientType } = chosen;
  const { recipientAccountId: accountId } = textsIn(recipientAccountDetails);
  const fields = isPickup(route.transferMethod)
    ? undefined
    : await remit.recipientAccountFields({ ...corridorQuery(route), recipientType }, { signal });
  const accounts = fields ? await savedAccounts(remit, id, route, fields, signal) : [];
  return {
    corridors,
    route,
    quoteBy: "SEND_AMOUNT",
    amount: sendAmount.value,
    ...chosen,
    account: accounts.find((account) => account.id === accountId),
  };
}
