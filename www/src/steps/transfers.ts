import type { ListedTransfer } from "remitkit";
import { listedMoney } from "../amounts";
import { momentWords } from "../delivery";
import { t } from "../messages";
import { kit } from "../remit";
import { sentTransfers } from "../sent";
import { statusKey } from "../tracking";
import { button, isBusy, setBusy, submitButton } from "../ui/button";
import { h, on, type LiveText } from "../ui/dom";
import { field } from "../ui/field";
import { endWaiting, showWaiting } from "../ui/loading";
import { errorNotice } from "../ui/notice";
import { statusName } from "../ui/timeline";
import type { App, Step } from "./step";
import { transferView, type TransferView } from "./transfer_view";

const FORM = "transfers-form";
const RECENT = 10;
/** How many are looked through for a confirmation number, and how many of these at a time. */
const SEARCHED = 1_000;
const PAGE = 100;

/** Where a transfer is found again: by its confirmation number, or among the last ones. */
export function transfersStep(app: App): Step {
  const slot = app.headSlot();
  const place = h("div", { class: "stack" });
  const number = h("input", { name: "confirmation", inputmode: "numeric", autocomplete: "off", maxlength: 40 });
  const asked = field(number, { label: () => t("done.confirmation"), hint: () => t("transfers.hint") });
  const recent = h("div", { class: "stack" });
  const submit = submitButton(() => t("transfers.find"), FORM);
  const panel = on(h("form", { id: FORM, novalidate: true, class: "stack" }, slot.element, place), {
    submit: (event) => void find(event),
  });
  const list = [asked.element, submit, h("h2", {}, () => t("transfers.recent")), recent];
  const leaving = new AbortController();
  const { signal } = leaving;
  let view: TransferView | undefined;

  async function load(): Promise<void> {
    slot.clear();
    showWaiting(recent, 3, goBack);
    try {
      const remit = await kit();
      const listed = await remit.transfers({ limit: RECENT }, { signal });
      if (signal.aborted) return;
      recent.replaceChildren(listed.length > 0 ? h("ul", { class: "transfers" }, ...listed.map(row)) : h("p", { class: "muted" }, () => t("transfers.none")));
      endWaiting();
    } catch (error) {
      failed(error, () => void load());
    }
  }

  function row(listed: ListedTransfer): HTMLElement {
    const { transferId, createdAt, status, quote, confirmationNumber } = listed;
    const recipient = sentTransfers().find((sent) => sent.transferId === transferId)?.recipient;
    const amount = () => listedMoney(quote?.sendAmount);
    const what: LiveText = () => (recipient ? t("sent.short", { amount: amount(), recipient }) : amount());
    const when: LiveText = () => [momentWords(new Date(createdAt ?? Number.NaN)), statusName(statusKey(status), status)].join(" · ");
    const show = h("button", { type: "button", class: "transfer" }, h("strong", {}, what), " ", h("span", { class: "muted" }, when), " ", h("span", { class: "code" }, String(confirmationNumber ?? "")));
    return h("li", {}, on(show, { click: () => void open(transferId) }));
  }

  async function find(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (view || isBusy(submit)) return;
    const wanted = number.value.replace(/[\s-]/g, "");
    asked.setProblem(wanted ? undefined : () => t("problem.missing", { label: t("done.confirmation") }));
    if (!wanted) return number.focus();
    slot.clear();
    setBusy(submit, true, () => t("transfers.finding"));
    try {
      const found = await findByNumber(wanted);
      if (signal.aborted) return;
      if (found) await open(found);
      else {
        asked.setProblem(() => t("transfers.unknown"));
        number.focus();
      }
    } catch (error) {
      failed(error, () => panel.requestSubmit());
    } finally {
      setBusy(submit, false, () => t("transfers.find"));
    }
  }

  // The service finds a transfer by its id alone.
  async function findByNumber(wanted: string): Promise<string | undefined> {
    const remit = await kit();
    for (let offset = 0; offset < SEARCHED; offset += PAGE) {
      const listed = await remit.transfers({ limit: PAGE, offset }, { signal });
      const found = listed.find(({ confirmationNumber }) => String(confirmationNumber ?? "") === wanted);
      if (found) return found.transferId;
      if (listed.length < PAGE) break;
    }
    return undefined;
  }

  async function open(transferId: string): Promise<void> {
    slot.clear();
    try {
      const remit = await kit();
      const transfer = await remit.getTransfer(transferId, { signal });
      if (signal.aborted) return;
      view = transferView(transfer, sentTransfers().find((sent) => sent.transferId === transferId), () => {});
      place.replaceChildren(view.element, button(() => t("transfers.others"), others));
      view.start();
      document.getElementById("step-title")?.focus();
    } catch (error) {
      failed(error, () => void open(transferId));
    }
  }

  function others(): void {
    view?.stop();
    view = undefined;
    place.replaceChildren(...list);
    number.focus();
    void load();
  }

  function failed(error: unknown, again: () => void): void {
    if (signal.aborted) return;
    endWaiting();
    recent.querySelector(".skeleton")?.remove();
    slot.show(errorNotice(error, [{ label: () => t("action.again"), run: again }]));
  }

  function goBack(): void {
    app.go(app.origin);
  }

  place.replaceChildren(...list);
  return {
    title: () => t("transfers.title"),
    about: () => t("transfers.about"),
    panel,
    actions: [button(() => t("profile.back"), goBack)],
    enter: () => void load(),
    leave() {
      view?.stop();
      leaving.abort();
    },
  };
}
