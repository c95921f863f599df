import { readFile } from "node:fs/promises";

/**
 * Joins pictures side by side in a PNG at `path`, each `width` by `height` pixels, with `margin` of its width
 * cropped at each side. The browser lays them out, so no image tool is needed.
 */
export async function pictureStrip(browser, pictures, path, { width, height, margin = 0 }) {
  const gap = 16;
  const viewport = { width: pictures.length * (width + gap) + gap, height: height + 2 * gap };
  const context = await browser.newContext({ viewport });
  try {
    const page = await context.newPage();
    const images = pictures.map(async (file) => {
      return `<div><img alt="" src="data:image/png;base64,${await readFile(file, "base64")}"></div>`;
    });
    const scale = 100 / (1 - 2 * margin);
    await page.setContent(`<style>
      body { display: flex; gap: ${gap}px; margin: ${gap}px; background: #c9d1cc; }
      div { width: ${width}px; height: ${height}px; overflow: hidden; border-radius: 6px; }
      img { width: ${scale}%; margin-left: ${-margin * scale}%; }
    </style>${(await Promise.all(images)).join("")}`);
    await page.evaluate(() => Promise.all([...document.images].map((image) => image.decode())));
    await page.screenshot({ path });
  } finally {
    await context.close();
  }
}
