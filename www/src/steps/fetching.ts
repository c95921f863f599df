import type { RemitKit } from "remitkit";
import { t } from "../messages";
import { kit } from "../remit";
import { endWaiting, showWaiting } from "../ui/loading";
import { errorNotice, type NoticeSlot } from "../ui/notice";

export interface Fetching {
  place: Element;
  slot: NoticeSlot;
  /** How high what is fetched will be, in fields. */
  rows: number;
  goBack: () => void;
  signal: AbortSignal;
}

/** Fetches a step's content into its place, or nothing if the step is left; shows a failure with `again`. */
export async function fetchInto<Fetched>(
  { place, slot, rows, goBack, signal }: Fetching,
  fetch: (remit: RemitKit) => Promise<Fetched>,
  again: () => void,
): Promise<Fetched | undefined> {
  slot.clear();
  showWaiting(place, rows, goBack);
  try {
    const fetched = await fetch(await kit());
    if (signal.aborted) return undefined;
    endWaiting();
    return fetched;
  } catch (error) {
    if (signal.aborted) return undefined;
    endWaiting();
    place.replaceChildren();
    slot.show(errorNotice(error, [{ label: () => t("action.again"), run: again }]));
    return undefined;
  }
}
