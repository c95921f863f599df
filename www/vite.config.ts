import { defineConfig } from "vite";

// `npm run dev` serves the page; the shop's backend runs beside it and is reached through /api.
const backend = process.env["SHOP_BACKEND"] ?? "http://127.0.0.1:4102";

export default defineConfig({
  server: {
    host: "127.0.0.1",
    proxy: { "/api": { target: backend } },
  },
  build: {
    target: "es2022",
    // The page's policy allows no data: addresses and no script but the shop's own files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: {
      input: ["index.html", "workbench.html"],
      // The SDK in a file of its own: it stays in the browser's cache when the shop changes, and its time is seen apart from the shop's.
      output: { codeSplitting: { groups: [{ name: "remitkit", test: /node_modules[\\/]remitkit[\\/](?!.*messages)/ }] } },
    },
  },
});
