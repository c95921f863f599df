import type { Messages } from "remitkit";
import { inSpain } from "./spain";

/** The shop's Spanish texts for codes of errors, where those of the package are formal or not the shop's words. */
const messages: Messages = {
  SenderUndetermined: "No pudimos saber quién envía. Inicia sesión de nuevo.",
  InvalidSenderName: "Escribe tu nombre completo.",
  InvalidRecipientName: "Escribe el nombre completo del destinatario.",
  Max24HourSendAmountLimitReached: "Llegaste al monto que puedes enviar en 24 horas.",
  Max7DaysSendAmountLimitReached: "Llegaste al monto que puedes enviar en 7 días.",
  Max24HourTotalCostLimitReached: "Llegaste al total que puedes gastar en 24 horas.",
  Max7DaysTransferCountLimitReached: "Llegaste al número de envíos que puedes hacer en 7 días.",
  Max24HourTransferCountLimitReached: "Llegaste al número de envíos que puedes hacer en 24 horas.",
  Max24HourSendAmountLimitReachedExceed: "Este envío superaría el monto que puedes enviar en 24 horas.",
  Max7DaysSendAmountLimitReachedExceed: "Este envío superaría el monto que puedes enviar en 7 días.",
  Max24HourTotalCostLimitReachedExceed: "Este envío superaría el total que puedes gastar en 24 horas.",
  Max24HourRecipientSendAmountLimitReached: "El destinatario llegó al monto que puede recibir en 24 horas.",
  Max7DaysRecipientSendAmountLimitReached: "El destinatario llegó al monto que puede recibir en 7 días.",
  MaxMonthlyRecipientSendAmountLimitReached: "El destinatario llegó al monto que puede recibir en un mes.",
  Max24HourRecipientTransferCountLimitReached:
    "El destinatario llegó al número de envíos que puede recibir en 24 horas.",
  MaxMonthlyRecipientTransferCountLimitReached:
    "El destinatario llegó al número de envíos que puede recibir en un mes.",
  InvalidAmount: "Ingresa un monto válido.",
  SourceOfFundsRequired: "Indica de dónde viene el dinero.",
  PurposeOfRemittanceRequired: "Indica para qué es el dinero.",
  QuoteAmountChanged: "Cambió el tipo de cambio o la comisión. Revisa los montos nuevos.",
  QuoteAmountChangedOfac: "Cambió el tipo de cambio o la comisión. Revisa los montos nuevos.",
  TransferDuplicatedByQuote: "Este envío ya se había hecho.",
  QuoteHistoryNotFound: "No se encontró el precio. Consulta uno nuevo.",
  ErrorGettingQuote: "No se pudo calcular el precio. Inténtalo de nuevo.",
  QuoteByReceiveNotSupported: "Indica el monto a enviar; aquí no se puede elegir el monto que se recibe.",
  QuoteByReceiveNotEnabled: "Indica el monto a enviar; aquí no se puede elegir el monto que se recibe.",
  QuoteByReceiveForTransferMethodNotEnabled:
    "Indica el monto a enviar; de esta forma no se puede elegir el monto que se recibe.",
  NoCorridorFoundForSpecificValues: "No se puede enviar a este país en esta moneda y de esta forma.",
  CC404: "No se puede enviar a este país en esta moneda y de esta forma.",
  CardProvidedCannotBeUsedForThisTransaction: "Esta tarjeta no se puede usar. Usa otra.",
  InvalidCardIssuerCountry: "Para pagar, usa una tarjeta de débito emitida en Estados Unidos.",
  CardNotSupported: "Esta tarjeta no puede recibir envíos. Usa una tarjeta de débito que no sea de prepago.",
  InvalidCardOnboardingSession: "El formulario de la tarjeta venció. Empieza de nuevo.",
  ExpiryDateRequired: "Escribe la fecha de vencimiento de la tarjeta.",
  MinCardholderNames: "Escribe el nombre y el apellido del titular.",
  TokenUnavailable: "No pudimos iniciar tu sesión. Inténtalo de nuevo.",
  Unauthorized: "Tu sesión terminó. Inicia sesión de nuevo.",
  NetworkFailure: "No se puede conectar con el servicio. Revisa tu conexión.",
  ServiceUnavailable: "El servicio no está disponible. Inténtalo más tarde.",
  TooManyRequests: "Demasiadas solicitudes. Inténtalo en un momento.",
  Timeout: "El servicio no respondió a tiempo. Inténtalo de nuevo.",
  CardFormLoadFailed: "No se pudo mostrar el formulario de la tarjeta. Inténtalo de nuevo.",
  Internal: "Algo falló. Inténtalo de nuevo.",
  SenderNotUpdated: "No se pudieron cambiar tus datos.",
  SenderInvalidDateOfBirthUnder18: "Debes tener al menos 18 años.",
  MinCashPayerTransactionLimitNotReached: "El monto es menor que el mínimo que paga esta sucursal.",
  MaxCashPayerTransactionLimitExceeded: "El monto es mayor que el máximo que paga esta sucursal.",
  BillingAndDestinationCurrencyCodeDiscrepancyError: "Esta tarjeta no recibe la moneda del envío. Usa otra.",
  TransferReceiptNotFound: "Aún no hay comprobante de este envío.",
  AccessDenied: "Tu cuenta no tiene permiso para esto.",
  CheckDigitMismatch: "Revisa este número: parece tener un error.",
  UnusualPhoneNumber: "Revisa este número: los teléfonos de ese país tienen otra cantidad de dígitos.",
  OutcomeUnknown: "Aún no sabemos si se hizo. No lo envíes de nuevo: consulta primero su estado.",
  QuoteExpired: "El precio venció. Revisa los montos nuevos.",
  NonceAlreadyUsed: "Este envío no se hizo. Revisa tus envíos antes de hacer otro.",
  JournalUnavailable: "Este navegador no pudo leer ni guardar tu envío en este momento. Inténtalo de nuevo.",
  LoadFailed: "Esta página no se cargó por completo. Revisa tu conexión e inténtalo de nuevo.",
};

export function serviceMessages(isSpain: boolean): Messages {
  if (!isSpain) return messages;
  return Object.fromEntries(Object.entries(messages).map(([code, text]) => [code, inSpain(text ?? "")]));
}
