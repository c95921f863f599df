// The recorded figures as the text of docs/benchmark.md, between marks.

import { ENGINES } from "./figures.mjs";
import { shown } from "./table.mjs";
import { judge, keyOf, titleOf } from "./verdicts.mjs";

/** Returns the document with the recorded figures, and with what misses its budget. */
export function withFigures(document, recorded) {
  const verdicts = judge(recorded.figures, {});
  return replaced(replaced(document, "figures", figuresOf(recorded, verdicts)), "misses", missesOf(verdicts));
}

function replaced(document, name, text) {
  const [begin, end] = [`<!-- ${name}: written by --record -->\n`, `<!-- end of ${name} -->`];
  const [before, rest] = document.split(begin);
  const after = rest?.split(end)[1];
  if (after === undefined) throw new Error(`docs/benchmark.md has no place for its ${name}`);
  return `${before}${begin}\n${text}\n\n${end}${after}`;
}

function figuresOf({ date, commit, command, machine }, verdicts) {
  if (verdicts.length === 0) return "No run is recorded.";
  const musts = verdicts.filter(({ must }) => must !== undefined);
  const met = musts.filter(({ meetsMust }) => meetsMust).length;
  const { processors, model, browsers } = machine;
  const tables = [
    ["In each engine", inEngines(verdicts.filter(({ engine }) => engine))],
    ["In Chromium, and of the sandbox", alone(verdicts.filter(({ engine }) => !engine))],
  ];
  return [
    `${met} of ${musts.length} musts were met at ${commit} on ${date}, on ${processors} processors (${model}), in`,
    `${browsers.join(", ")}:`,
    "",
    "```sh",
    command,
    "```",
    ...tables.flatMap(([title, rows]) => ["", `### ${title}`, "", ...rows]),
    "",
    "![Bars: how much of its budget each figure takes](../www/screenshots/bench.svg)",
  ].join("\n");
}

function inEngines(verdicts) {
  const engines = Object.keys(ENGINES);
  const names = new Set(verdicts.map(titleOf));
  const rows = Array.from(names, (title) => {
    const own = verdicts.filter((verdict) => titleOf(verdict) === title);
    const cell = (engine) => cellOf(own.find((verdict) => verdict.engine === engine));
    return [title, ...limitsOf(own[0]), ...engines.map(cell)];
  });
  return markdown(["", "must", "aim", ...Object.values(ENGINES)], rows);
}

function alone(verdicts) {
  const rows = verdicts.map((verdict) => [titleOf(verdict), ...limitsOf(verdict), cellOf(verdict)]);
  return markdown(["", "must", "aim", "median (quartiles)"], rows);
}

function limitsOf({ must, aim, unit }) {
  const limit = (value) => (value === undefined ? "" : `≤ ${shown(value, unit)}`);
  return [limit(must), limit(aim)];
}

function cellOf(verdict) {
  if (!verdict) return "";
  const { value, unit, p25, p75, ours, theirs, meetsMust = true } = verdict;
  const figure = meetsMust ? shown(value, unit) : `**${shown(value, unit)}**`;
  if (unit === "ms") return `${figure} (${shown(ours)} beside ${shown(theirs)})`;
  return p25 === undefined ? figure : `${figure} (${shown(p25)}–${shown(p75)})`;
}

function missesOf(verdicts) {
  const missed = verdicts.filter(({ meetsMust }) => meetsMust === false);
  if (missed.length === 0) return verdicts.length === 0 ? "No run is recorded." : "Nothing.";
  const line = (verdict) => `- ${keyOf(verdict)}: ${shown(verdict.value, verdict.unit)}, must ${limitsOf(verdict)[0]}`;
  return missed.map(line).join("\n");
}

function markdown(columns, rows) {
  const line = (cells) => `| ${cells.join(" | ")} |`;
  return [line(columns), line(columns.map(() => "---")), ...rows.map(line)];
}
