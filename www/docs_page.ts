import { readFileSync, readdirSync } from "node:fs";
import { basename, join } from "node:path";
import { Marked } from "marked";
import type { Plugin } from "vite";

const README = "README.md";
const PACKAGE = join(import.meta.dirname, "node_modules/remitkit");

/** Puts the documentation of the installed package into `docs.html`. */
export const docsPage: Plugin = {
  name: "docs",
  transformIndexHtml: (html) => html.replace("<!-- documentation -->", () => documentation()),
};

function documentation(): string {
  const textsIn = (folder: string) =>
    readdirSync(join(PACKAGE, folder)).filter((file) => file.endsWith(".md")).sort();
  const others = textsIn(".").filter((file) => file !== README);
  return [README, ...textsIn("docs").map((file) => `docs/${file}`), ...others].map(render).join("\n");
}

/** Renders a file. Its heading ids are prefixed, as in `docs-errors-…`; only the README's have no prefix. */
function render(file: string): string {
  const name = file === README ? undefined : `docs-${basename(file, ".md")}`;
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }) {
        const words = text.toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
        const id = name === undefined ? words : depth === 1 ? name : `${name}-${words}`;
        // A page has a single first-level heading.
        const level = name === undefined ? depth : depth + 1;
        return `<h${level} id="${id}">${this.parser.parseInline(tokens)}</h${level}>\n`;
      },
      link({ href, tokens }) {
        const other = /([a-z]+)\.md(#.*)?$/i.exec(href);
        const to = other ? `#${other[1] === "README" ? "remitkit" : `docs-${other[1]}`}` : href;
        return `<a href="${to}">${this.parser.parseInline(tokens)}</a>`;
      },
      code({ text }) {
        return `<pre tabindex="0"><code>${escaped(text)}</code></pre>\n`;
      },
    },
  });
  const html = marked.parse(readFileSync(join(PACKAGE, file), "utf8"), { async: false });
  return html
    // An empty cell is no header.
    .replaceAll("<th></th>", "<td></td>")
    .replaceAll("<table>", '<div class="table" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
