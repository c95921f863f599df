import "remitkit/jsx/solid";

// Each line below is an error.

<remit-amount contry="MEX" />;
<remit-amount quote-by="SEND" />;
<remit-amount prop:corridors={[]} />;
<remit-amount on:price={() => {}} />;
<remit-amount on:quote={({ detail }) => detail.price} />;
<remit-fields kind="account" />;
<remit-fields prop:filter="firstName" />;
<remit-card-form theme="dark" />;
<remit-card-form sessionid="s" />;
