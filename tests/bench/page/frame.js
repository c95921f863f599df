/** When the page in a frame answers. */
export function answering(frame) {
  return new Promise((resolve) => {
    const ask = setInterval(() => frame.postMessage({ say: ["HERE"] }, "*"), 20);
    const hear = ({ source, data }) => {
      if (source !== frame || data !== "HERE") return;
      clearInterval(ask);
      removeEventListener("message", hear);
      resolve();
    };
    addEventListener("message", hear);
  });
}
