// Not the package's own entry: that takes two builds of zoid along and asks for `process`, which a page does not have.
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
