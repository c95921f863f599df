import { FieldForm } from "./field-form.js";
import { TransferAttempt } from "./transfer-attempt.js";
import { invalid, toJson } from "./transfer-imports.js";

/** The steps of the module's flow, and what they ask for: from the page's functions and the card form. */
export class PushToCardSteps {
  #remit;
  #handle;
  #flow;
  #fields;
  #transfer;
  #formOptions;
  #signal;
  // Resolves with the flow's end.
  #stopped;
  #quote;
  #form;
  // A settled `completed` of the form, whose result is used up.
  #spent;

  constructor(remit, handle, options, signal, stopped) {
    const { fields = [], transfer = {}, ...others } = options;
    const { corridor, srcCurrencyIso3Code, dstCurrencyIso3Code, amount, quoteBy, ...more } = others;
    const { recipientId, recipientType, paymentId, ...formOptions } = more;
    if (formOptions.sessionId !== undefined) {
      throw invalid("InvalidRequest", "sessionId", "absent: each card form of a flow begins a session of its own");
    }
    const route = { corridor, srcCurrencyIso3Code, dstCurrencyIso3Code, amount, quoteBy };
    const json = toJson({ ...route, recipientId, recipientType, paymentId }, "options");
    this.#fields = source(fields, "fields", "a list of { id, value }");
    this.#transfer = source(transfer, "transfer", "an object");
    this.#flow = handle.run((kit) => kit.pushToCard(json, signal));
    this.#remit = remit;
    this.#handle = handle;
    this.#formOptions = formOptions;
    this.#signal = signal;
    this.#stopped = stopped;
  }

  async advance() {
    const step = await this.#handle.call(() => this.#flow.next());
    switch (step.type) {
      case "ACCOUNT_FIELDS": {
        const fields = new FieldForm(this.#handle, step.fields);
        this.#answer(await this.#fields(fields));
        return { ...step, fields };
      }
      case "CARD":
        return this.#form === undefined ? this.#showForm() : this.#awaitCard();
      case "RECIPIENT_ACCOUNT":
        this.removeForm();
        return step;
      case "QUOTE":
        this.#quote = step.quote;
        return step;
      case "DETAILS":
        this.#answer(await this.#transfer(this.#quote));
        return this.advance();
      case "TRANSFER":
        return { ...step, attempt: this.#handOut(step.attempt) };
      default:
        return step;
    }
  }

  /** Removes the card form, if there is one. */
  removeForm() {
    this.#form?.destroy();
    this.#form = undefined;
  }

  #answer(text) {
    this.#handle.run(() => this.#flow.answer(text));
  }

  async #showForm() {
    this.#form = await this.#remit.cardForm(this.#formOptions, { signal: this.#signal });
    if (this.#signal.aborted) this.removeForm();
    return { type: "CARD_FORM", form: this.#form };
  }

  async #awaitCard() {
    const form = this.#form;
    if (form.completed === this.#spent) {
      try {
        await form.renew({ signal: this.#signal });
      } catch (error) {
        if (error.code !== "CardFormDestroyed") {
          this.#spent = form.completed;
          throw error;
        }
        this.#form = undefined;
        return this.advance();
      }
    }
    const { completed } = form;
    this.#spent = completed;
    try {
      const card = await completed;
      this.#answer(card.cardId);
      return { type: "CARD", ...card };
    } catch (error) {
      if (error.code === "CardFormDestroyed") this.#form = undefined;
      throw error;
    }
  }

  // If the flow ends before the attempt is handed out, only the journal knows of it.
  #handOut(prepared) {
    const attempt = new TransferAttempt(this.#handle, prepared);
    this.#stopped.then((end) => end.attempt === attempt || attempt.discard()).catch(() => {});
    return attempt;
  }
}

/** Returns a function that gives JSON text: of the option, or of what the page's function returns then. */
function source(given, option, expected) {
  const read = (value) => {
    if (Object(value) !== value) throw invalid("InvalidRequest", option, expected);
    return toJson(value, option);
  };
  if (typeof given !== "function") {
    const text = read(given);
    return async () => text;
  }
  return async (argument) => {
    let answer;
    try {
      answer = await given(argument);
    } catch (cause) {
      throw invalid("InvalidRequest", option, "a function that does not fail", { cause });
    }
    return read(answer);
  };
}
