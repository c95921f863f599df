/** What Spain calls otherwise than Mexico: words, and a whole text. */
const WORDS: Record<string, string> = {
  Ingresa: "Introduce",
  ingresar: "introducir",
  ingreses: "introduzcas",
  Monto: "Importe",
  Montos: "Importes",
  monto: "importe",
  montos: "importes",
  celular: "móvil",
  Comprobante: "Justificante",
  comprobante: "justificante",
  "Dónde recoger": "Recogida",
};

/** Returns a text for Mexico in the words of Spain. */
export function inSpain(text: string): string {
  return WORDS[text] ?? text.replace(/\p{L}+/gu, (word) => WORDS[word] ?? word);
}
