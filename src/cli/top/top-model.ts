/** The state of `limpet top` and its keys. Pure: a model and a key in, the next model and an optional action out. */
import { DEFAULT_SIZE } from "../../base/limits.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { Approval, ApprovalDecision } from "../../service/approvals/approval.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { SessionKey } from "../../service/listing/session-name.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import { describeActivity, isRunning } from "../print/describe-session.ts";
import { type ApprovalPage, pressOnPage } from "./top-approval.ts";

/** A session with its output rate. */
export interface TopRow extends SessionSummary {
  /** Bytes per second since the last update. */
  readonly rate: number;
}

export interface TopModel {
  readonly rows: readonly TopRow[];
  readonly selected: SessionKey | undefined;
  readonly filter: string;
  readonly showsEnded: boolean;
  /** Undefined: the screen of the selected session is shown where there is room. */
  readonly showsPreview: boolean | undefined;
  /** Requests of agents that wait for approval, oldest first. */
  readonly approvals: readonly Approval[];
  /** The request that is shown; only in the mode `approval`. */
  readonly page: ApprovalPage | undefined;
  /**
   * `filter`: keys edit the filter. `kill`: the next key confirms or cancels. `help`: the next key goes back.
   * `approval`: a request is shown instead of the table.
   */
  readonly mode: "list" | "filter" | "kill" | "help" | "approval";
  /** Shown until the next key. */
  readonly message: string;
}

export type TopAction =
  | { readonly kind: "quit" }
  | { readonly kind: "attach"; readonly key: SessionKey; readonly isReadOnly: boolean }
  | { readonly kind: "hold" | "release"; readonly key: SessionKey }
  | { readonly kind: "kill"; readonly key: SessionKey }
  | { readonly kind: "decide"; readonly number: number; readonly decision: ApprovalDecision }
  /** The rows have changed: update at once. */
  | { readonly kind: "look" };

export interface TopStep {
  readonly model: TopModel;
  readonly action?: TopAction;
}

export const FIRST_MODEL: TopModel = {
  rows: [],
  selected: undefined,
  filter: "",
  showsEnded: false,
  showsPreview: undefined,
  approvals: [],
  page: undefined,
  mode: "list",
  message: "",
};

/** The rows that match the filter. */
export function shownRows({ rows, filter }: TopModel): readonly TopRow[] {
  const wanted = filter.toLowerCase();
  return rows.filter((row) =>
    `${keyOf(row)} ${row.name ?? ""} ${row.owner?.caller ?? ""} ${describeActivity(row)} ${row.program} ${row.lastLine}`
      .toLowerCase()
      .includes(wanted),
  );
}

export function selectedRow(model: TopModel): TopRow | undefined {
  const rows = shownRows(model);
  return rows.find((row) => keyOf(row) === model.selected) ?? rows[0];
}

/** Rates compare with the last update, `elapsedMs` ago. */
export function withSessions(model: TopModel, sessions: readonly SessionSummary[], elapsedMs: number): TopModel {
  const before = new Map(model.rows.map((row) => [keyOf(row), row.outputBytes]));
  const rows = sessions.map((session) => {
    const grown = session.outputBytes - (before.get(keyOf(session)) ?? session.outputBytes);
    return { ...session, rate: elapsedMs > 0 ? Math.max(0, (grown * 1000) / elapsedMs) : 0 };
  });
  return { ...model, rows };
}

/** A request that somebody else has decided is no longer shown. */
export function withApprovals(model: TopModel, approvals: readonly Approval[]): TopModel {
  const next = { ...model, approvals };
  const isGone = model.mode === "approval" && !shownApproval(next);
  return isGone ? { ...next, mode: "list", page: undefined, message: "It was decided elsewhere." } : next;
}

export function shownApproval({ approvals, page }: TopModel): Approval | undefined {
  return approvals.find(({ number }) => number === page?.number);
}

export function press(model: TopModel, key: string, size: TerminalSize = DEFAULT_SIZE): TopStep {
  const calm = { ...model, message: "" };
  if (key === "\x03") return { model: calm, action: { kind: "quit" } };
  switch (model.mode) {
    case "kill":
      return pressToConfirm(calm, key);
    case "filter":
      return { model: pressToFilter(calm, key) };
    case "help":
      return { model: { ...calm, mode: "list" } };
    case "approval":
      return pressOnApproval(calm, key, size);
    case "list":
      return pressInList(calm, key);
  }
}

function pressOnApproval(model: TopModel, key: string, size: TerminalSize): TopStep {
  const approval = shownApproval(model);
  const back = { ...model, mode: "list" as const, page: undefined };
  if (!approval || !model.page) return { model: back };
  const step = pressOnPage(approval, model.page, key, size);
  if (step.kind === "page") return { model: { ...model, page: step.page } };
  if (step.kind === "back") return { model: back };
  return { model: back, action: { kind: "decide", number: approval.number, decision: step.decision } };
}

function openApproval(model: TopModel): TopModel {
  const [first] = model.approvals;
  if (!first) return { ...model, message: "Nothing waits for approval." };
  return { ...model, mode: "approval", page: { number: first.number, first: 0 } };
}

function pressToConfirm(model: TopModel, key: string): TopStep {
  const row = selectedRow(model);
  const next = { ...model, mode: "list" as const };
  if (key !== "y" || !row) return { model: { ...next, message: "Killed nothing." } };
  return { model: next, action: { kind: "kill", key: keyOf(row) } };
}

function pressToFilter(model: TopModel, key: string): TopModel {
  if (key === "\r") return { ...model, mode: "list" };
  if (key === "\x1b") return { ...model, mode: "list", filter: "" };
  if (key === "\x7f" || key === "\b") return { ...model, filter: [...model.filter].slice(0, -1).join("") };
  return /^[^\p{Cc}]$/u.test(key) ? { ...model, filter: model.filter + key } : model;
}

function pressInList(model: TopModel, key: string): TopStep {
  const row = selectedRow(model);
  switch (key) {
    case "q":
      return { model, action: { kind: "quit" } };
    case "\x1b":
      return model.filter === "" ? { model, action: { kind: "quit" } } : { model: { ...model, filter: "" } };
    case "\x1b[A":
    case "\x1bOA":
    case "k":
      return { model: moved(model, -1) };
    case "\x1b[B":
    case "\x1bOB":
    case "j":
      return { model: moved(model, 1) };
    case "g":
    case "\x1b[H":
      return { model: moved(model, Number.NEGATIVE_INFINITY) };
    case "G":
    case "\x1b[F":
      return { model: moved(model, Number.POSITIVE_INFINITY) };
    case "A":
      return { model: openApproval(model) };
    case "?":
      return { model: { ...model, mode: "help" } };
    case "p":
      return { model: { ...model, showsPreview: !(model.showsPreview ?? true) }, action: { kind: "look" } };
    case "/":
      return { model: { ...model, mode: "filter" } };
    case "e":
      return { model: { ...model, showsEnded: !model.showsEnded }, action: { kind: "look" } };
    case "\r":
    case "a":
    case "v":
    case "h":
      return row ? pressOnRow(model, key, row) : { model };
    case "x":
      return { model: row ? { ...model, mode: "kill", selected: keyOf(row) } : model };
    default:
      return { model };
  }
}

/** What needs a running program. */
function pressOnRow(model: TopModel, pressed: string, row: TopRow): TopStep {
  if (!isRunning(row))
    return { model: { ...model, message: `${keyOf(row)} has ended. Read its output: limpet logs ${keyOf(row)}` } };
  const { held } = row;
  const key = keyOf(row);
  const isHeld = held !== null && !held.isTyping;
  const action: TopAction =
    pressed === "h" ? { kind: isHeld ? "release" : "hold", key } : { kind: "attach", key, isReadOnly: pressed === "v" };
  return { model: { ...model, selected: key }, action };
}

function moved(model: TopModel, by: number): TopModel {
  const rows = shownRows(model);
  const selected = selectedRow(model);
  const at = selected ? rows.indexOf(selected) : 0;
  const next = rows[Math.min(rows.length - 1, Math.max(0, at + by))];
  return next ? { ...model, selected: keyOf(next) } : model;
}
