import { kit } from "./remit";

/** Long enough for the browser to have opened the file. */
const REVOKE_MS = 60_000;

/** Fetches the receipt of a transfer and offers it as a download. */
export async function downloadReceipt(transferId: string, name: string, signal: AbortSignal): Promise<void> {
  downloadFile(await (await kit()).transferReceipt(transferId, { signal }), `${name}.pdf`);
}

export function downloadFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), REVOKE_MS);
}
