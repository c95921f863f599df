import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createCssVariablesTheme, type ShikiTransformer } from "shiki";
import { defineConfig, type MarkdownRenderer } from "vitepress";
import { iconFiles } from "./icon_files.ts";

/** The documentation of the installed package, as its users have it. */
const PACKAGE = join(import.meta.dirname, "../../node_modules/remitkit");
const OUTPUT = join(import.meta.dirname, "../../dist/docs");
/** The guides that come first; the others follow by name. */
const ORDER = ["recipes", "fields", "react", "element", "server", "testing", "errors"];
const SELF = { target: "_self" };

export default defineConfig({
  title: "RemitKit",
  description: "The documentation in the RemitKit package.",
  base: "/docs/",
  srcDir: PACKAGE,
  outDir: OUTPUT,
  cacheDir: join(OUTPUT, "../../node_modules/.vitepress"),
  rewrites: { "README.md": "index.md", "docs/:page": ":page" },
  head: [["link", { rel: "icon", type: "image/svg+xml", href: "/favicon.svg" }]],
  markdown: {
    anchor: { slugify },
    config: linkPages,
    theme: createCssVariablesTheme({ name: "variables" }),
    codeTransformers: [classesForColors()],
    codeCopyButtonTitle: "Copy",
  },
  appearance: "force-auto",
  // The pages' policy allows no inline scripts and no style attributes.
  metaChunk: true,
  transformHtml: (html) => {
    const external = html.replace(/<script id="([a-z-]+)">([^]*?)<\/script>/g, scriptFile);
    return external.replace(/ style="[^"]*"/g, "");
  },
  vite: { plugins: [iconFiles], build: { assetsInlineLimit: 0 } },
  themeConfig: {
    search: { provider: "local" },
    outline: [2, 3],
    nav: [
      { text: "Workbench", link: "../workbench.html", ...SELF },
      { text: "Field explorer", link: "../fields.html", ...SELF },
      { text: "Demo shop", link: "../", ...SELF },
    ],
    sidebar: [
      { text: "Overview", link: "/" },
      { text: "Guides", items: guides() },
      { text: "Project", items: ["CHANGELOG", "SECURITY"].map((name) => entry(`${name}.md`)) },
    ],
  },
});

function guides() {
  const rank = (file: string) => (ORDER.indexOf(basename(file, ".md")) + 1) || ORDER.length + 1;
  const files = readdirSync(join(PACKAGE, "docs")).filter((file) => file.endsWith(".md"));
  return files.sort().sort((a, b) => rank(a) - rank(b)).map((file) => entry(`docs/${file}`));
}

function entry(file: string) {
  const [title = ""] = readFileSync(join(PACKAGE, file), "utf8").split("\n");
  return { text: title.replaceAll(/[#`]/g, "").trim(), link: `/${basename(file, ".md")}` };
}

/** Makes the anchors that the files' links have on GitHub and npm. */
function slugify(heading: string): string {
  return heading.toLowerCase().replaceAll(/[^\p{L}\p{N}_ -]/gu, "").replaceAll(" ", "-");
}

/** Rewrites links between the package's files to links between the pages. */
function linkPages(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push("link-pages", ({ tokens }) => {
    for (const link of tokens.flatMap(({ children }) => children ?? [])) {
      const to = link.attrGet("href");
      if (to) link.attrSet("href", to.replace(/^(\.\.\/)?README\.md/, "index.md").replace(/^docs\//, ""));
    }
  });
}

/** Replaces the style attributes of highlighted code, which the policy blocks, by classes. */
function classesForColors(): ShikiTransformer {
  return {
    span(node) {
      const variable = /var\(--shiki-([a-z-]+)\)/.exec(String(node.properties["style"]))?.[1];
      delete node.properties["style"];
      if (variable) this.addClassToHast(node, variable);
    },
  };
}

function scriptFile(_: string, name: string, code: string): string {
  writeFileSync(join(OUTPUT, `${name}.js`), code);
  return `<script src="/docs/${name}.js"></script>`;
}
