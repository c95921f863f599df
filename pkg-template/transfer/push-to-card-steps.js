import { fieldFailure, invalid, standardFailure, toJson } from "./transfer-imports.js";

const CARD_ID = "CARD_ID";

/** The steps of the Push-to-Card flow. `advance` takes the first without a result, also after a failure. */
export class PushToCardSteps {
  #remit;
  #handle;
  #options;
  #signal;
  // Resolves with the flow's end.
  #stopped;
  // The results of the steps.
  #corridor;
  #fields;
  #form;
  #card;
  #account;
  #quote;
  // A settled `completed` of the form, whose result is used up.
  #spent;
  #isAccountUnknown = false;

  constructor(remit, handle, options, signal, stopped) {
    this.#remit = remit;
    this.#handle = handle;
    this.#options = options;
    this.#signal = signal;
    this.#stopped = stopped;
  }

  async advance() {
    if (this.#corridor === undefined) {
      this.#corridor = await this.#findCorridor();
      return { type: "CORRIDOR", corridor: this.#corridor };
    }
    if (this.#fields === undefined) {
      const [form, fields] = await this.#collectFields();
      this.#fields = fields;
      return { type: "ACCOUNT_FIELDS", fields: form };
    }
    if (this.#card === undefined && this.#form === undefined) {
      this.#form = await this.#showForm();
      return { type: "CARD_FORM", form: this.#form };
    }
    if (this.#card === undefined) return this.#awaitCard();
    if (this.#account === undefined) {
      this.#account = await this.#withCard(() => this.#createAccount());
      this.removeForm();
      return { type: "RECIPIENT_ACCOUNT", recipientAccount: this.#account };
    }
    if (this.#quote === undefined) {
      this.#quote = await this.#withCard(() => this.#call("quote", this.#price()));
      return { type: "QUOTE", quote: this.#quote };
    }
    return { type: "TRANSFER", attempt: await this.#withCard(() => this.#prepare()) };
  }

  #call(method, ...args) {
    return this.#remit[method](...args, { signal: this.#signal });
  }

  async #findCorridor() {
    const { route, price } = this.#options;
    const { srcCurrencyIso3Code } = price;
    const [corridor] = await this.#call("corridors", { ...route, srcCurrencyIso3Code });
    if (corridor === undefined) throw this.#noCorridor();
    return corridor;
  }

  /** Collects the account's fields, and checks all but the card. */
  async #collectFields() {
    const { route, recipientType, fields: source } = this.#options;
    const form = await this.#call("recipientAccountFields", { ...route, recipientType });
    if (!form.requiresCard) throw this.#noCorridor({ option: CARD_ID });
    const fields = await source(form);
    if (!Array.isArray(fields) || fields.some((field) => typeof field?.id !== "string")) {
      throw invalid("InvalidRequest", "fields", "a list of { id, value }");
    }
    if (fields.some((field) => field.id === CARD_ID)) {
      throw invalid("InvalidRequest", "fields", `without ${CARD_ID}, which the card form brings`);
    }
    const values = Object.fromEntries(fields.map(({ id, value }) => [id, value]));
    const problems = form.check(values).filter((problem) => problem.fieldId !== CARD_ID);
    if (problems.length > 0) throw fieldFailure(problems);
    return [form, fields];
  }

  async #showForm() {
    const form = await this.#call("cardForm", this.#options.form);
    if (this.#signal.aborted) form.destroy();
    return form;
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
    try {
      this.#card = await completed;
    } catch (error) {
      this.#spent = completed;
      if (error.code === "CardFormDestroyed") this.#form = undefined;
      throw error;
    }
    this.#spent = completed;
    return { type: "CARD", ...this.#card };
  }

  /** Runs a step that uses the card. If the card is refused, the next step asks for another. */
  async #withCard(work) {
    try {
      return await work();
    } catch (error) {
      if (error.kind === "card") {
        this.#card = undefined;
        this.#account = undefined;
        this.#quote = undefined;
        this.#isAccountUnknown = false;
      }
      throw error;
    }
  }

  async #createAccount() {
    const { route, recipientId } = this.#options;
    const account = { ...route, fields: [...this.#fields, { id: CARD_ID, value: this.#card.cardId }] };
    try {
      if (!this.#isAccountUnknown) return await this.#call("createRecipientAccount", recipientId, account);
      const json = toJson(account, "fields");
      const recover = (kit, signal) => kit.recoverCardAccount(recipientId, json, signal);
      return await this.#handle.call(recover, { signal: this.#signal });
    } catch (error) {
      // What follows may fail before it has found out.
      this.#isAccountUnknown ||= error.kind === "outcome_unknown";
      if (error.kind === "field") {
        // The required fields have changed, or the values were wrong: collect them again.
        this.#fields = undefined;
      }
      throw error;
    }
  }

  #price() {
    const { route, price } = this.#options;
    return { ...route, ...price, recipientAccountId: this.#account.recipientAccountId };
  }

  async #prepare() {
    const { recipientId, transfer, payment } = this.#options;
    const { quoteHistoryId } = this.#quote;
    try {
      const details = await transfer(this.#quote);
      const request = { ...details, ...payment, ...this.#price(), quoteHistoryId, recipientId };
      const attempt = await this.#call("prepareTransfer", request);
      // If the flow ends before the attempt is handed out, only the journal knows of it.
      this.#stopped.then((end) => end.attempt === attempt || attempt.discard()).catch(() => {});
      return attempt;
    } catch (error) {
      if (error.resolution === "fetch_new_quote") this.#quote = undefined;
      throw error;
    }
  }

  #noCorridor(details) {
    return this.#handle.translate(standardFailure("NoCorridorFoundForSpecificValues", details));
  }

  /** Removes the card form, if there is one. */
  removeForm() {
    this.#form?.destroy();
    this.#form = undefined;
  }
}
