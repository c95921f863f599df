// A page in each framework, as its documentation starts one: built, and served in development.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { app, assertFolderShows, assertShows, matchIn, OPTIONS, run, SHOW } from "../frontends/app.mjs";

const require = createRequire(import.meta.url);
/** Returns the path of a file of an installed package. */
const installed = (name, path) => join(dirname(require.resolve(`${name}/package.json`)), path);

const IMPORT = 'import { createRemitKit, formatAmount, preload } from "remitkit";';
/** The source of `show`, which passes to `tell` what the page shows. */
const sourceOf = (type = "") => `${IMPORT}
const textOf = ${type ? SHOW.replace("(remit)", "(remit: RemitKit)") : SHOW};
export const show = (tell${type}) =>
  // The parts too, as a framework may leave their files behind.
  Promise.all([createRemitKit(${OPTIONS}), preload({ everything: true })]).then(
    ([remit]) => tell(textOf(remit)),
    (error) => tell(error.stack + error.cause?.stack),
  );`;
const SCRIPT = sourceOf();

const DEV = ["dev", "--host", "127.0.0.1", "--port", "0"];

const ANGULAR = {
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
  serve: {
    builder: "@angular/build:dev-server",
    options: { buildTarget: "shop:build:development", host: "127.0.0.1" },
  },
};
const LIB = ["ES2022", "DOM", "ESNext.Disposable"];
const MODULES = { target: "ES2022", module: "preserve", moduleResolution: "bundler" };
const TYPESCRIPT = { ...MODULES, strict: true, lib: LIB, types: [] };

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
        projects: { shop: { projectType: "application", root: "", sourceRoot: "src", architect: ANGULAR } },
      }),
      "tsconfig.json": JSON.stringify({ compilerOptions: TYPESCRIPT, files: ["src/main.ts"] }),
      "src/index.html": `<!doctype html><html lang="en"><head><title>Shop</title><base href="/"></head>
<body><shop-checkout></shop-checkout></body></html>`,
      "src/main.ts": `
import { Component, provideZonelessChangeDetection, signal } from "@angular/core";
import { bootstrapApplication } from "@angular/platform-browser";
import type { RemitKit } from "remitkit";
${sourceOf(": (text: string) => void")}
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
    dev: DEV,
    dist: "build",
    files: {
      "svelte.config.js": `
import adapter from "@sveltejs/adapter-static";
export default { kit: { adapter: adapter() } };`,
      "vite.config.js": `
import { sveltekit } from "@sveltejs/kit/vite";
export default { plugins: [sveltekit()] };`,
      "src/app.html": `<!doctype html><html lang="en"><head>%sveltekit.head%</head>
<body>%sveltekit.body%</body></html>`,
      "src/routes/+layout.js": "export const prerender = true;",
      "src/lib/show.js": SCRIPT,
      "src/routes/+page.svelte": `
<script>
import { onMount } from "svelte";
import { show } from "$lib/show.js";
let text = $state("");
onMount(() => { show((shown) => (text = shown)); });
</script>
<output>{text}</output>`,
    },
  },
  Astro: {
    cli: installed("astro", "astro.js"),
    build: ["build"],
    dev: DEV,
    dist: "dist",
    files: {
      "src/show.js": SCRIPT,
      "src/pages/index.astro": `<!doctype html><html lang="en"><title>Shop</title><output></output>
<script>
import { show } from "../show.js";
show((text) => (document.querySelector("output").textContent = text));
</script></html>`,
    },
  },
  Nuxt: {
    cli: installed("nuxt", "bin/nuxt.mjs"),
    build: ["build"],
    dev: ["dev", "--no-fork", "--host", "127.0.0.1", "--port", "0"],
    server: ".output/server/index.mjs",
    files: {
      "nuxt.config.ts": `
export default defineNuxtConfig({ telemetry: false, devtools: { enabled: false } });`,
      "show.js": SCRIPT,
      "app.vue": `
<script setup>
import { onMounted, ref } from "vue";
import { show } from "./show.js";
const text = ref("");
onMounted(() => show((shown) => (text.value = shown)));
</script>
<template><output>{{ text }}</output></template>`,
    },
  },
};

const QUIET = { ASTRO_TELEMETRY_DISABLED: "1", NUXT_TELEMETRY_DISABLED: "1", NG_CLI_ANALYTICS: "false" };
// A user has few of the kernel's watchers, which dev servers would take.
const POLLING = { CHOKIDAR_USEPOLLING: "1" };

for (const [name, { cli, build, dev, dist, server, files }] of Object.entries(FRAMEWORKS)) {
  test(`${name}, build and dev`, async (t) => {
    const cwd = await app(files, import.meta.dirname);
    const env = { ...process.env, CI: "1", NO_COLOR: "1", NODE_ENV: undefined, ...QUIET, ...POLLING };
    const built = await run(process.execPath, [cli, ...build], { cwd, env }).catch((error) => error);
    assert.equal(built.code ?? 0, 0, `${built.stdout}\n${built.stderr}`);
    if (dist) await assertFolderShows(join(cwd, dist), t);
    else await assertServerShows([server], { cwd, env: { ...env, HOST: "127.0.0.1", PORT: "0" } }, t);
    await assertServerShows([cli, ...dev], { cwd, env }, t);
  });
}

/** Starts a server and asserts what its page shows. */
async function assertServerShows(args, options, t) {
  const server = spawn(process.execPath, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  try {
    await assertShows(await matchIn(server, /(http:\/\/(?:127\.0\.0\.1|localhost):[1-9]\d*)/), t);
  } finally {
    server.kill();
  }
}
