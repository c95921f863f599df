export type StepName = "amount" | "recipient" | "account" | "review" | "done" | Aside;

/** A page beside the steps of a transfer, from which one comes back to them. */
export type Aside = "profile" | "transfers";

export function isAside(step: StepName): step is Aside {
  return step === "profile" || step === "transfers";
}
