import { defineConfig, type HtmlTagDescriptor, type Plugin } from "vite";

// `npm run dev` serves the page and forwards /api to the shop's backend.
const backend = process.env["SHOP_BACKEND"] ?? "http://127.0.0.1:4102";

// Shared by the heads of all pages. The theme colors are --ground in tokens.css.
const HEAD: HtmlTagDescriptor[] = [
  { tag: "meta", attrs: { charset: "utf-8" } },
  { tag: "meta", attrs: { name: "viewport", content: "width=device-width, initial-scale=1" } },
  { tag: "meta", attrs: { name: "color-scheme", content: "light dark" } },
  { tag: "meta", attrs: { name: "theme-color", content: "#f5f7f4", media: "(prefers-color-scheme: light)" } },
  { tag: "meta", attrs: { name: "theme-color", content: "#101714", media: "(prefers-color-scheme: dark)" } },
  { tag: "link", attrs: { rel: "icon", type: "image/svg+xml", href: "/favicon.svg" } },
];
const SDK_FILES = /node_modules[\\/]remitkit[\\/](?!.*messages)/;
const head: Plugin = { name: "head", transformIndexHtml: () => HEAD };

export default defineConfig({
  plugins: [head],
  server: { host: "127.0.0.1", proxy: { "/api": { target: backend } } },
  build: {
    target: "es2022",
    // The page's policy allows no data: URLs and only the shop's own scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: ["index.html", "workbench.html", "fields.html"],
      // The SDK has its own file, which stays cached when the shop changes and is measured separately.
      output: { codeSplitting: { groups: [{ name: "remitkit", test: SDK_FILES }] } },
    },
  },
});
