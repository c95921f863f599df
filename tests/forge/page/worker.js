// Echoes what it receives.
addEventListener("message", ({ data }) => postMessage(data));
