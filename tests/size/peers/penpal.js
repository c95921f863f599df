import { WindowMessenger, connect } from "penpal";

export async function mountCardForm(container, { origin, sessionId, onEvent }) {
  const frame = document.createElement("iframe");
  frame.src = `${origin}/v2/add-card/${sessionId}`;
  container.append(frame);
  const messenger = new WindowMessenger({ remoteWindow: frame.contentWindow, allowedOrigins: [origin] });
  const connection = connect({ messenger, methods: { tell: onEvent } });
  return { form: await connection.promise, unmount: () => connection.destroy() };
}
