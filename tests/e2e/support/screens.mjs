// The screens that the shop is looked at on.

const ON_EACH_SCREEN = Boolean(process.env.ON_EACH_SCREEN);
/** What is narrower is a phone's. */
const NARROW = 700;

/** The rows that are looked at: those marked `inChoice`, or all with `cargo xtask test screens`. */
export function screensOf(rows) {
  return ON_EACH_SCREEN ? rows : rows.filter(({ inChoice }) => inChoice);
}

/** The options of a page on a screen so wide, in a language, beside `options` of its own. */
export function screen(width, { language = "en", ...options } = {}) {
  const isPhone = width < NARROW;
  return { viewport: { width, height: 800 }, isMobile: isPhone, hasTouch: isPhone, locale: language === "es" ? "es-MX" : "en-US", ...options };
}
