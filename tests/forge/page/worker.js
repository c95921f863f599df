// Says back what it is told.
addEventListener("message", ({ data }) => postMessage(data));
