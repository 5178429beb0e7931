/**
 * What a program asks its terminal, and the answers. Pure. Answers consist of fixed numbers and the position of the
 * caret, so that whoever controls the output cannot choose what is typed.
 */

/** DA1, DA2, the status (DSR 5), and the position of the caret (CPR, DECXCPR). */
export type TerminalQuery = "attributes" | "secondary" | "status" | "position" | "private-position";

const ONE = /\x1b\[(?:(0?c)|(>0?c)|(5n)|(6n)|(\?6n))/g;
const AT_END = /(?:\x1b\[(?:0?c|>0?c|5n|6n|\?6n))+$/;
const KINDS: readonly TerminalQuery[] = ["attributes", "secondary", "status", "position", "private-position"];
/**
 * Whatever a terminal answers: DSR and CPR (CSI n), DA (CSI c), DECRQM (CSI $p), the size of the window (CSI t), the
 * keyboard protocol (CSI ? u), colours (OSC with ?), settings (DCS + q and DCS $ q).
 */
const ANY =
  /\x1b\[(?:\??[56]n|[>=?]?0?c|\??\d+\$p|1[4689]t|2[01]t|\?u)|\x1b\][^\x07\x1b]*;\?(?:\x07|\x1b\\)|\x1bP[+$]q[^\x1b]*\x1b\\/;
const ANY_AT_END = new RegExp(`(?:${ANY.source})$`);
/** What queries end with: most output ends with something else. */
const LAST_BYTES: ReadonlySet<number> = new Set(Buffer.from("ncptu\x07\\"));
/** Longer than the queries that a program sends together. */
export const QUERY_TAIL_BYTES = 128;

interface Position {
  /** From 1. */
  readonly row: number;
  readonly col: number;
}

/** The queries that the output ends with, in their order; empty if anything else follows them. */
export function queriesAtEnd(tail: Uint8Array): readonly TerminalQuery[] {
  const text = Buffer.from(tail).toString("latin1");
  const [asked = ""] = AT_END.exec(text) ?? [];
  return [...asked.matchAll(ONE)].flatMap((groups) => KINDS.filter((_, index) => groups[index + 1] !== undefined));
}

/** The output ends with a query, of these or of another kind. */
export function endsWithQuery(tail: Uint8Array): boolean {
  if (!LAST_BYTES.has(tail.at(-1) ?? 0)) return false;
  return ANY_AT_END.test(Buffer.from(tail.subarray(-QUERY_TAIL_BYTES)).toString("latin1"));
}

/** The output has a query of any kind. */
export function hasQuery(output: Uint8Array): boolean {
  return ANY.test(Buffer.from(output).toString("latin1"));
}

export function answerTo(query: TerminalQuery, { row, col }: Position): string {
  switch (query) {
    case "attributes":
      return "\x1b[?1;2c";
    case "secondary":
      return "\x1b[>0;276;0c";
    case "status":
      return "\x1b[0n";
    case "position":
      return `\x1b[${row};${col}R`;
    case "private-position":
      return `\x1b[?${row};${col}R`;
  }
}
