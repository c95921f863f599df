import { translator } from "./index";

export type WorkbenchKey = keyof typeof workbenchTexts;

/** The workbench's texts, English and Mexican Spanish. `{name}` is a placeholder. */
const workbenchTexts = {
  title: ["Workbench", "Banco de pruebas"],
  about: [
    "Try RemitKit without writing a test: trigger every documented error, see the code that handles it, " +
      "and theme the card form. Everything runs against the sandbox; no money moves.",
    "Prueba RemitKit sin escribir un test: provoca cada error documentado, mira el código que lo maneja " +
      "y cambia el tema del formulario de tarjeta. Todo ocurre en el sandbox; no se mueve dinero.",
  ],
  skip: ["Skip to the workbench", "Ir al banco de pruebas"],
  shop: ["To the demo shop", "A la tienda de demostración"],
  copy: ["Copy", "Copiar"],
  "copy.done": ["Copied", "Copiado"],
  "copy.failed": ["Could not copy", "No se pudo copiar"],

  contents: ["On this page", "En esta página"],

  "preview.title": ["Hosted card form", "Formulario de tarjeta"],
  "preview.address": ["Address of the frame", "Dirección del marco"],

  "theme.title": ["Theme", "Tema"],
  "theme.about": [
    "All 24 parameters of the form. What you leave empty keeps the form’s own look; each change reloads " +
      "the form.",
    "Los 24 parámetros del formulario. Lo que queda vacío conserva su propio aspecto; un cambio lo " +
      "carga de nuevo.",
  ],
  "theme.presets": ["Presets", "Preajustes"],
  "theme.preset.own": ["Form’s own", "El propio"],
  "theme.preset.dark": ["Dark", "Oscuro"],
  "theme.preset.shop": ["This shop’s", "El de esta tienda"],
  "theme.colors": ["Colors", "Colores"],
  "theme.others": ["Type, buttons, language and parts", "Letra, botones, idioma y partes"],
  "theme.diff": ["Changed from the form’s own look", "Diferencias con el aspecto propio del formulario"],
  "theme.same": ["Nothing differs.", "No hay diferencias."],
  "theme.address": ["This page’s address keeps the theme.", "La dirección de esta página conserva el tema."],
  "theme.copy_address": ["Copy the address", "Copiar la dirección"],
  "theme.code": ["The call", "La llamada"],
  "theme.well": ["Choose {name}", "Elegir {name}"],
  "theme.example": ["such as {value}", "por ejemplo {value}"],
  "theme.unset": ["Form’s own", "El propio"],
  "theme.wrong": ["Not accepted: left out.", "No admitido: se omite."],
  "contrast.none": [
    "Every pair of colors can be told apart (WCAG 2.2 AA).",
    "Todos los pares de colores se distinguen (WCAG 2.2 AA).",
  ],
  "contrast.some": [
    "Color pairs that are hard to read (WCAG 2.2 AA): {count}",
    "Pares difíciles de leer (WCAG 2.2 AA): {count}",
  ],
  "contrast.line": [
    "{foreground} on {background}: {ratio} of {required}",
    "{foreground} sobre {background}: {ratio} de {required}",
  ],

  "policy.title": ["Content security policy", "Política de seguridad de contenido"],
  "policy.about": [
    "What this configuration needs in a page’s policy. Merge it with whatever else your page needs.",
    "Lo que esta configuración necesita de la política de una página. Únela con lo que tu página " +
      "necesite además.",
  ],

  "timeline.title": ["Timeline", "Cronología"],
  "timeline.about": [
    "Calls, requests and card events, newest first. It holds no tokens, arguments, replies or personal " +
      "data, and never leaves the page. Each request is also a performance.measure named remitkit:…",
    "Llamadas, solicitudes y eventos de tarjeta, lo más nuevo primero. No contiene tokens, argumentos, " +
      "respuestas ni datos personales, y nada sale de la página. Cada solicitud es además un " +
      "performance.measure llamado remitkit:…",
  ],
  "timeline.empty": ["Nothing has happened yet.", "Todavía no ha pasado nada."],
  "timeline.show": ["Show", "Mostrar"],
  "timeline.export": ["Export as JSON", "Exportar como JSON"],
  "timeline.clear": ["Clear", "Vaciar"],
  "timeline.sort.call": ["Call", "Llamada"],
  "timeline.sort.request": ["Request", "Solicitud"],
  "timeline.sort.event": ["Card event", "Evento de tarjeta"],
  "timeline.sort.action": ["Sandbox", "Sandbox"],

  "outcome.done": ["done", "hecho"],
  "outcome.expected": ["As expected", "Como se esperaba"],
  "outcome.other": ["Not as expected", "Distinto de lo esperado"],
  "outcome.to_come": ["Expected", "Se esperaba"],
  "outcome.came": ["Result", "Resultado"],
  "outcome.customer": ["In the shop’s words for the customer:", "En palabras de la tienda para el cliente:"],

  "run.call": ["The call", "La llamada"],
  "run.catch": ["The code that handles it", "El código que lo maneja"],
  "run.nothing": [
    "Nothing to handle: the SDK settled it by itself.",
    "No hay nada que manejar: el SDK lo ha resuelto por sí mismo.",
  ],
  "run.wire": [
    "Requests and replies, redacted ({count})",
    "Solicitudes y respuestas, sin datos personales ({count})",
  ],
  "run.curl": ["The request with curl", "La solicitud con curl"],
  "run.docs": ["In the documentation:", "En la documentación:"],

  "scenario.title": ["Scenarios", "Escenarios"],
  "scenario.intro": [
    "Choose one and run it: the sandbox is set up for it, the call is made, and the result appears " +
      "below, with its code.",
    "Elige uno y ejecútalo: se prepara el sandbox, se hace la llamada, y el resultado queda abajo, con " +
      "su código.",
  ],
  "scenario.first": ["Begin with one of these:", "Empieza por uno de estos:"],
  "first.fault drop after": ["The answer to a transfer is lost", "Se pierde la respuesta a un envío"],
  "first.transfer QuoteAmountChanged": ["The price has changed", "El precio ha cambiado"],
  "first.transfer Max24HourSendAmountLimitReached": [
    "A daily limit is reached",
    "Se alcanza un límite diario",
  ],
  "first.fault status retryAfter": [
    "Too many requests: wait and retry",
    "Demasiadas solicitudes: esperar y reintentar",
  ],
  "first.createRecipient InvalidRecipientName": ["A field is missing", "Falta un campo"],
  "scenario.none": [
    "This service has no table of errors to try: it is not a sandbox.",
    "Este servicio no tiene tabla de errores para probar: no es un sandbox.",
  ],
  "scenario.which": ["Scenario", "Escenario"],
  "scenario.group.cards": ["Test cards", "Tarjetas de prueba"],
  "scenario.group.sessions": ["How the next session behaves", "Cómo se comporta la próxima sesión"],
  "scenario.group.faults": ["Faults", "Fallas"],
  "scenario.group.clock": ["Time passes", "Pasa el tiempo"],
  "scenario.run": ["Run it", "Ejecutar"],
  "scenario.running": ["Running…", "Ejecutando…"],
  "scenario.reset": ["Reset the sandbox", "Reiniciar el sandbox"],
  "scenario.was_reset": [
    "The sandbox is as it was at the start, for the shop too.",
    "El sandbox está como al principio, también para la tienda.",
  ],
  "scenario.expects": ["Expected: {outcome}.", "Se espera: {outcome}."],
  "scenario.to_form": ["Go to the form", "Ir al formulario"],
  "scenario.amount": [
    "Call {operation} with the amount {amount}, in minor units.",
    "Llama a {operation} con el monto {amount}, en unidades menores.",
  ],
  "scenario.card": [
    "Enter {number} in the card form and verify it.",
    "Ingresa {number} en el formulario de tarjeta y verifícala.",
  ],
  "scenario.form_asks": [
    "The form itself asks for it, and the page is not told: try it once the form is ready.",
    "El propio formulario lo pide y la página no se entera: pruébalo cuando el formulario esté listo.",
  ],

  "fault.about": ["Call {operation} while {fault} is armed.", "Llama a {operation} con {fault} preparada."],
  "fault.latency.once": ["A slow answer", "Una respuesta lenta"],
  "fault.latency.timeout": ["No answer in time, three times", "Sin respuesta a tiempo, tres veces"],
  "fault.latency.aborted": ["The page gives up while waiting", "La página desiste mientras tanto"],
  "fault.latency.during": ["A transfer takes its time", "Un envío se toma su tiempo"],
  "fault.status.once": ["503 once", "503 una vez"],
  "fault.status.always": ["503 each time", "503 cada vez"],
  "fault.status.token": ["401 once: the token is renewed", "401 una vez: se renueva el token"],
  "fault.status.unauthorized": ["401 each time", "401 cada vez"],
  "fault.status.forbidden": ["403", "403"],
  "fault.status.retryAfter": ["429 once, with Retry-After", "429 una vez, con Retry-After"],
  "fault.status.tooMany": ["429 each time", "429 cada vez"],
  "fault.status.after": ["503 after a transfer was made", "503 después de hacer un envío"],
  "fault.drop.once": ["The connection closes once", "La conexión se cierra una vez"],
  "fault.drop.always": ["The connection closes each time", "La conexión se cierra cada vez"],
  "fault.drop.after": ["A transfer is made, its answer lost", "Se hace un envío y se pierde la respuesta"],
  "fault.drop.commit": ["A transfer is undone at the commit", "Un envío se deshace al confirmarse"],
  "fault.drop.unsettled": [
    "A transfer’s answer is lost and its outcome stays unknown (half a minute)",
    "Se pierde la respuesta de un envío y no se sabe si se hizo (medio minuto)",
  ],
  "fault.truncate.once": ["The answer breaks off", "La respuesta se corta"],
  "fault.truncate.after": [
    "A transfer is made, its answer breaks off",
    "Se hace un envío y la respuesta se corta",
  ],
  "fault.nonJson.always": ["A gateway’s page each time", "La página de una pasarela cada vez"],
  "fault.nonJson.unreadable": ["A page with status 200 each time", "Una página con estado 200 cada vez"],
  "fault.duplicate.transfer": ["A transfer is delivered twice", "Un envío se entrega dos veces"],
  "fault.late.transfer": ["A transfer is delivered late", "Un envío se entrega tarde"],
  "fault.slow.once": ["The answer comes in pieces", "La respuesta llega por partes"],

  "clock.about": [
    "The clock moves forward by {minutes} minutes between two calls. Only a reset moves it back.",
    "El reloj se adelanta {minutes} minutos entre dos llamadas. Solo un reinicio lo atrasa.",
  ],
  "clock.quote": ["A quote expires before its transfer", "Una cotización vence antes de su envío"],
  "clock.token": ["A token expires and is renewed", "Un token vence y se renueva"],
  "clock.session": ["A card session expires", "Una sesión de tarjeta vence"],
  "clock.complete": ["A week later a transfer is complete", "Una semana después un envío está completo"],
  "clock.failed": ["A week later a transfer has failed", "Una semana después un envío ha fallado"],

  "session.normal": ["The form behaves as it should.", "El formulario se comporta como debe."],
  "session.expired": [
    "The session is over before the form opens.",
    "La sesión ya terminó antes de que se abra el formulario.",
  ],
  "session.silent": [
    "The form opens but never sends a message.",
    "El formulario se abre, pero nunca envía un mensaje.",
  ],
  "session.wrong-origin": [
    "The form comes from a different origin than requested. This page’s policy blocks it, and the SDK " +
      "would ignore anything it said.",
    "El formulario viene de un origen distinto del solicitado. La política de esta página lo bloquea, y " +
      "el SDK ignoraría todo lo que dijera.",
  ],
  "session.fails-to-load": [
    "The form refuses to be framed. A page can’t tell: browsers report their own error page in the same " +
      "way.",
    "El formulario se niega a mostrarse. Una página no puede verlo: los navegadores informan de su " +
      "propia página de error del mismo modo.",
  ],
} satisfies Record<string, readonly [string, string]>;

export const wt = translator(workbenchTexts);
