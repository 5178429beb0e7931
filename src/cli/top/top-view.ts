/** The screen of `limpet top` as lines that fit the terminal. Pure. */
import { describeAge } from "../../base/describe-duration.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import {
  describeActivity,
  describeBytes,
  describeGaps,
  describeOutput,
  isRunning,
  stateOf,
} from "../print/describe-session.ts";
import { type Column, pad, shorten, table } from "../print/table.ts";
import { visibleLine } from "../print/visible.ts";
import { selectedRow, shownRows, type TopModel, type TopRow } from "./top-model.ts";

const COLUMNS: readonly Column[] = [
  { title: "ID", align: "right" },
  { title: "NAME", maxWidth: 16 },
  { title: "STATE", maxWidth: 10 },
  { title: "INPUT" },
  { title: "AGE", align: "right" },
  { title: "OUTPUT", align: "right" },
  { title: "RATE", align: "right" },
  { title: "PROGRAM", maxWidth: 30, givesWay: true },
  { title: "LAST LINE" },
];

const HELP = "↑↓ select  Enter attach  k kill  / filter  e ended  q quit";
/** The title, the table's header and the line with the keys. */
const FRAME_LINES = 3;

export function topView(model: TopModel, { cols, rows }: TerminalSize): string[] {
  const shown = shownRows(model);
  const selected = selectedRow(model);
  const [head = "", ...lines] = table(COLUMNS, shown.map(cellsOf), { maxWidth: cols });
  const room = Math.max(0, rows - FRAME_LINES);
  const first = firstShown(shown.indexOf(selected as TopRow), room, shown.length);
  const body = Array.from({ length: room }, (_, index) => {
    const [line, row] = [lines[first + index], shown[first + index]];
    if (line === undefined || !row) return "";
    const text = pad(line, cols, "left");
    return row === selected ? inverse(text) : `${colourOf(row)}${text.trimEnd()}\x1b[0m`;
  });
  return [
    bold(fitted(titleOf(model, shown), cols)),
    inverse(pad(head, cols, "left")),
    ...body,
    footOf(model, cols),
  ].slice(0, rows);
}

function titleOf({ filter, showsEnded, rows }: TopModel, shown: readonly TopRow[]): string {
  const alive = rows.filter(isRunning);
  const idle = alive.filter(({ isIdle }) => isIdle).length;
  const waiting = rows.filter(isWaiting).length;
  const parts = [
    `limpet top: ${alive.length - idle} running, ${waiting} waiting for input${idle === 0 ? "" : `, ${idle} idle`}`,
    ...(showsEnded ? ["including ended"] : []),
    ...(filter === "" ? [] : [`${shown.length} match ${JSON.stringify(filter)}`]),
  ];
  return parts.join(" · ");
}

function footOf(model: TopModel, cols: number): string {
  const selected = selectedRow(model);
  if (model.mode === "filter") return fitted(`Filter: ${model.filter}█`, cols);
  if (model.mode === "kill" && selected) {
    return bold(
      fitted(`Kill ${selected.id} (${selected.name ?? selected.program}) and everything it started? y/n`, cols),
    );
  }
  const [gap = HELP] = selected ? describeGaps([selected]) : [];
  return dim(fitted(model.message === "" ? gap : model.message, cols));
}

/** One visible line: names, commands and errors may hold anything. */
function fitted(text: string, cols: number): string {
  return shorten(visibleLine(text), cols);
}

function cellsOf(row: TopRow): readonly string[] {
  const waiting = isRunning(row) ? (row.waitingFor ?? "") : "";
  const rate = row.rate >= 1 ? `${describeBytes(row.rate)}/s` : "";
  return [
    String(row.id),
    row.name ?? "",
    stateOf(row),
    waiting,
    describeAge(row.ageMs),
    describeOutput(row),
    rate,
    describeActivity(row),
    row.lastLine,
  ];
}

/** The first row to show, so that the selected one is visible. */
function firstShown(selected: number, room: number, total: number): number {
  if (total <= room) return 0;
  return Math.min(Math.max(0, selected - Math.floor(room / 2)), total - room);
}

/** Waiting: yellow. Held: magenta. Ended: dim. */
function colourOf(row: TopRow): string {
  if (!isRunning(row)) return "\x1b[2m";
  if (row.held) return "\x1b[35m";
  return isWaiting(row) ? "\x1b[33m" : "";
}

function isWaiting(row: TopRow): boolean {
  return isRunning(row) && row.waitingFor !== null && row.waitingFor !== "unknown";
}

function inverse(text: string): string {
  return `\x1b[7m${text}\x1b[0m`;
}

function bold(text: string): string {
  return `\x1b[1m${text}\x1b[0m`;
}

function dim(text: string): string {
  return `\x1b[2m${text}\x1b[0m`;
}

/** The output that turns the lines `before` into `after`: only lines that differ, in one write. */
export function changesBetween(before: readonly string[], after: readonly string[]): string {
  const changed = after.flatMap((line, index) =>
    line === before[index] ? [] : [`\x1b[${index + 1};1H${line}\x1b[0m\x1b[K`],
  );
  // Terminals with mode 2026 (synchronized output) show all of it at once.
  return changed.length === 0 ? "" : `\x1b[?2026h${changed.join("")}\x1b[?2026l`;
}
