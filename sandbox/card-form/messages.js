// The texts of the form by language. They are short where the layout reserves room for them.

const en = {
  title: "Add a card",
  subtitle: "Use a debit card. Prepaid cards are not accepted.",
  testMode: "Test mode",
  step: "Step {step} of 2",
  stepDetails: "Card details",
  stepVerify: "Verification",

  number: "Card number",
  expiry: "Expiry date",
  expiryPlaceholder: "MM / YY",
  name: "Name on card",
  nameHint: "First and last name, as printed",
  code: "Security code",
  codeHint: "3 or 4 digits",
  codeHint3: "3 digits on the back",
  codeHint4: "4 digits on the front",
  network: "Card network: {network}",

  verify: "Verify card",
  verifying: "Verifying…",
  retry: "Try again",
  retryUnsettled: "Check again",
  note: "Card details go straight to the card service. The site you are on never sees them.",
  expiringSoon: "This form closes in two minutes. What you have entered is then removed.",

  numberRequired: "Enter the card number",
  numberShort: "The card number is incomplete",
  numberLong: "The card number has too many digits",
  numberWrong: "Check the card number for a typing error",
  expiryRequired: "Enter the expiry date",
  expiryFormat: "Use two digits each: MM / YY",
  expiryMonth: "The month is 01 to 12",
  expiryExpired: "This card has expired",
  expiryFar: "Check the year",
  nameRequired: "Enter the name on the card",
  nameCharacters: "Use letters only, without digits or symbols",
  nameNames: "Enter at least two names, first and last",
  nameLong: "The name is too long: 80 letters at most",
  codeRequired: "Enter the code",
  codeLength: "Enter 3 or 4 digits",
  codeLength3: "Enter 3 digits",
  codeLength4: "Enter 4 digits",
  severalProblems: "{count} fields need your attention.",

  failed: "The card could not be verified. Check the details or use another card.",
  failedUnfinished: "The connection was lost and the card was not verified. Try again.",
  CardProvidedCannotBeUsedForThisTransaction: "This card is invalid or inactive. Use another card.",
  CardNotSupported: "This card cannot be used. Use a debit card that is not prepaid.",

  loadingTitle: "Loading the card form…",
  loadingText: "One moment, please.",
  successTitle: "Card verified",
  successText: "The card is ready to use. You can go on.",
  usedTitle: "Card already added",
  usedText: "A card was verified with this form before. You can go on.",
  expiredTitle: "This form has expired",
  expiredText:
    "For your safety it was open for a limited time only. Start again to enter the card. Nothing was saved.",
  unknownTitle: "This form is not valid",
  unknownText: "Its link does not belong to an open card form. Go back and start again.",
  unreachableTitle: "No connection",
  unreachableText: "The card service cannot be reached. Check the connection and try again.",
  unsettledTitle: "No answer yet",
  unsettledText:
    "The connection was lost while the card was being verified. Check again to learn the result.",
};

const esMX = {
  title: "Agrega una tarjeta",
  subtitle: "Usa una tarjeta de débito. No se aceptan prepagadas.",
  testMode: "Prueba",
  step: "Paso {step} de 2",
  stepDetails: "Tarjeta",
  stepVerify: "Verificación",

  number: "Número de tarjeta",
  expiry: "Vencimiento",
  expiryPlaceholder: "MM / AA",
  name: "Nombre en la tarjeta",
  nameHint: "Nombre y apellido, como aparecen",
  code: "Código CVV",
  codeHint: "3 o 4 dígitos",
  codeHint3: "3 dígitos al reverso",
  codeHint4: "4 dígitos al frente",
  network: "Red de la tarjeta: {network}",

  verify: "Verificar tarjeta",
  verifying: "Verificando…",
  retry: "Intentar de nuevo",
  retryUnsettled: "Consultar de nuevo",
  note: "Los datos van directo al servicio de tarjetas. El sitio en el que estás nunca los ve.",
  expiringSoon: "Este formulario se cierra en dos minutos y se borrará lo que escribiste.",

  numberRequired: "Ingresa el número de tarjeta",
  numberShort: "El número de tarjeta está incompleto",
  numberLong: "El número de tarjeta tiene dígitos de más",
  numberWrong: "Revisa el número: parece tener un error",
  expiryRequired: "Ingresa el vencimiento",
  expiryFormat: "Usa dos dígitos: MM / AA",
  expiryMonth: "El mes va de 01 a 12",
  expiryExpired: "La tarjeta ya venció",
  expiryFar: "Revisa el año",
  nameRequired: "Ingresa el nombre en la tarjeta",
  nameCharacters: "Usa solo letras, sin números ni símbolos",
  nameNames: "Ingresa al menos nombre y apellido",
  nameLong: "El nombre es muy largo: máximo 80 letras",
  codeRequired: "Ingresa el código",
  codeLength: "Ingresa 3 o 4 dígitos",
  codeLength3: "Ingresa 3 dígitos",
  codeLength4: "Ingresa 4 dígitos",
  severalProblems: "Revisa {count} campos.",

  failed: "No se pudo verificar la tarjeta. Revisa los datos o usa otra tarjeta.",
  failedUnfinished: "Se perdió la conexión y la tarjeta no se verificó. Intenta de nuevo.",
  CardProvidedCannotBeUsedForThisTransaction: "La tarjeta no es válida o está inactiva. Usa otra tarjeta.",
  CardNotSupported: "Esta tarjeta no se puede usar. Usa una de débito que no sea prepagada.",

  loadingTitle: "Cargando el formulario…",
  loadingText: "Un momento, por favor.",
  successTitle: "Tarjeta verificada",
  successText: "La tarjeta está lista para usarse. Ya puedes continuar.",
  usedTitle: "La tarjeta ya se agregó",
  usedText: "Con este formulario ya se verificó una tarjeta. Puedes continuar.",
  expiredTitle: "Este formulario venció",
  expiredText:
    "Por tu seguridad estuvo abierto solo un tiempo. Empieza de nuevo para ingresar la tarjeta. No se guardó nada.",
  unknownTitle: "Este formulario no es válido",
  unknownText: "El enlace no corresponde a un formulario abierto. Regresa y empieza de nuevo.",
  unreachableTitle: "Sin conexión",
  unreachableText: "No hay comunicación con el servicio de tarjetas. Revisa tu conexión e intenta de nuevo.",
  unsettledTitle: "Aún sin respuesta",
  unsettledText:
    "Se perdió la conexión mientras se verificaba la tarjeta. Consulta de nuevo para saber el resultado.",
};

/** All texts by language. */
export const ALL_MESSAGES = { en, "es-MX": esMX };

/**
 * Returns the lookup of a language: `say("step", { step: 1 })`. `say.knowsCode(code)` tells whether an error
 * code of the service has a text; only keys of error codes begin with a capital.
 */
export function messagesIn(language) {
  const texts = ALL_MESSAGES[language] ?? en;
  const say = (key, values = {}) => texts[key].replace(/\{(\w+)\}/g, (_, name) => String(values[name]));
  say.knowsCode = (code) => /^[A-Z]/.test(code) && Object.hasOwn(texts, code);
  return say;
}
