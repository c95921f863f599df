// The sandbox's control page.

import { shopSuite } from "./support/suite.mjs";

const shop = shopSuite();

shop.pageTest("a reset also empties the list of requests on the control page", async (page) => {
  await fetch(`${shop.baseUrl}/v1/corridors`);
  await page.goto(`${shop.baseUrl}/sandbox`);
  const corridors = page.getByRole("cell", { name: "GET /v1/corridors" });
  await corridors.waitFor();
  await page.getByRole("button", { name: "Reset everything" }).click();
  await corridors.waitFor({ state: "detached" });
  await fetch(`${shop.baseUrl}/v1/nonce`);
  await page.getByRole("cell", { name: "GET /v1/nonce" }).waitFor();
});
