// A window that posts what it is told to. It runs in frames, popups and openers at many origins, one of them
// the card form's. A command is an object that arrives with a port.

addEventListener("message", ({ data: command, source, ports: [port] }) => {
  if (!port) return;
  for (const data of command.say ?? []) source.postMessage(data, "*");
  for (const data of command.sayOverPort ?? []) port.postMessage(data);
  const { nest: src } = command;
  if (src) document.body.append(Object.assign(document.createElement("iframe"), { src }));
  if (command.who) port.postMessage(self.origin);
  // Posted messages still arrive. Ten thousand open ports would stop WebKit.
  port.close();
});

// An opener needs a click: without one the browser blocks the window as an advertisement.
const url = new URLSearchParams(location.search).get("open");
if (url) {
  const link = document.createElement("a");
  Object.assign(link, { id: "open", href: url, target: "_blank", rel: "opener", textContent: "Open" });
  document.body.append(link);
}
