const CARD_ID = "CARD_ID";
/**
 * The service may still be at work on what it has not answered, so its list is read again after these pauses.
 */
const LOOK_AFTER_MS = [0, 1000, 3000];

/**
 * Looks for the account of a card, whose creation was not answered, in what `list` gives.
 *
 * @returns `{ account }` if it was made, `{ isNone: true }` if it was not, `{}` if the list does not tell: an
 * account of it keeps its card to itself.
 */
export async function findCardAccount(list, cardId, signal) {
  let accounts;
  for (const ms of LOOK_AFTER_MS) {
    await pause(ms, signal);
    accounts = await list();
    const account = accounts.find((account) => cardOf(account) === cardId);
    if (account !== undefined) {
      return { account };
    }
  }
  return accounts.every((account) => !isForCard(account) || tellsCard(account)) ? { isNone: true } : {};
}

const isForCard = (account) => (account.transferMethod ?? "PUSH_TO_CARD") === "PUSH_TO_CARD";

function cardOf(account) {
  const value = account.fields?.find((field) => field.id === CARD_ID)?.value;
  return value === undefined || value === null ? undefined : String(value);
}

// A value that is masked tells no more than one that is left out.
function tellsCard(account) {
  const card = cardOf(account);
  return card !== undefined && !/[*•]/.test(card);
}

// Never goes on after an abort, so that nothing more is asked.
function pause(ms, signal) {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener("abort", () => clearTimeout(timer), { once: true });
  });
}
