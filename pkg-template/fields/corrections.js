// Loaded once something is wrong. The code of a problem says only that something is; these words say how to
// correct it.

const MISSING = ["MissingRequiredField", "NotEmptyValidator", "InvalidSenderName", "InvalidRecipientName"];
const MALFORMED = ["ValueRegexFailure", "RecipientInvalidPhoneNumber"];
const DIGITS_ONLY = /^\^?(?:\\d|\[0-9\]|[0-9{},+*?()$|])+\$?$/;
// More unusual characters than these are no typing mistake.
const MAX_ODD = 3;

const ENGLISH = {
  wrong: "One detail needs another look",
  allWrong: "{count} details need another look",
  empty: "{label} is missing.",
  unchosen: "{label}: choose one.",
  again: "{label}: please enter it again. Only a part of it is shown here, and all details have to be saved together.",
  email: "Enter the whole email address, such as name@example.com.",
  phone: "The phone number must have the country code {code}.",
  digits: "{label} has {length} digits; this has {count}.",
  tooFewDigits: "{label} has at least {length} digits; this has {count}.",
  tooManyDigits: "{label} has at most {length} digits; this has {count}.",
  odd: "{label} can’t contain “{odd}”.",
  early: "{label} must be {date} or later.",
  late: "{label} must be {date} or earlier.",
  short: "{label} needs at least {length} characters.",
  long: "{label} can’t be longer than {length} characters.",
  format: "{label} is not in the expected format.",
};

const RULES = `
[part=summary] { border: 2px solid var(--remit-danger, currentColor); padding: 1em; margin-block-end: 1.5em;
  border-radius: var(--remit-button-radius, 4px) }
[part=summary]:focus { outline: 2px solid var(--remit-primary, Highlight); outline-offset: 2px }
[part=summary-title] { font-weight: 600 }
[part=summary-list] { margin: .5em 0 0; padding-inline-start: 1.25em }
[part=summary-item] { display: inline-block; min-height: 1.5em; color: inherit }
`;

/** Helps to correct the values of an element: words for problems, and a summary of several. */
export class Corrections {
  static rules = RULES;
  #element;
  #place;
  #controls;
  #settings;
  #summary;
  #isShown = false;
  #said;
  // The words so far, which make sense without the field's label.
  #words = new Set();

  /**
   * `settings` has the `form`, its `country` and `masked` values, the `texts` in a `language`, and functions of the
   * first script.
   */
  constructor(element, place, controls, settings) {
    this.#element = element;
    this.#place = place;
    this.#controls = controls;
    this.#settings = settings;
    this.#summary = settings.make("div", "summary");
    this.#summary.setAttribute("role", "group");
    this.#summary.tabIndex = -1;
    controls.onChange(() => this.#update());
  }

  /** Says a problem of a field with these values; undefined to leave it as it is. */
  word = (problem, field, values) => {
    const words = this.#wordsFor(problem, field, values);
    this.#words.add(words);
    return words;
  };

  #wordsFor(problem, field, values) {
    const { fieldId, fieldType, label, hintText, regex, minLength, minValue, maxValue } = field;
    const { form, country, masked, language, prefixOf, valueOf } = this.#settings;
    const say = (name, inserted) => this.#say(name, { label, ...inserted });
    const value = values[fieldId];
    const text = typeof value === "object" ? (value?.number ?? "") : `${value ?? ""}`;
    if (MISSING.includes(problem.code) && text.trim() === "") {
      if (masked && Object.hasOwn(masked, fieldId)) return say("again");
      return say(fieldType === "DROPDOWN" ? "unchosen" : "empty");
    }
    if (!MALFORMED.includes(problem.code)) return undefined;
    if (fieldType === "DATE") {
      const sayDate = (name, date) => say(name, { date: dateText(date, language) });
      if (maxValue && text > maxValue) return sayDate("late", maxValue);
      return minValue && text < minValue ? sayDate("early", minValue) : say("format");
    }
    const code = prefixOf(form, country, field, value);
    if (code && /^(\+|00)/.test(text)) return say("phone", { code });
    if (/email/i.test(fieldId)) return say("email");
    const maxLength = field.maxLength || Infinity;
    const isShort = text.length < (minLength ?? 0);
    const length = isShort ? minLength : text.length > maxLength ? maxLength : undefined;
    if (length && DIGITS_ONLY.test(regex ?? "") && /^\d+$/.test(text)) {
      const name = minLength === maxLength ? "digits" : isShort ? "tooFewDigits" : "tooManyDigits";
      return say(name, { length, count: text.length });
    }
    const accepts = (other) => {
      const found = form.check({ ...values, [fieldId]: valueOf(field, other, country, value) });
      return !found.some((one) => one.fieldId === fieldId);
    };
    const odd = oddIn(text, accepts);
    if (odd) return say("odd", { odd });
    if (length) return say(isShort ? "short" : "long", { length });
    return hintText ? `${say("format")} ${hintText}` : say("format");
  }

  /** Focuses a summary of what is wrong. Returns whether there is one: a single problem needs none. */
  summarize() {
    this.#isShown = this.#element.summary !== "never" && this.#controls.wrong.length > 1;
    this.#update();
    this.#summary.focus();
    return this.#isShown;
  }

  // Each entry leads to its field, and goes once that is right.
  #update() {
    const { wrong } = this.#controls;
    this.#isShown &&= wrong.length > 0;
    if (!this.#isShown) return this.#summary.remove();
    const { make } = this.#settings;
    const title = this.#say(wrong.length > 1 ? "allWrong" : "wrong", { count: wrong.length });
    const told = wrong.map(({ label, problem }) => (this.#words.has(problem) ? problem : `${label}: ${problem}`));
    const said = [title, ...told].join("\n");
    // What has the focus stays.
    if (this.#said !== said) {
      this.#said = said;
      const items = told.map((text, at) => make("li", "summary-entry", this.#link(wrong[at], text)));
      this.#summary.setAttribute("aria-label", title);
      this.#summary.replaceChildren(make("h2", "summary-title", title), make("ul", "summary-list", ...items));
    }
    if (!this.#summary.isConnected) this.#place.prepend(this.#summary);
  }

  #link({ field, controlProps }, text) {
    const link = this.#settings.make("a", "summary-item", text);
    link.href = `#${controlProps.id}`;
    link.addEventListener("click", (event) => {
      // Following the link would add to the browser's history, and leads into no shadow root.
      event.preventDefault();
      this.#controls.focus(field.fieldId);
    });
    return link;
  }

  #say(name, inserted) {
    const { texts, filledIn } = this.#settings;
    return filledIn(texts("texts", name, ENGLISH[name]), inserted);
  }
}

const dateText = (iso, language) =>
  new Date(`${iso}T00:00:00Z`).toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" });

/** Returns the characters without which the field would take the text. */
function oddIn(text, accepts) {
  const without = (signs) => accepts([...text].filter((sign) => !signs.includes(sign)).join(""));
  const all = [...new Set(text)];
  const one = all.find((sign) => without([sign]));
  if (one !== undefined) return one.trim();
  const odd = all.filter((sign) => !/[\p{L}\s]/u.test(sign));
  return odd.length > 0 && odd.length <= MAX_ODD && without(odd) ? odd.join(" ") : "";
}
