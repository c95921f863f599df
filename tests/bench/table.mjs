// The report as text.

import { medianOf } from "./stats.mjs";

export function tablesOf({ measured, verdicts, sizes, others }) {
  const { contests = {}, cold, networks = {}, wire, curves, forms, memory, refusals, load, sandboxMemory } = measured;
  const sections = [
    ["Bytes of a page's code, with brotli", table(["", "raw", "gzip", "brotli"], Object.entries(sizes).map(([name, { raw, gzip, brotli }]) => [name, raw, gzip, brotli]))],
    ["Median milliseconds of one operation", byVariant({ ...contests, ...(cold && { "cold page": cold }), ...coldOver(networks) })],
    ...Object.entries(others).map(([engine, found]) => [`The same in ${engine}`, byVariant(found.contests)]),
  ];
  if (wire) sections.push(["Bytes on the wire, headers and all, up to each page's moment", table(["", "bytes"], Object.entries(wire))]);
  if (curves) sections.push(["Growth: milliseconds of one operation", byVariant(curves)]);
  if (forms) {
    const rows = Object.entries(forms).flatMap(([variant, list]) => list.map((one) => [`${variant}, ${one.forms} open`, ms(one.mountMs), ms(one.messageMs)]));
    sections.push(["Open card forms", table(["", "mounting one", "message to consumer"], rows)]);
  }
  if (memory) sections.push(["Memory", table(["after quotes", "wasm pages", "heap, kB"], memory.map(({ calls, wasmPages, heapBytes }) => [calls, wasmPages, Math.round(heapBytes / 1000)]))]);
  if (refusals) sections.push(["Refused, of what is malformed", refusalTable(refusals)]);
  if (load) {
    const rows = Object.entries(load).map(([kind, { sandbox, mock, ratio }]) => [kind, round(sandbox.perSecond), round(mock.perSecond), round(ratio), round(sandbox.generator), ms(sandbox.cpuMs), ms(mock.cpuMs)]);
    sections.push(["Load: a second", table(["", "sandbox", "Prism", "ratio", "generator busy", "ms of CPU each", "Prism's"], rows)]);
  }
  if (sandboxMemory) {
    const rows = sandboxMemory.samples.map(({ requests, bytes }) => [requests, bytes === undefined ? "?" : round(bytes / 1e6)]);
    sections.push(["Memory of the sandbox", table(["requests", "MB"], rows)]);
  }
  sections.push(["Verdicts", verdictTable(verdicts)]);
  return sections.map(([title, text]) => `${title}\n${text}`).join("\n\n");
}

function coldOver(networks) {
  return Object.fromEntries(Object.entries(networks).map(([name, samples]) => [`cold page, ${name}`, samples]));
}

function byVariant(contests) {
  const names = Object.keys(contests);
  const width = Math.max(...names.map((name) => name.length));
  const all = (variants) => Object.entries(variants).map(([variant, list]) => `${variant} ${ms(medianOf(list))}`);
  return names.map((name) => `  ${name.padEnd(width)}  ${all(contests[name]).join("   ")}`).join("\n");
}

function refusalTable({ groups, differences, onPurpose }) {
  const rows = Object.entries(groups).map(([name, { tried, both, sdkAlone, handBuiltAlone, neither }]) => [name, tried, both, sdkAlone, handBuiltAlone, neither]);
  const lines = [table(["", "tried", "both", "SDK alone", "hand-built alone", "neither"], rows)];
  for (const { group, what } of differences) lines.push(`  FAILS: ${group}: ${what}`);
  for (const { group, what, reason } of onPurpose) lines.push(`  on purpose: ${group}: ${what}: ${reason}`);
  return lines.join("\n");
}

function verdictTable(verdicts) {
  const rows = verdicts.map(({ name, value, spread, must, aim, meetsMust, meetsAim, recorded, isWorse, higher }) => {
    const side = higher ? "≥" : "≤";
    return [
      name,
      round(value),
      spread ? `${round(spread.p25)}–${round(spread.p75)}` : "",
      must === undefined ? "" : `${side} ${must} ${meetsMust ? "met" : "MISSED"}`,
      aim === undefined ? "" : `${side} ${aim} ${meetsAim ? "met" : "missed"}`,
      recorded === undefined ? "" : `${round(recorded)}${isWorse ? " WORSE" : ""}`,
    ];
  });
  return table(["", "figure", "p25–p75", "must", "aim", "recorded"], rows);
}

function table(head, rows) {
  const all = [head, ...rows].map((row) => row.map(String));
  const widths = head.map((_, at) => Math.max(...all.map((row) => (row[at] ?? "").length)));
  const lines = all.map((row) => `  ${row.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]))).join("  ")}`.trimEnd());
  return lines.filter((line) => line !== "").join("\n");
}

function ms(value) {
  return value < 0.01 ? value.toFixed(5) : value < 1 ? value.toFixed(3) : value.toFixed(1);
}

export function round(value) {
  if (Number.isInteger(value)) return value;
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
