/** The frame of a card form, empty and in no page yet. */
export function newIframe(document, title, height) {
  const iframe = document.createElement("iframe");
  // What the form needs, and no more: its scripts, its own origin to talk to its server, its form. Without the last, the standard has
  // no `submit` event either, which a form may be made of.
  const attributes = {
    title,
    sandbox: "allow-scripts allow-same-origin allow-forms",
    allow: "",
    referrerpolicy: "strict-origin",
  };
  for (const [name, value] of Object.entries(attributes)) {
    iframe.setAttribute(name, value);
  }
  // By properties, which a policy against inline styles allows.
  Object.assign(iframe.style, { display: "block", width: "100%", height: `${height}px`, border: "0" });
  return iframe;
}
