// The ratios as a picture: bars of time, where 1 is the hand-built variant or the bare reply.

import { round } from "./table.mjs";

const WIDTH = 860;
const LABEL = 400;
const ROW = 30;
const TOP = 46;
/** Longer bars are cut off there. */
const MOST = 2;
const UNIT = (WIDTH - LABEL - 90) / MOST;

const STYLE = `
  text { font: 14px system-ui, sans-serif; fill: #24292f; }
  .paper { fill: #ffffff; }
  .title { font-weight: 600; font-size: 16px; }
  .bar { fill: #0a7f5c; }
  .slow { fill: #b35900; }
  .one { stroke: #6e7781; stroke-dasharray: 4 3; }
  .spread { stroke: #24292f; stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    .paper { fill: #0d1117; }
    text { fill: #e6edf3; }
    .bar { fill: #2fbf8f; }
    .slow { fill: #f0883e; }
    .one { stroke: #9198a1; }
    .spread { stroke: #e6edf3; }
  }
`;

export function pictureOf(verdicts) {
  // Only times: rates and counts are not comparable with them.
  const rows = verdicts.filter(({ spread, higher }) => spread && !higher);
  const height = TOP + rows.length * ROW + 20;
  const one = LABEL + UNIT;
  const bars = rows.map(({ name, value, spread }, at) => {
    const y = TOP + at * ROW;
    const length = Math.min(value, MOST) * UNIT;
    const [from, to] = [spread.p25, spread.p75].map((ratio) => LABEL + Math.min(ratio, MOST) * UNIT);
    return [
      `<text x="${LABEL - 12}" y="${y + 17}" text-anchor="end">${escaped(name)}</text>`,
      `<rect class="${value > 1 ? "slow" : "bar"}" x="${LABEL}" y="${y + 4}" width="${length.toFixed(1)}" height="18" rx="3"/>`,
      `<line class="spread" x1="${from.toFixed(1)}" x2="${to.toFixed(1)}" y1="${y + 13}" y2="${y + 13}"/>`,
      `<text x="${(LABEL + Math.max(length, to - LABEL) + 8).toFixed(1)}" y="${y + 18}">${round(value)}</text>`,
    ].join("");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img" aria-labelledby="t">
<title id="t">Time that the SDK takes, as a ratio to what is written by hand; shorter is better</title>
<style>${STYLE}</style>
<rect class="paper" width="${WIDTH}" height="${height}" rx="6"/>
<text class="title" x="${LABEL}" y="24">time of the SDK; 1 is what it is held against</text>
${bars.join("\n")}
<line class="one" x1="${one}" x2="${one}" y1="${TOP - 8}" y2="${height - 12}"/>
</svg>
`;
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
}
