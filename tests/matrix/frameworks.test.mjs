// A page in each framework, as its documentation begins one: built, and served in development.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { app, assertShown, run, shownFrom } from "../frontends/app.mjs";
import { said } from "./backend.mjs";

const require = createRequire(import.meta.url);
/** A file of an installed package. */
const installed = (name, path) => join(dirname(require.resolve(`${name}/package.json`)), path);

const SHOW = `
const usd = { iso3Code: "USD", decimalPlaces: 2 };
export const show = (tell) =>
  // The parts too, so that a framework which leaves one of their files behind is found out.
  Promise.all([
    createRemitKit({ baseUrl: "https://api.remitkit.example", cardUrl: "https://card.remitkit.example", token: "t" }),
    preload({ everything: true }),
  ]).then(
    ([remit]) => tell(remit.contentSecurityPolicy()["frame-src"] + " " + formatAmount({ value: 12550, currency: usd }, "en-US")),
    (error) => tell(error.stack + error.cause?.stack),
  );`;
const SCRIPT = `import { createRemitKit, formatAmount, preload } from "remitkit";\n${SHOW}`;

const FRAMEWORKS = {
  Angular: {
    cli: installed("@angular/cli", "bin/ng.js"),
    build: ["build"],
    dev: ["serve", "--port=0"],
    dist: "dist/browser",
    files: {
      "angular.json": JSON.stringify({
        version: 1,
        cli: { analytics: false },
        projects: {
          shop: {
            projectType: "application",
            root: "",
            sourceRoot: "src",
            architect: {
              build: {
                builder: "@angular/build:application",
                options: {
                  browser: "src/main.ts",
                  index: "src/index.html",
                  tsConfig: "tsconfig.json",
                  outputPath: "dist",
                  assets: [{ glob: "remitkit_*.wasm", input: "node_modules/remitkit", output: "." }],
                },
                configurations: { development: { optimization: false } },
              },
              serve: { builder: "@angular/build:dev-server", options: { buildTarget: "shop:build:development", host: "127.0.0.1" } },
            },
          },
        },
      }),
      "tsconfig.json": JSON.stringify({
        compilerOptions: { target: "ES2022", module: "preserve", moduleResolution: "bundler", strict: true, lib: ["ES2022", "DOM", "ESNext.Disposable"], types: [] },
        files: ["src/main.ts"],
      }),
      "src/index.html": '<!doctype html><html lang="en"><head><title>Shop</title><base href="/"></head><body><shop-checkout></shop-checkout></body></html>',
      "src/main.ts": `
import { Component, provideZonelessChangeDetection, signal } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import { createRemitKit, formatAmount, preload } from "remitkit";
${SHOW.replace("(tell)", "(tell: (text: string) => void)")}
@Component({ selector: "shop-checkout", template: "<output>{{ text() }}</output>" })
class Checkout {
  readonly text = signal("");
  constructor() {
    show((text) => this.text.set(text));
  }
}
bootstrapApplication(Checkout, { providers: [provideZonelessChangeDetection()] });`,
    },
  },
  SvelteKit: {
    cli: installed("vite", "bin/vite.js"),
    build: ["build"],
    dev: ["dev", "--host", "127.0.0.1", "--port", "0"],
    dist: "build",
    files: {
      "svelte.config.js": 'import adapter from "@sveltejs/adapter-static";\nexport default { kit: { adapter: adapter() } };',
      "vite.config.js": 'import { sveltekit } from "@sveltejs/kit/vite";\nexport default { plugins: [sveltekit()] };',
      "src/app.html": '<!doctype html><html lang="en"><head>%sveltekit.head%</head><body>%sveltekit.body%</body></html>',
      "src/routes/+layout.js": "export const prerender = true;",
      "src/lib/show.js": SCRIPT,
      "src/routes/+page.svelte": '<script>\nimport { onMount } from "svelte";\nimport { show } from "$lib/show.js";\nlet text = $state("");\nonMount(() => { show((said) => (text = said)); });\n</script>\n<output>{text}</output>',
    },
  },
  Astro: {
    cli: installed("astro", "astro.js"),
    build: ["build"],
    dev: ["dev", "--host", "127.0.0.1", "--port", "0"],
    dist: "dist",
    files: {
      "src/show.js": SCRIPT,
      "src/pages/index.astro": '<!doctype html><html lang="en"><title>Shop</title><output></output>\n<script>\nimport { show } from "../show.js";\nshow((text) => (document.querySelector("output").textContent = text));\n</script></html>',
    },
  },
  Nuxt: {
    cli: installed("nuxt", "bin/nuxt.mjs"),
    build: ["build"],
    dev: ["dev", "--no-fork", "--host", "127.0.0.1", "--port", "0"],
    server: ".output/server/index.mjs",
    files: {
      "nuxt.config.ts": "export default defineNuxtConfig({ telemetry: false, devtools: { enabled: false } });",
      "show.js": SCRIPT,
      "app.vue": '<script setup>\nimport { onMounted, ref } from "vue";\nimport { show } from "./show.js";\nconst text = ref("");\nonMounted(() => show((said) => (text.value = said)));\n</script>\n<template><output>{{ text }}</output></template>',
    },
  },
};

for (const [name, { cli, build, dev, dist, server, files }] of Object.entries(FRAMEWORKS)) {
  test(`${name}, build and dev`, async (t) => {
    const folder = await app(files, import.meta.dirname);
    const env = { ...process.env, CI: "1", NO_COLOR: "1", NODE_ENV: undefined, ASTRO_TELEMETRY_DISABLED: "1", NUXT_TELEMETRY_DISABLED: "1", NG_CLI_ANALYTICS: "false" };
    const built = await run(process.execPath, [cli, ...build], { cwd: folder, env }).catch((error) => error);
    assert.equal(built.code ?? 0, 0, `${built.stdout}\n${built.stderr}`);
    if (dist) {
      await shownFrom(join(folder, dist), t);
    } else {
      await runs([server], { cwd: folder, env: { ...env, HOST: "127.0.0.1", PORT: "0" } }, t);
    }
    await runs([cli, ...dev], { cwd: folder, env }, t);
  });
}

/** Starts a server, and looks at its page. */
async function runs(args, options, t) {
  const server = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  try {
    await assertShown(await said(server, /(http:\/\/(?:127\.0\.0\.1|localhost):[1-9]\d*)/), t);
  } finally {
    server.kill();
  }
}
