/** A page beside the steps of a transfer, which leads back to them. */
type SidePage = "profile" | "transfers";

export type StepName = "amount" | "recipient" | "account" | "review" | "done" | SidePage;

export function isSidePage(step: StepName): step is SidePage {
  return step === "profile" || step === "transfers";
}
