import { kit } from "./remit";

// Long after the browser has begun to write the file.
const KEPT_MS = 60_000;

/** Fetches the receipt of a transfer and hands it to the browser as a file. */
export async function downloadReceipt(transferId: string, name: string, signal: AbortSignal): Promise<void> {
  const remit = await kit();
  const receipt = await remit.transferReceipt(transferId, { signal });
  const address = URL.createObjectURL(receipt);
  const link = document.createElement("a");
  link.href = address;
  link.download = `${name}.pdf`;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}
