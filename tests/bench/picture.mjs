// The figures with a budget as a picture: how much of its budget each one takes.

import { shown } from "./table.mjs";
import { keyOf } from "./verdicts.mjs";

const WIDTH = 860;
const LABEL = 400;
const ROW = 30;
const TOP = 46;
/** Longer bars are cut off there. */
const MOST = 2;
const UNIT = (WIDTH - LABEL - 110) / MOST;

const STYLE = `
  text { font: 14px system-ui, sans-serif; fill: #24292f; }
  .paper { fill: #ffffff; }
  .title { font-weight: 600; font-size: 16px; }
  .bar { fill: #0a7f5c; }
  .missed { fill: #b35900; }
  .must { stroke: #6e7781; stroke-dasharray: 4 3; }
  .spread { stroke: #24292f; stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; }
    text { fill: #e6edf3; }
    .bar { fill: #2fbf8f; }
    .missed { fill: #f0883e; }
    .must { stroke: #9198a1; }
    .spread { stroke: #e6edf3; }
  }
`;

export function pictureOf(verdicts) {
  const rows = verdicts.filter(({ must, p25 }) => must !== undefined && p25 !== undefined);
  const height = TOP + rows.length * ROW + 20;
  const end = LABEL + UNIT;
  const bars = rows.map((verdict, at) => {
    const { unit, must, value, p25, p75, meetsMust } = verdict;
    const y = TOP + at * ROW;
    const lengthOf = (figure) => Math.min(Math.max(figure / must, 0), MOST) * UNIT;
    const length = lengthOf(value);
    const [from, to] = [p25, p75].map((figure) => LABEL + lengthOf(figure));
    return [
      `<text x="${LABEL - 12}" y="${y + 17}" text-anchor="end">${escaped(keyOf(verdict))}</text>`,
      `<rect class="${meetsMust ? "bar" : "missed"}" x="${LABEL}" y="${y + 4}" width="${length.toFixed(1)}" height="18" rx="3"/>`,
      `<line class="spread" x1="${from.toFixed(1)}" x2="${to.toFixed(1)}" y1="${y + 13}" y2="${y + 13}"/>`,
      `<text x="${(LABEL + Math.max(length, to - LABEL) + 8).toFixed(1)}" y="${y + 18}">${shown(value, unit)}</text>`,
    ].join("");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="t">
<title id="t">How much of its budget each figure takes; a bar past the line misses it</title>
<style>${STYLE}</style>
<rect class="paper" width="${WIDTH}" height="${height}" rx="6"/>
<text class="title" x="${LABEL}" y="24">share of the budget; past the line it is missed</text>
${bars.join("\n")}
<line class="must" x1="${end}" x2="${end}" y1="${TOP - 8}" y2="${height - 12}"/>
</svg>
`;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
