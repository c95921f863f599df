// Not the package's own entry: that includes two builds of zoid and needs `process`, which pages lack.
import { create } from "@krakenjs/zoid/dist/zoid.js";

const CardForm = create({
  tag: "card-form",
  url: (options) => `${options.props.origin}/v2/add-card/${options.props.sessionId}`,
  domain: "https://cards.example",
  dimensions: { width: "100%", height: "480px" },
  props: {
    origin: { type: "string" },
    sessionId: { type: "string", queryParam: true },
    onEvent: { type: "function" },
  },
});

export function mountCardForm(container, props) {
  return CardForm(props).render(container);
}
