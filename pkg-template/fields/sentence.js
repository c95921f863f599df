/** Inserts values into a text. */
export const filledIn = (text, values) => String(text).replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");

/** A text with what is inserted for each `{name}` in it, and its language if that is not the page's. */
export class Sentence {
  constructor(text, values = {}, lang = undefined) {
    this.text = String(text);
    this.values = values;
    this.lang = lang;
  }

  /** Returns this one and another after it. */
  and({ text, values, lang }) {
    return new Sentence(`${this.text} ${text}`, { ...this.values, ...values }, this.lang ?? lang);
  }

  toString() {
    return filledIn(this.text, this.values);
  }
}

// What was shown last, by element.
const SHOWN = new WeakMap();

/**
 * Shows a text or a sentence, and hides its element while that is empty. Nothing is written unless it is another one
 * than the last: what a translator has made of that stays. What is inserted is isolated, for right to left, and
 * replaced in place.
 */
export function showText(element, said = "") {
  const { text, values, lang } = said instanceof Sentence ? said : new Sentence(said, undefined);
  let shown = SHOWN.get(element);
  // Another script may have thrown them out.
  if (shown?.text !== text || !shown.inserted.every(({ place }) => element.contains(place))) {
    const pieces = said instanceof Sentence ? text.split(/\{(\w+)\}/) : [text];
    const inserted = pieces.filter((_, at) => at % 2 === 1).map((name) => ({ name, place: placeOf(name) }));
    element.replaceChildren(...pieces.map((piece, at) => (at % 2 === 0 ? piece : inserted[(at - 1) / 2].place)));
    shown = { text, inserted };
    SHOWN.set(element, shown);
  }
  for (const { name, place } of shown.inserted) showText(place, values[name]);
  markLanguage(element, lang);
  element.hidden = String(said) === "";
}

// Nobody translates figures and codes, but labels and dates have words.
const WORDS = new Set(["label", "date"]);

const placeOf = (name) => (WORDS.has(name) ? document.createElement("bdi") : makeFigure());

/** Creates an element for a figure or a code, which is read from left to right in any page. */
export function makeFigure(text = "", part = undefined) {
  const figure = document.createElement("bdi");
  figure.dir = "ltr";
  figure.setAttribute("translate", "no");
  if (part) figure.setAttribute("part", part);
  showText(figure, text);
  return figure;
}

/** Marks what is in another language than the page: the built-in one is written from left to right. */
export function markLanguage(element, lang) {
  if (lang === undefined && !SPOKEN.has(element)) return;
  SPOKEN.add(element);
  for (const [name, value] of Object.entries({ lang, dir: lang && "ltr" })) {
    if (value === undefined) element.removeAttribute(name);
    else if (element.getAttribute(name) !== value) element.setAttribute(name, value);
  }
}

// Those that `markLanguage` has marked: others may have a direction of their own.
const SPOKEN = new WeakSet();
