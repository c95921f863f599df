import type { ListedTransfer, RemitKit, Transfer } from "remitkit";
import { listedMoney } from "../amounts";
import { formatDate } from "../delivery";
import { t } from "../messages";
import { checkoutLike } from "../send_again";
import { sentTransferById } from "../sent_transfers";
import { button, isBusy, whileBusy } from "../ui/button";
import { figure, h, on } from "../ui/dom";
import { field } from "../ui/field";
import { endWaiting, showWaiting } from "../ui/loading";
import { action, plainNotice } from "../ui/notice";
import { statusKey, statusName } from "../ui/timeline";
import { startAnother, type App, type Step } from "./step";
import { StepForm } from "./step_form";
import { TransferView } from "./transfer_view";

const RECENT = 10;
/** How many transfers are searched for a confirmation number, and how many are fetched at a time. */
const SEARCHED = 1_000;
const PAGE = 100;

/** The customer's transfers, found by confirmation number or among the recent ones. */
export function transfersStep(app: App): Step {
  const attributes = { name: "confirmation", inputmode: "numeric", autocomplete: "off", maxlength: 40 };
  const input = h("input", attributes);
  const number = field(input, { label: () => t("done.confirmation"), hint: () => t("transfers.hint") });
  const recent = h("div.stack");
  const labels = { label: () => t("transfers.find"), busyLabel: () => t("transfers.finding") };
  const form = new StepForm(app, "transfers-form", find, { ...labels, back: "origin" });
  const list = [number.element, form.submit, h("h2", () => t("transfers.recent")), recent];
  let view: TransferView | undefined;

  function load(): void {
    form.slot.clear();
    showWaiting(recent, 3, () => form.goBack());
    const show = async (remit: RemitKit, signal: AbortSignal) => {
      const listed = await remit.transfers({ limit: RECENT }, { signal });
      if (signal.aborted) return;
      endWaiting();
      const none = h("p.muted", () => t("transfers.none"));
      recent.replaceChildren(listed.length > 0 ? h("ul.transfers", ...listed.map(row)) : none);
    };
    void form.run(show, (error) => {
      endWaiting();
      recent.replaceChildren();
      form.showError(error, load);
    });
  }

  function row({ transferId, createdAt, status, quote, confirmationNumber }: ListedTransfer): HTMLElement {
    const recipient = sentTransferById(transferId)?.recipient;
    const amount = () => listedMoney(quote?.sendAmount);
    const title = () => (recipient ? t("sent.short", { amount: amount(), recipient }) : amount());
    const time = () => formatDate(createdAt, "short");
    const details = () => `${time()} · ${statusName(statusKey(status), status)}`;
    const show = h("button", { type: "button", class: "transfer" }, [
      figure(h("strong", title)),
      " ",
      h("span.muted", details),
      " ",
      figure(h("span.code", String(confirmationNumber ?? ""))),
    ]);
    return h("li", on(show, { click: () => void open(transferId) }));
  }

  async function find(): Promise<void> {
    if (view) return;
    const wanted = input.value.replace(/[\s-]/g, "");
    number.setProblem(wanted ? undefined : () => t("problem.missing", { label: t("done.confirmation") }));
    if (!wanted) return input.focus();
    const search = async (remit: RemitKit, signal: AbortSignal) => {
      const found = await findByNumber(wanted, remit, signal);
      if (signal.aborted || view) return;
      if (found) return open(found);
      number.setProblem(() => t("transfers.unknown"));
      input.focus();
    };
    // The customer may have opened one of the list meanwhile.
    await form.send(search, (error) => !view && form.showError(error, () => void find()));
  }

  function open(transferId: string): Promise<void> {
    form.slot.clear();
    const show = async (remit: RemitKit, signal: AbortSignal) => {
      const transfer = await remit.getTransfer(transferId, { signal });
      if (signal.aborted) return;
      view?.stop();
      view = new TransferView(transfer, sentTransferById(transferId), () => {});
      const again = button(() => t("transfers.again"), () => void sendAgain(transfer, again), "primary");
      const others = button(() => t("transfers.others"), showList);
      form.body.replaceChildren(view.element, h("div.button-row", again, others));
      view.start();
      document.getElementById("step-title")?.focus();
    };
    return form.run(show, (error) => form.showError(error, () => void open(transferId)));
  }

  /** Prepares a transfer like this one. The customer sees its price before anything is sent. */
  async function sendAgain(transfer: Transfer, pressed: HTMLButtonElement): Promise<void> {
    if (isBusy(pressed)) return;
    form.slot.clear();
    const prepare = async (remit: RemitKit, signal: AbortSignal) => {
      const next = await checkoutLike(transfer, remit, signal);
      if (signal.aborted) return;
      const [title, text] = ["transfers.again.gone.title", "transfers.again.gone.text"] as const;
      const ways = [action("done.another", () => startAnother(app))];
      if (!next) return form.slot.show(plainNotice("error", title, text, ways));
      app.checkout.restart();
      app.checkout.change(next);
      app.go(next.account ? "review" : "account");
    };
    const failed = (error: unknown) => form.showError(error, () => void sendAgain(transfer, pressed));
    await whileBusy(pressed, () => t("transfers.again.loading"), () => form.run(prepare, failed));
  }

  function showList(): void {
    view?.stop();
    view = undefined;
    form.body.replaceChildren(...list);
    input.focus();
    load();
  }

  form.body.replaceChildren(...list);
  return form.step({
    title: () => t("transfers.title"),
    about: () => t("transfers.about"),
    actions: [form.back],
    enter: load,
    leave() {
      view?.stop();
      form.leave();
    },
  });
}

/** Searches the lists of transfers: the service itself finds a transfer only by its id. */
async function findByNumber(wanted: string, remit: RemitKit, signal: AbortSignal) {
  for (let offset = 0; offset < SEARCHED; offset += PAGE) {
    const listed = await remit.transfers({ limit: PAGE, offset }, { signal });
    const found = listed.find(({ confirmationNumber }) => String(confirmationNumber ?? "") === wanted);
    if (found) return found.transferId;
    if (listed.length < PAGE) break;
  }
  return undefined;
}
