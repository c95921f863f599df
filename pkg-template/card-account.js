const CARD_ID = "CARD_ID";
// The service may still be processing the lost request, so read its list repeatedly.
const READ_AFTER_MS = [0, 1000, 3000];

/**
 * Finds the account of a card, after the reply to its creation was lost, in the accounts that `list` returns.
 *
 * @returns `{ account }` if it was made, `{ isNone: true }` if not, `{}` if undecided: some account hides its
 * card.
 */
export async function findCardAccount(list, cardId, signal) {
  let accounts;
  for (const ms of READ_AFTER_MS) {
    await pause(ms, signal);
    accounts = await list();
    const account = accounts.find((account) => cardOf(account) === cardId);
    if (account !== undefined) return { account };
  }
  return accounts.every((account) => !isForCard(account) || showsCard(account)) ? { isNone: true } : {};
}

const isForCard = (account) => (account.transferMethod ?? "PUSH_TO_CARD") === "PUSH_TO_CARD";

function cardOf(account) {
  const value = account.fields?.find((field) => field.id === CARD_ID)?.value;
  return value === undefined || value === null ? undefined : String(value);
}

// A masked value does not count.
function showsCard(account) {
  const card = cardOf(account);
  return card !== undefined && !/[*•]/.test(card);
}

// Never settles after an abort, so that no further request is sent.
function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
