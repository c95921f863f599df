import type { Plugin } from "vitepress";

/** Moves the theme's icons from data: URLs, which the policy blocks, to files. */
export const iconFiles: Plugin = {
  name: "icon-files",
  enforce: "post",
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type !== "asset" || !file.fileName.endsWith(".css")) continue;
      file.source = String(file.source).replaceAll(/url\("data:image\/svg\+xml,(.*?)"\)/g, (_, svg) => {
        const id = this.emitFile({ type: "asset", name: "icon.svg", source: decodeURIComponent(svg) });
        return `url("/docs/${this.getFileName(id)}")`;
      });
    }
  },
};
