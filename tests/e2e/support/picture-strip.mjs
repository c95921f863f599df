import { readFile } from "node:fs/promises";

/**
 * Puts pictures side by side into one PNG at `path`: `width` CSS pixels each, cropped at `height`, and by
 * `margin` of their width at each side. The browser that took them lays them out, so no other tool is needed.
 */
export async function pictureStrip(browser, pictures, path, { width, height, margin = 0, gap = 16 }) {
  const context = await browser.newContext({
    viewport: { width: pictures.length * width + (pictures.length + 1) * gap, height: height + 2 * gap },
  });
  try {
    const page = await context.newPage();
    const images = await Promise.all(pictures.map(async (file) => `<div><img alt="" src="data:image/png;base64,${await readFile(file, "base64")}"></div>`));
    await page.setContent(`<style>
      body { display: flex; gap: ${gap}px; margin: ${gap}px; background: #c9d1cc; }
      div { width: ${width}px; height: ${height}px; overflow: hidden; border-radius: 6px; }
      img { width: ${100 / (1 - 2 * margin)}%; margin-left: ${(-100 * margin) / (1 - 2 * margin)}%; }
    </style>${images.join("")}`);
    await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
    await page.screenshot({ path });
  } finally {
    await context.close();
  }
}
