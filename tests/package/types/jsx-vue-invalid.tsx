import "remitkit/jsx/vue";
import type { RemitElementProps } from "remitkit/jsx/vue";
import type { GlobalComponents } from "vue";

type Props = InstanceType<GlobalComponents["remit-fields"]>["$props"];
const fields = (props: Props) => props;
const card = (props: RemitElementProps<"remit-card-form">) => props;

// Each line below is an error.

<remit-amount contry="MEX" />;
<remit-amount quote-by="SEND" />;
<remit-amount onQuote={({ detail }) => detail.price} />;
<remit-fields validate="change" />;
<remit-card-form theme="dark" />;
fields({ kind: "account" });
fields({ contry: "MEX" });
fields({ filter: "firstName" });
card({ sessionid: "s" });
