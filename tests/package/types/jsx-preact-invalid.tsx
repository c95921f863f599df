import "remitkit/jsx/preact";

// Each line below is an error.

<remit-amount contry="MEX" />;
<remit-amount quote-by="SEND" />;
<remit-amount amount={200} />;
<remit-amount onquote={({ detail }) => detail.price} />;
<remit-amount onQuote={() => {}} />;
<remit-fields kind="account" />;
<remit-fields validate="change" />;
<remit-fields filter="firstName" />;
<remit-fields query={{ country: "MEX" }} />;
<remit-card-form theme="dark" />;
<remit-card-form sessionid="s" />;
<remit-card-form load-error="always" />;
<remit-checkout-form />;
