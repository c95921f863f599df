// Runs in a frame within the fake card form: says to the page around that form what the form tells it.

addEventListener("message", (event) => {
  if (event.source === parent) {
    parent.parent.postMessage(event.data, "*");
  }
});
