// The report as text.

import { medianOf } from "./verdicts.mjs";

export function tablesOf({ measured, verdicts, sizes, others }) {
  const { contests, cold, networks, wire, curves, forms, memory, refusals, load, sandboxMemory } = measured;
  const coldOver = Object.entries(networks).map(([name, samples]) => [`cold page, ${name}`, samples]);
  const times = { ...contests, "cold page": cold, ...Object.fromEntries(coldOver) };
  const sections = [
    ["Bytes of a page's code", table(named(sizes, (bytes) => bytes))],
    ["Median milliseconds of one operation", byVariant(times)],
    ...Object.entries(others).map(([engine, found]) => [`The same in ${engine}`, byVariant(found.contests)]),
    ["Bytes on the wire, with headers, until each page's moment", table(named(wire, (bytes) => ({ bytes })))],
  ];
  if (curves) {
    const form = (variant) => ({ forms: count, mountMs, messageMs }) => {
      const times = { "mounting one": ms(mountMs), "message to consumer": ms(messageMs) };
      return { "": `${variant}, ${count} open`, ...times };
    };
    const formRows = Object.entries(forms).flatMap(([variant, list]) => list.map(form(variant)));
    sections.push(
      ["Growth: milliseconds of one operation", byVariant(curves)],
      ["Open card forms", table(formRows)],
      ["Memory", table(memory.map(({ heapBytes, ...rest }) => ({ ...rest, "heap, kB": heapBytes / 1000 })))],
      ["Load: a second", table(named(load, loadOf))],
      ["Memory of the sandbox", table(sandboxMemory.samples)],
    );
  }
  sections.push(["Malformed values, by who refuses them", refusalTable(refusals)]);
  sections.push(["Verdicts", verdictTable(verdicts)]);
  return sections.map(([title, text]) => `${title}\n${text}`).join("\n\n");
}

function named(records, rest) {
  return Object.entries(records).map(([name, record]) => ({ "": name, ...rest(record) }));
}

function byVariant(contests) {
  const median = ([variant, list]) => `${variant} ${ms(medianOf(list))}`;
  const width = Math.max(...Object.keys(contests).map((name) => name.length));
  const lines = Object.entries(contests).map(([name, variants]) => {
    return `  ${name.padEnd(width)}  ${Object.entries(variants).map(median).join("   ")}`;
  });
  return lines.join("\n");
}

function loadOf({ sandbox, mock, ratio }) {
  return {
    sandbox: round(sandbox.perSecond),
    Prism: round(mock.perSecond),
    ratio: round(ratio),
    "generator busy": round(sandbox.generator),
    "ms of CPU each": ms(sandbox.cpuMs),
    "Prism's": ms(mock.cpuMs),
  };
}

function refusalTable({ groups, differences, onPurpose }) {
  const lines = [table(named(groups, (counts) => counts))];
  for (const { group, what } of differences) lines.push(`  FAILS: ${group}: ${what}`);
  for (const { group, what, reason } of onPurpose) lines.push(`  on purpose: ${group}: ${what}: ${reason}`);
  return lines.join("\n");
}

function verdictTable(verdicts) {
  const limit = (value, isMet, missed, higher) =>
    value === undefined ? "" : `${higher ? "≥" : "≤"} ${value} ${isMet ? "met" : missed}`;
  const row = ({ name, value, spread, must, aim, meetsMust, meetsAim, recorded, isWorse, higher }) => ({
    "": name,
    figure: round(value),
    "p25–p75": spread ? `${round(spread.p25)}–${round(spread.p75)}` : "",
    must: limit(must, meetsMust, "MISSED", higher),
    aim: limit(aim, meetsAim, "missed", higher),
    recorded: recorded === undefined ? "" : `${round(recorded)}${isWorse ? " WORSE" : ""}`,
  });
  return table(verdicts.map(row));
}

/** Formats rows, whose members have the names of the columns. */
function table(rows) {
  const columns = Object.keys(rows[0] ?? {});
  const all = [columns, ...rows.map((row) => columns.map((name) => String(row[name])))];
  const widths = columns.map((_, at) => Math.max(...all.map((row) => row[at].length)));
  const pad = (cell, at) => (at === 0 ? cell.padEnd(widths[at]) : cell.padStart(widths[at]));
  return all.map((row) => `  ${row.map(pad).join("  ")}`.trimEnd()).join("\n");
}

function ms(value) {
  return value < 0.01 ? value.toFixed(5) : value < 1 ? value.toFixed(3) : value.toFixed(1);
}

export function round(value) {
  if (Number.isInteger(value)) return value;
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
