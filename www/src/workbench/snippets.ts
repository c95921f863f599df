import { isRecord } from "./redact";

const INDENT = "  ";
const MAX_WIDTH = 64;

/** Code that is written as it is, without quotes. */
export class Verbatim {
  constructor(readonly text: string) {}
}

/** Writes a value as source code, on one line if it is short. */
export function literal(value: unknown, margin = ""): string {
  const inner = margin + INDENT;
  if (value instanceof Verbatim) return value.text;
  if (Array.isArray(value)) return bracketed("[", "]", value.map((item) => literal(item, inner)), margin);
  if (!isRecord(value)) return value === undefined ? "undefined" : JSON.stringify(value);
  const isEmpty = (member: unknown) => isRecord(member) && Object.keys(member).length === 0;
  const members = Object.entries(value).filter(([, member]) => member !== undefined && !isEmpty(member));
  const written = members.map(([name, member]) => {
    // An id comes from an earlier call, in a variable of the same name.
    if (member === `<${name}>` && name.endsWith("Id")) return name;
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return `${key}: ${literal(member, inner)}`;
  });
  return bracketed("{ ", " }", written, margin);
}

function bracketed(open: string, close: string, items: string[], margin: string): string {
  if (items.length === 0) return open.trim() + close.trim();
  const line = open + items.join(", ") + close;
  if (line.length <= MAX_WIDTH && !line.includes("\n")) return line;
  const lines = items.map((item) => `${margin}${INDENT}${item},`);
  return [open.trim(), ...lines, margin + close.trim()].join("\n");
}

/** Joins parts of code, leaving out what is empty or false, and indents them by `depth`. */
export function lines(parts: (string | false | undefined)[], depth = 0): string {
  const text = parts.filter(Boolean).join("\n");
  return text.replaceAll(/^(?=.)/gm, INDENT.repeat(depth));
}

/** Writes a page with a custom element, and the module `entry` of the package that defines it. */
export function elementCode(markup: string, entry: string, define: string, script: string): string {
  return `${markup}
<script type="module">
  import { createRemitKit } from "remitkit";
  import { ${define} } from "remitkit/${entry}";

  ${define}();
${lines([script], 1)}
</script>`;
}
