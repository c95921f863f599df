// Runs in a frame inside the fake card form: passes the form's messages to the page around the form.

addEventListener("message", (event) => {
  if (event.source === parent) parent.parent.postMessage(event.data, "*");
});
