/** A request for approval in `limpet top`: shown whole, and decided only after its end was shown. Pure. */
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { Approval, ApprovalDecision } from "../../service/approvals/approval.ts";
import { charWidth } from "../../text/clean/char-width.ts";
import { describeApproval } from "../../tools/answer/describe-approval.ts";
import { visible } from "../print/visible.ts";
import { PERSON } from "../with-host.ts";

/** Which request is shown, and from which line on. */
export interface ApprovalPage {
  readonly number: number;
  readonly first: number;
}

/** The title and the line with the keys. */
const FRAME_LINES = 2;

export interface ShownPage {
  readonly lines: readonly string[];
  /** The last line is shown. */
  readonly isEnd: boolean;
}

export function showPage(approval: Approval, first: number, size: TerminalSize): ShownPage {
  const room = roomOf(size);
  const all = linesOf(approval, size);
  return { lines: all.slice(first, first + room), isEnd: first + room >= all.length };
}

/** What a key does: another page, a decision, or back to the list. */
export type PageStep =
  | { readonly kind: "page"; readonly page: ApprovalPage }
  | { readonly kind: "decide"; readonly decision: ApprovalDecision }
  | { readonly kind: "back" };

export function pressOnPage(
  approval: Approval,
  { number, first }: ApprovalPage,
  key: string,
  size: TerminalSize,
): PageStep {
  const { isEnd } = showPage(approval, first, size);
  const moveTo = (line: number): PageStep => {
    const last = Math.max(0, linesOf(approval, size).length - roomOf(size));
    return { kind: "page", page: { number, first: Math.min(last, Math.max(0, line)) } };
  };
  switch (key) {
    case "\x1b":
    case "q":
      return { kind: "back" };
    case "j":
    case "\x1b[B":
    case "\x1bOB":
      return moveTo(first + 1);
    case "k":
    case "\x1b[A":
    case "\x1bOA":
      return moveTo(first - 1);
    case " ":
    case "\x1b[6~":
      return moveTo(first + roomOf(size));
    case "n":
      return { kind: "decide", decision: { kind: "deny", reason: null, by: PERSON } };
    case "y":
    case "s": {
      const scope = key === "y" ? "once" : "session";
      return isEnd ? { kind: "decide", decision: { kind: "approve", scope, by: PERSON } } : moveTo(first);
    }
    default:
      return moveTo(first);
  }
}

export function describeDecision(number: number, decision: ApprovalDecision): string {
  if (decision.kind === "deny") return `Denied ${number}.`;
  return `Approved ${number}${decision.scope === "session" ? " for this session" : ""}.`;
}

export function pageHint({ isEnd }: ShownPage): string {
  return isEnd
    ? "y allow once  s for this session  n deny  Esc back"
    : "Space shows more; then decide  n deny  Esc back";
}

function roomOf({ rows }: TerminalSize): number {
  return Math.max(1, rows - FRAME_LINES);
}

function linesOf(approval: Approval, { cols }: TerminalSize): readonly string[] {
  return visible(describeApproval(approval))
    .split("\n")
    .flatMap((line) => wrapped(line.replaceAll("\t", "        "), Math.max(1, cols)));
}

/** Wraps long lines, so that nothing is cut. */
function wrapped(line: string, cols: number): readonly string[] {
  const lines = [""];
  let width = 0;
  for (const char of line) {
    const wide = charWidth(char);
    if (width + wide > cols) {
      lines.push("");
      width = 0;
    }
    lines[lines.length - 1] += char;
    width += wide;
  }
  return lines;
}
