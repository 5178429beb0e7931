/** The screen of `limpet top` as lines that fit the terminal. Pure. */
import { homedir } from "node:os";
import { describeAge } from "../../base/format/describe-duration.ts";
import { describeSandbox } from "../../base/sandbox-request.ts";
import { describeLimitState, limitWords } from "../../base/session-limits.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { Snapshot } from "../../screen/snapshot.ts";
import type { Approval } from "../../service/approvals/approval.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import { describeFolder, describeGaps, describeName, isRunning } from "../print/describe-session.ts";
import { pad, shorten, table } from "../print/table.ts";
import { visibleLine } from "../print/visible.ts";
import { frameOf } from "../view/frame.ts";
import { type ApprovalPage, pageHint, showPage } from "./top-approval.ts";
import { columnsFor, portsOf } from "./top-columns.ts";
import { helpLines, hintFor } from "./top-help.ts";
import { selectedRow, shownApproval, shownRows, type TopModel, type TopRow } from "./top-model.ts";

/** The title, the table's header and the line with the keys. */
const FRAME_LINES = 3;
/** With fewer rows the table needs all of them, unless the person asks for the preview. */
const PREVIEW_FROM_ROWS = 20;
const FOLDER_WIDTH = 30;

/** How many lines the preview of the selected session has, with the line that describes it; 0: it is not shown. */
export function previewRows({ showsPreview, rows: all }: TopModel, { rows }: TerminalSize): number {
  const isShown = showsPreview ?? rows >= PREVIEW_FROM_ROWS;
  return isShown && all.length > 0 ? Math.max(0, Math.floor((rows - FRAME_LINES) / 2)) : 0;
}

/** `preview`: the screen of the selected session. */
export function topView(model: TopModel, { cols, rows }: TerminalSize, preview?: Snapshot): string[] {
  const approval = shownApproval(model);
  if (approval && model.page) return approvalView(approval, model.page, { cols, rows });
  const shown = shownRows(model);
  const selected = selectedRow(model);
  const columns = columnsFor(cols);
  const cells = shown.map((row) => columns.map(({ cell }) => cell(row)));
  const [head = "", ...lines] = table(columns, cells, { maxWidth: cols });
  const previewed = selected ? previewRows(model, { cols, rows }) : 0;
  const room = Math.max(0, rows - FRAME_LINES - previewed);
  const first = firstShown(shown.indexOf(selected as TopRow), room, shown.length);
  const body = Array.from({ length: room }, (_, index) => {
    const [line, row] = [lines[first + index], shown[first + index]];
    if (line === undefined || !row) return "";
    const text = pad(line, cols, "left");
    return row === selected ? inverse(text) : `${colourOf(row)}${text.trimEnd()}\x1b[0m`;
  });
  const below = previewed > 0 && selected ? previewOf(selected, { cols, rows: previewed }, preview) : [];
  const help = helpLines().map((line) => fitted(line, cols));
  const middle = model.mode === "help" ? [...help, ...body.slice(help.length), ...below] : [...body, ...below];
  return [
    bold(fitted(titleOf(model, shown), cols)),
    inverse(pad(head, cols, "left")),
    ...middle.slice(0, Math.max(0, rows - FRAME_LINES)),
    footOf(model, cols),
  ].slice(0, rows);
}

function approvalView(approval: Approval, { first }: ApprovalPage, size: TerminalSize): string[] {
  const { cols, rows } = size;
  const page = showPage(approval, first, size);
  const blank = Array.from({ length: Math.max(0, rows - 2 - page.lines.length) }, () => "");
  const title = `Approval ${approval.number}, ${describeAge(approval.leftMs)} left`;
  return [bold(fitted(title, cols)), ...page.lines, ...blank, inverse(pad(fitted(pageHint(page), cols), cols, "left"))];
}

/** A line about the session, and its screen below. */
function previewOf(row: TopRow, { cols, rows }: TerminalSize, preview: Snapshot | undefined): readonly string[] {
  const screen = preview && rows > 1 ? frameOf(preview, { own: { cols, rows: rows - 1 }, status: "" }).lines : [];
  const blank = Array.from({ length: Math.max(0, rows - 1 - screen.length) }, () => "");
  return [inverse(pad(fitted(detailOf(row), cols), cols, "left")), ...screen, ...blank];
}

function detailOf(row: TopRow): string {
  const { owner, size, held, sandbox, limits } = row;
  const ports = portsOf(row);
  return [
    describeName(row),
    ...(held ? [held.isTyping ? "a person is typing" : `held${held.reason === null ? "" : `: ${held.reason}`}`] : []),
    ...(limits ? [describeLimitState(limits)] : []),
    ...(limits?.endedBy ? [`ended by its limit of ${limitWords(limits.endedBy)}`] : []),
    ...(ports.length > 0 ? [`listens on ${ports.join(", ")}`] : []),
    ...(owner ? [`of ${owner.caller}`] : []),
    ...(sandbox ? [`sandbox: ${describeSandbox(sandbox)}`] : []),
    ...(owner?.project ? [describeFolder(owner.project, { home: homedir(), maxWidth: FOLDER_WIDTH })] : []),
    ...(size ? [`${size.cols}x${size.rows}`] : []),
  ].join(" · ");
}

function titleOf({ filter, showsEnded, rows, approvals }: TopModel, shown: readonly TopRow[]): string {
  const alive = rows.filter(isRunning);
  const idle = alive.filter(({ isIdle }) => isIdle).length;
  const waiting = rows.filter(isWaiting).length;
  const parts = [
    `limpet top: ${alive.length - idle} running, ${waiting} waiting for input${idle === 0 ? "" : `, ${idle} idle`}`,
    ...(approvals.length === 0 ? [] : [`${approvals.length} to approve (A)`]),
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
      fitted(`Kill ${keyOf(selected)} (${selected.name ?? selected.program}) and everything it started? y/n`, cols),
    );
  }
  const [gap = hintFor(cols)] = selected ? describeGaps([selected]) : [];
  return dim(fitted(model.message === "" ? gap : model.message, cols));
}

/** One visible line: names, commands and errors may hold anything. */
function fitted(text: string, cols: number): string {
  return shorten(visibleLine(text), cols);
}

/** The first row to show, so that the selected one is visible. */
function firstShown(selected: number, room: number, total: number): number {
  if (total <= room) return 0;
  return Math.min(Math.max(0, selected - Math.floor(room / 2)), total - room);
}

/** Waiting: yellow. Held or frozen: magenta. Ended: dim. */
function colourOf(row: TopRow): string {
  if (!isRunning(row)) return "\x1b[2m";
  if (row.held || row.frozen) return "\x1b[35m";
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
