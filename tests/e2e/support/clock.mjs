/**
 * Moves a page's clock on in steps of `seconds` until something is so, for half an hour at most. What the page
 * asks for meanwhile takes real time: `pauseMs` for each step.
 */
export async function passTimeUntil(page, isSo, { seconds = 1, pauseMs = 20 } = {}) {
  for (let passed = 0; passed < 1_800 && !(await isSo()); passed += seconds) {
    await page.clock.runFor(seconds * 1_000);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
