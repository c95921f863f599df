import "remitkit/jsx/svelte";
import type { SvelteHTMLElements } from "svelte/elements";

const amount = (props: SvelteHTMLElements["remit-amount"]) => props;
const fields = (props: SvelteHTMLElements["remit-fields"]) => props;
const card = (props: SvelteHTMLElements["remit-card-form"]) => props;

// Each line below is an error.

amount({ contry: "MEX" });
amount({ "quote-by": "SEND" });
amount({ onquote: ({ detail }) => detail.price });
fields({ kind: "account" });
fields({ "recipient-typ": "PERSON" });
fields({ filter: "firstName" });
card({ theme: "dark" });
card({ "session-ids": "s" });
