// The report as text.

import { ENGINES } from "./figures.mjs";
import { medianOf } from "./statistics.mjs";
import { keyOf } from "./verdicts.mjs";

export function tablesOf({ measured, verdicts, sizes }) {
  const { contests, cold, networks, wire, curves, forms, memory, refusals, load, sandboxMemory } = measured;
  const coldOver = Object.entries(networks).map(([name, samples]) => [`cold page, ${name}`, samples]);
  const inEngine = ([name, found]) => [`Median milliseconds of one operation, ${ENGINES[name]}`, byVariant(found)];
  const sections = [
    ["Bytes of a page's code", table(named(sizes, (bytes) => bytes))],
    ...Object.entries(contests).map(inEngine),
    ["Median milliseconds of a page", byVariant({ "cold page": cold, ...Object.fromEntries(coldOver) })],
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

function loadOf({ sandbox, mock, compared }) {
  return {
    sandbox: round(sandbox.perSecond),
    Prism: round(mock.perSecond),
    ratio: round(compared.value),
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
  const limit = (value, isMet, missed) => (value === undefined ? "" : `≤ ${value} ${isMet ? "met" : missed}`);
  const row = (verdict) => {
    const { unit, value, p25, p75, must, aim, meetsMust, meetsAim, recorded, isWorse } = verdict;
    return {
      "": keyOf(verdict),
      figure: shown(value, unit),
      "p25–p75": p25 === undefined ? "" : `${round(p25)}–${round(p75)}`,
      must: limit(must, meetsMust, "MISSED"),
      aim: limit(aim, meetsAim, "missed"),
      recorded: recorded === undefined ? "" : `${shown(recorded, unit)}${isWorse ? " WORSE" : ""}`,
    };
  };
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

/** Formats a figure of a verdict, or a limit of it. */
export function shown(value, unit) {
  return unit === "ms" ? `${Number(value.toFixed(2))} ms` : String(round(value));
}

export function round(value) {
  if (Number.isInteger(value)) return value;
  return value >= 100 ? Math.round(value) : Number(value.toPrecision(3));
}
