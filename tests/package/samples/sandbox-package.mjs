import assert from "node:assert/strict";

export default async () => {
  // sample: remitkit-sandbox
  assert.ok((await sandbox.token()).access_token);
  await sandbox.stop();
};
