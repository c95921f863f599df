// The texts of the form. They are short where the layout reserves room for them.

export const LANGUAGES = ["en", "es-MX"];

/** Each text in the order of the languages. */
export const TEXTS = {
  title: ["Add a card", "Agrega una tarjeta"],
  subtitle: [
    "Use a debit card. Prepaid cards are not accepted.",
    "Usa una tarjeta de débito. No se aceptan tarjetas de prepago.",
  ],
  testMode: ["Test mode", "Modo de prueba"],
  step: ["Step {step} of 2", "Paso {step} de 2"],
  stepDetails: ["Card details", "Tarjeta"],
  stepVerify: ["Verification", "Verificación"],

  number: ["Card number", "Número de tarjeta"],
  expiry: ["Expiry date", "Vencimiento"],
  expiryPlaceholder: ["MM / YY", "MM / AA"],
  name: ["Name on card", "Nombre en la tarjeta"],
  nameHint: ["First and last name, as printed", "Nombre y apellido, como aparecen"],
  code: ["Security code", "Código de seguridad (CVV)"],
  codeHint: ["3 or 4 digits", "3 o 4 dígitos"],
  codeHint3: ["3 digits on the back", "3 dígitos en el reverso"],
  codeHint4: ["4 digits on the front", "4 dígitos al frente"],
  network: ["Card network: {network}", "Red de la tarjeta: {network}"],

  verify: ["Verify card", "Verificar tarjeta"],
  verifying: ["Verifying…", "Verificando…"],
  retry: ["Try again", "Intentar de nuevo"],
  retryUnsettled: ["Check again", "Consultar de nuevo"],
  note: [
    "Card details go straight to the card service. The site you are on never sees them.",
    "Los datos van directo al servicio de tarjetas. Esta tienda nunca los ve.",
  ],
  expiringSoon: [
    "This form closes in two minutes. What you have entered is then removed.",
    "Este formulario se cierra en dos minutos y se borrará lo que escribiste.",
  ],

  numberRequired: ["Enter the card number", "Escribe el número de tarjeta"],
  numberShort: ["The card number is incomplete", "El número de tarjeta está incompleto"],
  numberLong: ["The card number has too many digits", "El número de tarjeta tiene dígitos de más"],
  numberWrong: ["Check the card number for a typing error", "Revisa el número: parece tener un error"],
  expiryRequired: ["Enter the expiry date", "Escribe el vencimiento"],
  expiryFormat: ["Use two digits each: MM / YY", "Usa dos dígitos: MM / AA"],
  expiryMonth: ["The month is 01 to 12", "El mes va de 01 a 12"],
  expiryExpired: ["This card has expired", "La tarjeta ya venció"],
  expiryFar: ["Check the year", "Revisa el año"],
  nameRequired: ["Enter the name on the card", "Escribe el nombre en la tarjeta"],
  nameCharacters: ["Use letters only, without digits or symbols", "Usa solo letras, sin números ni símbolos"],
  nameNames: ["Enter at least two names, first and last", "Escribe al menos nombre y apellido"],
  nameLong: ["The name is too long: 80 letters at most", "El nombre es muy largo: máximo 80 letras"],
  codeRequired: ["Enter the code", "Escribe el código"],
  codeLength: ["Enter 3 or 4 digits", "Escribe 3 o 4 dígitos"],
  codeLength3: ["Enter 3 digits", "Escribe 3 dígitos"],
  codeLength4: ["Enter 4 digits", "Escribe 4 dígitos"],
  severalProblems: ["{count} fields need your attention.", "Revisa los {count} campos marcados."],

  failed: [
    "The card could not be verified. Check the details or use another card.",
    "No se pudo verificar la tarjeta. Revisa los datos o usa otra tarjeta.",
  ],
  failedUnfinished: [
    "The connection was lost and the card was not verified. Try again.",
    "Se perdió la conexión y la tarjeta no se verificó. Inténtalo de nuevo.",
  ],
  CardProvidedCannotBeUsedForThisTransaction: [
    "This card is invalid or inactive. Use another card.",
    "La tarjeta no es válida o está inactiva. Usa otra tarjeta.",
  ],
  CardNotSupported: [
    "This card cannot be used. Use a debit card that is not prepaid.",
    "Esta tarjeta no se puede usar. Usa una de débito que no sea de prepago.",
  ],

  loadingTitle: ["Loading the card form…", "Cargando el formulario…"],
  loadingText: ["One moment, please.", "Un momento, por favor."],
  successTitle: ["Card verified", "Tarjeta verificada"],
  successText: ["The card is ready to use.", "La tarjeta está lista para usarse."],
  usedTitle: ["Card already added", "La tarjeta ya se agregó"],
  usedText: [
    "A card was verified with this form before. You can go on.",
    "Con este formulario ya se verificó una tarjeta. Puedes continuar.",
  ],
  expiredTitle: ["This form has expired", "Este formulario venció"],
  expiredText: [
    "For your safety it was open for a limited time only. Start again to enter the card. Nothing was saved.",
    "Por tu seguridad se cerró después de un tiempo. Empieza de nuevo para agregar la tarjeta. No se guardó nada.",
  ],
  unknownTitle: ["This form is not valid", "Este formulario no es válido"],
  unknownText: [
    "Its link does not belong to an open card form. Go back and start again.",
    "El enlace no corresponde a un formulario abierto. Regresa y empieza de nuevo.",
  ],
  unreachableTitle: ["No connection", "Sin conexión"],
  unreachableText: [
    "The card service cannot be reached. Check the connection and try again.",
    "No hay comunicación con el servicio de tarjetas. Revisa tu conexión e inténtalo de nuevo.",
  ],
  unsettledTitle: ["No answer yet", "Aún sin respuesta"],
  unsettledText: [
    "The connection was lost while the card was being verified. Check again to learn the result.",
    "Se perdió la conexión mientras se verificaba la tarjeta. Consulta de nuevo para saber el resultado.",
  ],
};

/**
 * Returns the lookup of a language: `say("step", { step: 1 })`. `say.knowsCode(code)` tells whether an error
 * code of the service has a text; only keys of error codes begin with a capital.
 */
export function messagesIn(language) {
  const at = LANGUAGES.indexOf(language);
  const say = (key, values = {}) => TEXTS[key][at].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  say.knowsCode = (code) => /^[A-Z]/.test(code) && Object.hasOwn(TEXTS, code);
  return say;
}
