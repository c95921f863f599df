// A stub of the hosted card form: says what it is told to say.
addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  for (const text of data.say) parent.postMessage(text, "*");
});
