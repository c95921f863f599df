// Loaded once something is wrong. The code of a problem says only that something is; these words say how to
// correct it.

const UNFILLED = ["MissingRequiredField", "NotEmptyValidator", "InvalidSenderName", "InvalidRecipientName"];
const MALFORMED = ["ValueRegexFailure", "RecipientInvalidPhoneNumber"];
const TAKES_LATIN = /[Aa]-[Zz]|\\w|Latin|ASCII|[ !]-~|\\(x|u00)[0-4].-\\(x|u00)7/;
const OTHER_LETTER = /(?!\p{Script=Latin})\p{L}/u;
// What people group digits by is not sent.
const SEPARATORS = /[\s\p{Cf}\p{Pd}\u2212./()]/gu;
const COUNTED_DIGITS = /^\^(?:\\d|\[0-9])\{(\d+)(?:,(\d+))?\}\$$/;
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
  latin: "{label}: use Latin letters, as in the passport.",
  format: "{label} is not in the expected format.",
};

const RULES = `
[part=summary] { border: 2px solid var(--remit-danger, currentColor); padding: 1em; margin-block-end: 1.5em;
  border-radius: var(--remit-button-radius, 4px) }
[part=summary]:focus { outline: 2px solid var(--remit-primary, Highlight); outline-offset: 2px }
[part=summary-title] { font-weight: 600 }
[part=summary-list] { margin: .5em 0 0; padding-inline-start: 1.25em }
[part=summary-item] { display: inline-block; min-height: 1.5em; vertical-align: top; color: inherit }
`;

/** Helps to correct the values of an element: words for problems, and a summary of several. */
export class Corrections {
  static rules = RULES;
  #element;
  #place;
  #controls;
  #settings;
  #summary;
  #title;
  #list;
  #isShown = false;
  #told = [];
  // The words so far, which make sense without the field's label.
  #words = new Set();
  // Those of each field, as what is odd about a text takes many checks to find.
  #known = new Map();

  /**
   * `settings` has the `form`, its `country` and `masked` values, `loaded` with the `texts` and their `language`, and
   * functions of the first script.
   */
  constructor(element, place, controls, settings) {
    this.#element = element;
    this.#place = place;
    this.#controls = controls;
    this.#settings = settings;
    const { make, makeText } = settings;
    this.#title = makeText("h2", "summary-title");
    this.#list = make("ul", "summary-list");
    this.#summary = make("div", "summary", this.#title, this.#list);
    this.#summary.setAttribute("role", "group");
    this.#summary.tabIndex = -1;
    controls.onChange(() => settings.afterPress(this, () => this.#update()));
  }

  /** Says a problem of a field with these values; undefined to leave it as it is. */
  word = (problem, field, values) => {
    const { texts } = this.#settings.loaded;
    const value = values[field.fieldId];
    const key = [texts, field, problem.code, typeof value === "object" ? value?.number : value];
    const known = this.#known.get(field.fieldId);
    if (known?.key.every((one, at) => one === key[at])) return known.words;
    const words = this.#wordsFor(problem, field, values);
    this.#words.add(words);
    this.#known.set(field.fieldId, { key, words });
    return words;
  };

  #wordsFor(problem, field, values) {
    const { fieldId, fieldType, label, hintText, regex, minLength, maxLength, minValue, maxValue } = field;
    const { form, country, masked, loaded, Sentence, isOfDigits, memberOf, prefixOf, valueOf } = this.#settings;
    const say = (name, inserted) => this.#say(name, { label, ...inserted });
    const value = values[fieldId];
    const text = typeof value === "object" ? (value?.number ?? "") : `${value ?? ""}`;
    if (UNFILLED.includes(problem.code) && text.trim() === "") {
      if (memberOf(masked, fieldId) !== undefined) return say("again");
      return say(fieldType === "DROPDOWN" ? "unchosen" : "empty");
    }
    if (!MALFORMED.includes(problem.code)) return undefined;
    if (fieldType === "DATE") {
      // In the language of the words around it.
      const sayDate = (name, date) => say(name, { date: dateText(date, say(name).lang ?? loaded.language) });
      if (!DATE.test(text)) return say("date");
      if (maxValue && text > maxValue) return sayDate("late", maxValue);
      return minValue && text < minValue ? sayDate("early", minValue) : say("format");
    }
    let number = text.replace(SEPARATORS, "");
    const international = number.replace(/^00/, "+");
    const code = prefixOf(form, country, field, value);
    if (code && international.startsWith("+")) {
      if (!international.startsWith(code)) return say("phone", { code });
      number = international.slice(code.length);
    }
    if (/email/i.test(fieldId)) return say("email");
    const [, least = 0, most = least || Infinity] = COUNTED_DIGITS.exec(regex) ?? [];
    const min = Math.max(minLength ?? 0, least);
    const max = Math.min(maxLength || Infinity, most);
    const isNumber = fieldType === "PHONE_NUMBER" || isOfDigits(regex);
    const sent = () => `${form.toFields({ [fieldId]: value })[0]?.value}`;
    const { length: count } = isNumber ? (number.match(/\p{Nd}/gu) ?? []) : sent();
    const isShort = count < min;
    const isLong = count > max;
    const length = isShort ? min : max;
    if (isNumber && (isShort || isLong)) {
      return say(min === max ? "digits" : isShort ? "tooFewDigits" : "tooManyDigits", { length, count });
    }
    const accepts = (other) => {
      const found = form.check({ ...values, [fieldId]: valueOf(field, other, country, value) });
      return !found.some((one) => one.fieldId === fieldId);
    };
    if (OTHER_LETTER.test(text) && TAKES_LATIN.test(regex ?? "")) return say("latin");
    if (isLong) return say("long", { length });
    const odd = oddIn(text, accepts);
    if (odd) return say("odd", { odd });
    if (isShort) return say("short", { length });
    return hintText ? say("format").and(new Sentence(hintText)) : say("format");
  }

  /** Focuses a summary of what is wrong. Returns whether there is one: a single problem needs none. */
  summarize() {
    this.#isShown = this.#element.summary !== "never" && this.#controls.wrong.length > 1;
    this.#update();
    this.#summary.focus();
    return this.#isShown;
  }

  // Each entry leads to its field, and goes once that is right. What has the focus stays.
  #update() {
    const { wrong } = this.#controls;
    this.#isShown &&= wrong.length > 0;
    const focused = this.#summary.getRootNode().activeElement;
    const hasFocus = this.#summary.contains(focused);
    if (!this.#isShown) {
      if (hasFocus) this.#controls.focus();
      return this.#summary.remove();
    }
    const { showText, make } = this.#settings;
    const title = this.#say(wrong.length > 1 ? "allWrong" : "wrong", { count: wrong.length });
    showText(this.#title, title);
    this.#summary.setAttribute("aria-label", title);
    const told = wrong.map(({ label, problem, field }) => {
      return { fieldId: field.fieldId, text: this.#words.has(problem) ? problem : `${label}: ${problem}` };
    });
    const keyOf = (all) => JSON.stringify(all.map(({ fieldId, text }) => [fieldId, String(text)]));
    if (keyOf(told) !== keyOf(this.#told)) {
      this.#told = told;
      const items = told.map(({ text }, at) => make("li", "summary-entry", this.#link(wrong[at], text)));
      this.#list.replaceChildren(...items);
      // Those with the focus were thrown out.
      if (hasFocus && focused !== this.#summary) this.#summary.focus();
    }
    if (!this.#summary.isConnected) this.#place.prepend(this.#summary);
  }

  #link({ field, controlProps }, text) {
    const link = this.#settings.makeText("a", "summary-item", text);
    link.href = `#${controlProps.id}`;
    link.addEventListener("click", (event) => {
      // Following the link would add to the browser's history, and leads into no shadow root.
      event.preventDefault();
      this.#controls.focus(field.fieldId);
    });
    return link;
  }

  #say(name, inserted) {
    return this.#settings.loaded.texts.say(name, inserted, ENGLISH[name]);
  }
}

const DATE = /^\d{4}-\d{2}-\d{2}$/;

const dateText = (iso, language) =>
  new Date(`${iso}T00:00:00Z`).toLocaleDateString(language, { dateStyle: "long", timeZone: "UTC" });

const KINDS = [/\p{L}/u, /\p{N}/u];

/** Returns the characters without which the field would take the text. */
function oddIn(text, accepts) {
  const without = (signs) => {
    const rest = [...text].filter((sign) => !signs.includes(sign)).join("");
    // An optional field takes nothing at all, too.
    return rest.trim() !== "" && accepts(rest);
  };
  const all = [...new Set(text)];
  // One letter of several, or one digit, is only one too many.
  const kindOf = (sign) => KINDS.find((kind) => kind.test(sign));
  const isAlone = (sign) => !all.some((other) => other !== sign && kindOf(sign)?.test(other));
  const one = all.find((sign) => isAlone(sign) && without([sign]));
  if (one !== undefined) return one.trim();
  const odd = all.filter((sign) => !/[\p{L}\p{N}\s]/u.test(sign));
  return odd.length > 0 && odd.length <= MAX_ODD && without(odd) ? odd.join(" ") : "";
}
