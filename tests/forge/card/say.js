// A window that says what it is told to. It runs in frames, popups and openers under many origins; one of
// them is the card form of the page under test. A command is an object that comes with a port.

addEventListener("message", ({ data: command, source, ports: [port] }) => {
  if (!port) return;
  for (const data of command.say ?? []) source.postMessage(data, "*");
  for (const data of command.sayOverPort ?? []) port.postMessage(data);
  if (command.nest) {
    const frame = document.createElement("iframe");
    frame.src = command.nest;
    document.body.append(frame);
  }
  if (command.who) port.postMessage(self.origin);
  // What was posted still arrives. Some ten thousand open ports bring WebKit to a standstill.
  port.close();
});

// As an opener it needs a hand to click, lest the browser takes the window for an advertisement.
const url = new URLSearchParams(location.search).get("open");
if (url) {
  const link = Object.assign(document.createElement("a"), { id: "open", href: url, target: "_blank", rel: "opener" });
  link.textContent = "Open";
  document.body.append(link);
}
