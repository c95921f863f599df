import type { ListedTransfer, RemitKit } from "remitkit";
import { listedMoney } from "../amounts";
import { momentWords } from "../delivery";
import { t } from "../messages";
import { sentTransfers } from "../sent";
import { statusKey } from "../tracking";
import { button } from "../ui/button";
import { h, on, type LiveText } from "../ui/dom";
import { field } from "../ui/field";
import { endWaiting, showWaiting } from "../ui/loading";
import { statusName } from "../ui/timeline";
import type { App, Step } from "./step";
import { StepForm } from "./step_form";
import { transferView, type TransferView } from "./transfer_view";

const RECENT = 10;
/** How many are looked through for a confirmation number, and how many of these at a time. */
const SEARCHED = 1_000;
const PAGE = 100;

/** Where a transfer is found again: by its confirmation number, or among the last ones. */
export function transfersStep(app: App): Step {
  const goBack = () => app.go(app.origin);
  const number = h("input", { name: "confirmation", inputmode: "numeric", autocomplete: "off", maxlength: 40 });
  const asked = field(number, { label: () => t("done.confirmation"), hint: () => t("transfers.hint") });
  const recent = h("div", { class: "stack" });
  const form = new StepForm(app, "transfers-form", find, { label: () => t("transfers.find"), busy: () => t("transfers.finding") });
  const list = [asked.element, form.submit, h("h2", {}, () => t("transfers.recent")), recent];
  let view: TransferView | undefined;

  function load(): void {
    form.slot.clear();
    showWaiting(recent, 3, goBack);
    const show = async (remit: RemitKit, signal: AbortSignal) => {
      const listed = await remit.transfers({ limit: RECENT }, { signal });
      if (signal.aborted) return;
      recent.replaceChildren(listed.length > 0 ? h("ul", { class: "transfers" }, ...listed.map(row)) : h("p", { class: "muted" }, () => t("transfers.none")));
      endWaiting();
    };
    void form.attempt(show, (error) => {
      endWaiting();
      recent.replaceChildren();
      form.refuse(error, load);
    });
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

  async function find(): Promise<void> {
    if (view) return;
    const wanted = number.value.replace(/[\s-]/g, "");
    asked.setProblem(wanted ? undefined : () => t("problem.missing", { label: t("done.confirmation") }));
    if (!wanted) return number.focus();
    await form.send(async (remit, signal) => {
      const found = await findByNumber(wanted, remit, signal);
      if (signal.aborted) return;
      if (found) await open(found);
      else {
        asked.setProblem(() => t("transfers.unknown"));
        number.focus();
      }
    });
  }

  function open(transferId: string): Promise<void> {
    form.slot.clear();
    const show = async (remit: RemitKit, signal: AbortSignal) => {
      const transfer = await remit.getTransfer(transferId, { signal });
      if (signal.aborted) return;
      view?.stop();
      view = transferView(transfer, sentTransfers().find((sent) => sent.transferId === transferId), () => {});
      form.place.replaceChildren(view.element, button(() => t("transfers.others"), others));
      view.start();
      document.getElementById("step-title")?.focus();
    };
    return form.attempt(show, (error) => form.refuse(error, () => void open(transferId)));
  }

  function others(): void {
    view?.stop();
    view = undefined;
    form.place.replaceChildren(...list);
    number.focus();
    load();
  }

  form.place.replaceChildren(...list);
  return {
    title: () => t("transfers.title"),
    about: () => t("transfers.about"),
    panel: form.panel,
    actions: [button(() => t("profile.back"), goBack)],
    enter: load,
    leave() {
      view?.stop();
      form.leave();
    },
  };
}

// The service finds a transfer by its id alone.
async function findByNumber(wanted: string, remit: RemitKit, signal: AbortSignal): Promise<string | undefined> {
  for (let offset = 0; offset < SEARCHED; offset += PAGE) {
    const listed = await remit.transfers({ limit: PAGE, offset }, { signal });
    const found = listed.find(({ confirmationNumber }) => String(confirmationNumber ?? "") === wanted);
    if (found) return found.transferId;
    if (listed.length < PAGE) break;
  }
  return undefined;
}
