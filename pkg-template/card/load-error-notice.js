// Loaded when the page is idle or a card form has loaded. When one fails to load, there may be no connection.

const TEXTS = {
  en: {
    failed: "The card form could not be loaded. Please try again.",
    unsure: "If the card form is not shown here, please try again.",
    offline: "You are offline. Check your connection and try again.",
    blocked:
      "Your browser blocked the card form. If you use a content blocker, turn it off for this page and try " +
      "again.",
    button: "Try again",
    busy: "Trying again…",
  },
  es: {
    failed: "No se pudo cargar el formulario de la tarjeta. Inténtalo de nuevo.",
    unsure: "Si aquí no aparece el formulario de la tarjeta, inténtalo de nuevo.",
    offline: "No hay conexión a internet. Revisa tu conexión e inténtalo de nuevo.",
    blocked:
      "Tu navegador bloqueó el formulario de la tarjeta. Si usas un bloqueador de contenido, desactívalo en " +
      "esta página e inténtalo de nuevo.",
    button: "Intentar de nuevo",
    busy: "Intentando de nuevo…",
  },
};

// As in `lightTheme`: a part imports nothing that a page may have loaded before (`module/first-load.js`).
const COLORS = {
  text: "#16213a",
  foreground: "#ffffff",
  divider: "#dfe4ec",
  buttonText: "#ffffff",
  buttonColor: "#1b4fd1",
};
const TEXT_CASES = { UPPER: "uppercase", lower: "lowercase", Capitalize: "capitalize" };
const GENERIC_FONT = /^(serif|sans-serif|monospace|cursive|fantasy|math|system-ui|ui-[a-z-]+)$/i;
// WCAG 2.2 AA, 1.4.3.
const MIN_CONTRAST = 4.5;

/**
 * The message that replaces a card form which failed to load, until the form has loaded; or that stands below
 * a frame which may show the form.
 */
export class LoadErrorNotice {
  #form;
  #options;
  #language;
  #element;
  #message;
  #button;
  #texts;
  #display;
  #isBelow = false;
  #isBusy = false;

  /**
   * `options.content` is the option `loadError`, `message` the page's own text for any failure, `renew`
   * starts a new session in the form's frame, and `notify` calls functions of the page.
   */
  constructor(form, options) {
    this.#form = form;
    this.#options = options;
    this.#language = /^es\b/i.test(options.locale) ? "es" : "en";
  }

  /** Shows the message, and hides a frame that has loaded nothing. */
  show({ reason, directive, hasLoaded }, theme) {
    const frame = this.#form.element;
    if (!frame?.parentNode) return;
    // The customer cannot fix the page's own policy.
    const kind = hasLoaded ? "unsure" : directive === undefined ? reason : "failed";
    const texts = TEXTS[this.#language];
    const { message = texts[kind] ?? texts.failed, renew, notify } = this.#options;
    let { content } = this.#options;
    if (typeof content === "function") {
      const build = content;
      content = "auto";
      const failure = { reason, ...(directive && { directive }), ...(hasLoaded && { hasLoaded }), message };
      failure.retry = () => renew();
      notify((failure) => (content = build(failure)), failure);
    }
    const [hadFocus, frameHadFocus] = [this.#hasFocus(), frame.getRootNode().activeElement === frame];
    if (this.isShown) this.#showFrame();
    this.#display = frame.style.display;
    this.#isBelow = hasLoaded === true;
    this.#clear();
    const element = frame.ownerDocument.createElement("div");
    this.#element = element;
    if (content?.nodeType === 1) {
      if (!this.#isBelow) element.style.setProperty("min-height", frame.style.height);
      element.append(content);
    } else if (content !== undefined && content !== null) {
      this.#build({ ...texts, message }, readTexts(content), theme);
    }
    frame.after(element);
    if (!this.#isBelow) frame.style.setProperty("display", "none");
    this.#updateTexts();
    [element, this.#button].forEach(ensureContrast);
    if (hadFocus || (frameHadFocus && !this.#isBelow)) this.focus();
  }

  get isShown() {
    return this.#element !== undefined;
  }

  focus() {
    (this.#button ?? this.#element?.querySelector("button"))?.focus();
  }

  /** Sets whether the form is loading again. */
  setBusy(isBusy) {
    if (this.#isBusy !== isBusy) {
      this.#isBusy = isBusy;
      this.#updateTexts();
    }
  }

  /** Shows the form again. */
  hide() {
    if (this.isShown) {
      const frame = this.#form.element;
      const hadFocus = this.#hasFocus();
      this.#clear();
      this.#showFrame();
      if (hadFocus) frame.focus();
    }
  }

  #showFrame() {
    this.#form.element.style.setProperty("display", this.#display);
  }

  #clear() {
    this.#element?.parentNode?.removeChild(this.#element);
    this.#element = this.#message = this.#button = undefined;
    this.#isBusy = false;
  }

  // Not by `:focus-within`: WebKit matches nothing with it while another window is the active one. What the
  // page has put into a slot has the focus in the tree of the slot's host.
  #hasFocus() {
    for (let root = this.#element?.getRootNode(); root; root = root.host?.getRootNode()) {
      for (let at = root.activeElement; at; at = at.assignedSlot ?? at.parentNode) {
        if (at === this.#element) return true;
      }
    }
    return false;
  }

  #build(texts, ownTexts, theme) {
    const colors = { ...COLORS, ...theme };
    const font = fontFamily(theme.font);
    const element = this.#element;
    const { ownerDocument } = element;
    this.#texts = { ...texts, ...ownTexts };
    // A page in another language may run the other way.
    const markOwn = (element) => Object.assign(element, { lang: this.#language, dir: "ltr" });
    Object.assign(element.style, {
      display: "flex",
      flexDirection: "column",
      alignItems: "center",
      justifyContent: "center",
      gap: "1em",
      boxSizing: "border-box",
      minHeight: this.#isBelow ? "" : this.#form.element.style.height,
      padding: "1.5em",
      border: `1px solid ${colors.divider}`,
      backgroundColor: colors.foreground,
      color: colors.text,
      // As large as the customer's browser has it, also where the page has made `rem` small.
      fontSize: "max(1rem, 16px)",
      lineHeight: "1.5",
      fontFamily: font,
      textAlign: "center",
    });
    this.#message = ownerDocument.createElement("p");
    this.#message.setAttribute("role", "alert");
    if ((ownTexts.message ?? this.#options.message) === undefined) markOwn(this.#message);
    Object.assign(this.#message.style, { all: "revert", margin: "0", maxWidth: "36em" });
    this.#button = ownerDocument.createElement("button");
    this.#button.type = "button";
    if (ownTexts.button === undefined) markOwn(this.#button);
    Object.assign(this.#button.style, {
      all: "revert",
      minHeight: "2.75em",
      padding: "0.5em 1.25em",
      border: "1px solid transparent",
      borderRadius: theme.buttonRadius ?? "8px",
      backgroundColor: theme.buttonColor ?? theme.primary ?? colors.buttonColor,
      color: colors.buttonText,
      font: `600 1em/1.5 ${theme.buttonFont ? fontFamily(theme.buttonFont) : font}`,
      letterSpacing: theme.buttonLetterSpacing ?? "normal",
      textTransform: TEXT_CASES[theme.buttonTextCase] ?? "none",
      cursor: "pointer",
    });
    // `completed` reports the failure.
    this.#button.addEventListener("click", () => this.#isBusy || this.#options.renew().catch(() => {}));
    element.append(this.#message, this.#button);
  }

  // Called when the element is on the page, as screen readers announce only changes of an existing alert.
  #updateTexts() {
    if (this.#button !== undefined) {
      const { message, button, busy } = this.#texts;
      this.#button.textContent = this.#isBusy ? busy : button;
      // A disabled button would lose the focus.
      this.#button.setAttribute("aria-disabled", this.#isBusy);
      if (!this.#isBusy) this.#message.textContent = message;
    }
  }
}

function readTexts(content) {
  const { message, button } =
    typeof content === "string" && content !== "auto" ? { message: content } : content;
  return { ...(message !== undefined && { message }), ...(button !== undefined && { button, busy: button }) };
}

// The theme uses the service's font names; only the card form is sure to have those fonts.
function fontFamily(font) {
  const names = font?.split(",").map((name) => name.trim().replace(/^(["'])(.*)\1$/, "$2")) ?? [];
  const quoted = names.map((name) => (GENERIC_FONT.test(name) ? name : JSON.stringify(name)));
  return [...quoted, "system-ui", "sans-serif"].join(", ");
}

// No theme is refused for its contrast, but this text must be readable.
function ensureContrast(element) {
  if (element === undefined) return;
  const { color, backgroundColor } = element.ownerDocument.defaultView.getComputedStyle(element);
  const [text, fill] = [color, backgroundColor].map(luminance);
  if ((Math.max(text, fill) + 0.05) / (Math.min(text, fill) + 0.05) < MIN_CONTRAST) {
    // At 0.179, black and white have the same contrast.
    element.style.setProperty("color", fill > 0.179 ? "#000" : "#fff");
  }
}

/** Returns the relative luminance of WCAG 2.2; NaN for a translucent color, or one not computed as rgb. */
function luminance(color) {
  const [, ...rgb] = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(color) ?? [];
  const [red, green, blue] = rgb.map((value) =>
    value <= 10 ? value / 3294 : ((value / 255 + 0.055) / 1.055) ** 2.4,
  );
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
