// Reads the forms as a person does, and says where what is seen is not what would be sent.

import { formatAmount } from "/index.js";
import { service } from "./kit.js";

const within = (element, css) => [...(element.shadowRoot ?? element).querySelectorAll(css)];
const isSeen = (node) => node.checkVisibility({ visibilityProperty: true }) && node.closest(".quiet") === null;
const textOf = (node) => node.innerText.replace(/\s+/g, " ").trim();

/** The controls of an element that a person sees. */
export const controlsOf = (element) => within(element, "[part~=control]").filter(isSeen);
export const sideOf = (control) => control.closest("[data-side]")?.dataset.side;
export const fieldOf = (control) => control.closest("[data-field]")?.dataset.field;

/** The letters and digits of a text: how they are grouped does not count. */
export const bare = (text) => `${text}`.normalize("NFKC").replace(/[\s'’.,-]/g, "").toLowerCase();

export const digitsOf = (text) => text.replace(/\D/g, "");

const GROUPS = { en: ",", es: "." };

/** Returns the minor units that a person of a language takes a text for. */
export function unitsOf(text, decimals, language) {
  const plain = text.normalize("NFKC").replace(/[٠-٩]/g, (digit) => digit.charCodeAt(0) - 0x660).replace(/[^\d.,]/g, "");
  const signs = plain.match(/[.,]/g) ?? [];
  const last = Math.max(plain.lastIndexOf("."), plain.lastIndexOf(","));
  const isGroup = last !== -1 && plain.length - last === 4 && new Set(signs).size === 1 && GROUPS[language] === signs[0];
  const [whole, fraction] = last === -1 || isGroup ? [plain, ""] : [plain.slice(0, last), plain.slice(last + 1)];
  const digits = `${whole.replace(/\D/g, "")}.${fraction || 0}`;
  return Math.round(Number(digits) * 10 ** decimals);
}

/** Says what a person sees of an amount that is valid, but is not what `request` has. */
export function wrongAmount(element, language) {
  const { request } = element;
  if (request === undefined) return element.required ? ["valid without a request"] : [];
  const { given } = service.given.get(request.quoteHistoryId);
  const wrong = [];
  const expect = (what, seen, right) => {
    if (seen !== right) wrong.push(`${what}: ${seen} is seen, ${right} is sent`);
  };
  for (const [side, name] of [["send", "src"], ["receive", "dst"]]) {
    const [row] = within(element, `[data-side=${side}]`);
    const { value, currency } = given[`${side}Amount`];
    expect(`${side} currency`, textOf(row.querySelector("[part=currency]")), request[`${name}CurrencyIso3Code`]);
    expect(`${side} amount`, unitsOf(row.querySelector("input").value, currency.decimalPlaces, language), value);
  }
  const isSend = request.quoteBy === "SEND_AMOUNT";
  expect("amount", Number(request.amount), given[isSend ? "sendAmount" : "receiveAmount"].value);
  const seen = (part) => within(element, `[part~=${part}] [part=value]`).filter(isSeen).map(textOf).join();
  const shown = (amount) => formatAmount(amount, language).replace(/\s+/g, " ");
  expect("total", seen("total"), shown(given.totalCost));
  const codes = ["src", "dst"].map((end) => request[`${end}CurrencyIso3Code`]);
  const rate = seen("rate");
  if (!codes.every((code) => rate.includes(code))) wrong.push(`rate: ${rate} is seen for ${codes}`);
  const chosen = within(element, "[type=radio]").filter(isSeen).find(({ checked }) => checked)?.value;
  expect("method", chosen ?? request.transferMethod, request.transferMethod);
  const left = (Date.parse(given.expirationDate) - Date.now()) / 1000;
  if (left < -1) wrong.push(`expired ${-left} s ago`);
  const [, minutes, seconds] = /(\d+):(\d\d)/.exec(within(element, "[part=timer]").map(textOf).join()) ?? [];
  const time = Number(minutes) * 60 + Number(seconds);
  // The text is of the last second, and the service's time is rounded.
  if (minutes !== undefined && Math.abs(time - left) > 3) wrong.push(`${minutes}:${seconds} is seen, ${left} s are left`);
  return wrong;
}

/** Says what a person sees of fields that are valid, but is not what is sent. */
export function wrongFields(element, sent) {
  if (element.definition === undefined) return element.required ? ["valid without fields"] : [];
  const wrong = [];
  const values = new Map((sent ?? element.toFields()).map(({ id, value }) => [id, value]));
  for (const control of controlsOf(element)) {
    const id = fieldOf(control);
    const value = values.get(id);
    const text = typeof value === "object" ? value.number : (value ?? "");
    // A phone number is sent without its country code and punctuation.
    const isPhone = id === "PHONE" && text !== "" && digitsOf(control.value).endsWith(digitsOf(text));
    if (!isPhone && bare(control.value) !== bare(text)) wrong.push(`${id}: ${control.value} is seen, ${text} is sent`);
    if (control.validity.badInput) wrong.push(`${id}: what is half typed is valid`);
  }
  return wrong;
}

/** Says what is wrong with what is seen now. */
export function wrongIn({ amount, fields }, language) {
  const wrong = [];
  if (amount.isConnected && amount.checkValidity()) wrong.push(...wrongAmount(amount, language));
  if (fields.isConnected && fields.checkValidity()) wrong.push(...wrongFields(fields));
  return wrong;
}
