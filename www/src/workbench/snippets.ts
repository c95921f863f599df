const MAX_WIDTH = 64;

/** Code that is written as it is, without quotes. */
export class Verbatim {
  constructor(readonly text: string) {}
}

/** Writes a value as source code, on one line if it is short. */
export function literal(value: unknown): string {
  if (value instanceof Verbatim) return value.text;
  if (Array.isArray(value)) return bracketed("[", "]", value.map((item) => literal(item)));
  if (!isRecord(value)) return value === undefined ? "undefined" : JSON.stringify(value);
  const written = Object.entries(value).flatMap(([name, member]) => {
    // An id comes from an earlier call, in a variable of the same name.
    if (member === `<${name}>` && name.endsWith("Id")) return [name];
    const text = literal(member);
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
    return text === "undefined" || text === "{}" ? [] : [`${key}: ${text}`];
  });
  return bracketed("{ ", " }", written);
}

function bracketed(open: string, close: string, items: string[]): string {
  const line = items.length > 0 ? open + items.join(", ") + close : open.trim() + close.trim();
  if (line.length <= MAX_WIDTH && !line.includes("\n")) return line;
  return lines([open.trim(), lines(items.map((item) => `${item},`), 1), close.trim()]);
}

/** Joins parts of code, leaving out what is empty or false, and indents them by `depth`. */
export function lines(parts: (string | false | undefined)[], depth = 0): string {
  const text = parts.filter(Boolean).join("\n");
  return text.replaceAll(/^(?=.)/gm, "  ".repeat(depth));
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

/** Writes a component that runs code with a kit. */
export function reactCode(code: string): string {
  return `import { useRef } from "react";
import { useRemitKit } from "remitkit/react";

function Example() {
  const { remit } = useRemitKit();
  const isBusy = useRef(false); // until it fails: a second press would send it again
  const run = async () => {
    if (isBusy.current) return;
    isBusy.current = true;
    try {
${lines([code], 3)}
    } catch (error) {
      isBusy.current = false;
      throw error;
    }
  };
  return <button onClick={run} disabled={!remit}>Run</button>;
}`;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}
