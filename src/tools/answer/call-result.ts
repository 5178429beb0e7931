/**
 * The answer of a turn in the form of `exec_command`, `write_stdin` and `wait_for`: the result's fields, and remarks
 * for the text.
 */

import { isOutOfMemory } from "../../base/exit.ts";
import { keyOf } from "../../service/listing/session-key.ts";
import type { WaitResult } from "../../session/wait/decide-wait.ts";
import { quoteLine, wordOrQuote } from "../../text/clean/quote-line.ts";
import type { CallResult, Remarks } from "./describe-result.ts";
import { describeScreen } from "./describe-screen.ts";
import { describeSurroundings, OUT_OF_MEMORY } from "./describe-surroundings.ts";
import { showShortTag } from "./tags.ts";
import type { ToolTurn } from "./take-turn.ts";

const MATCH_CHARS = 80;

export interface CallAnswer {
  readonly result: CallResult;
  readonly remarks: Required<Remarks>;
}

interface CallOptions {
  /** The tag that the turn read with. Default: none. */
  readonly readTag?: string | undefined;
  /** The line for a wait that reached its deadline. Default: none. */
  readonly deadlineLine?: string | undefined;
}

export function callResult(turn: ToolTurn, { readTag, deadlineLine }: CallOptions = {}): CallAnswer {
  const { session, result, output, screen } = turn;
  const shown = screen && describeScreen(screen.snapshot);
  const { output: text, tag, hasMarks } = showShortTag(readTag, shown?.text ?? output?.text ?? "");
  const surroundings = describeSurroundings(turn);
  return {
    result: {
      session_id: keyOf(session),
      name: session.name,
      running: session.exit === null,
      exit_code: session.exit?.kind === "code" ? session.exit.code : null,
      signal: session.exit?.kind === "signal" ? session.exit.signal : null,
      output: text,
      ...(hasMarks ? { tag } : {}),
      truncated: (output?.cut ?? null) !== null,
      original_token_count: output?.originalTokenCount ?? null,
      wall_time_seconds: turn.wallTimeSeconds,
      yielded: result?.reason ?? "deadline",
      waiting_for: session.waitingFor,
      cursor: screen?.snapshot.cursor ?? output?.next ?? session.outputBytes,
      dropped_bytes: output?.droppedBytes ?? 0,
      ...(result?.reason === "finished" ? { command_exit_code: result.exitCode, cwd: result.cwd } : {}),
    },
    remarks: {
      tag,
      isScreen: shown !== null,
      cutFrom: output?.cut?.from ?? null,
      hidden: output?.hiddenLines ? { lines: output.hiddenLines, from: output.from } : null,
      others: surroundings.others,
      notes: [
        ...(result ? describeReason(result) : []),
        ...(session.exit && isOutOfMemory(session.exit) ? [OUT_OF_MEMORY] : []),
        // A wait that the client's limit ended has its own line.
        ...(result?.reason === "deadline" && !turn.isCutShort && deadlineLine !== undefined ? [deadlineLine] : []),
        ...surroundings.notes,
        ...(turn.isCutShort
          ? ["Still waiting: this client limits how long a call may take; continue with wait_for"]
          : []),
        ...(shown ? [shown.caret] : []),
      ],
    },
  };
}

/** The line for a deadline before a match; undefined if no match was waited for. */
export function untilLine(until: string | undefined): string | undefined {
  return until === undefined ? undefined : "Deadline: until did not match";
}

const UNKNOWN_WAIT = "Probably waiting for input; which kind is unknown";

/** Reasons that neither the state of the program nor its output shows. */
function describeReason(result: WaitResult): string[] {
  switch (result.reason) {
    case "finished":
      return [
        `The shell's command finished with code ${result.exitCode ?? "unknown"} in ${wordOrQuote(result.cwd)}`,
        ...(result.outOfMemory ? [OUT_OF_MEMORY] : []),
      ];
    case "matched":
      return [`Matched: ${quoteLine(result.text, { maxChars: MATCH_CHARS })}`];
    case "listening":
      return [`Listening on ${result.address} port ${result.port}`];
    case "input":
      return result.waitingFor === "unknown" ? [UNKNOWN_WAIT] : [];
    case "quiet":
      return [`Quiet: no output for ${(result.silentMs / 1000).toFixed(1)} s`];
    case "idle":
      return ["Idle: the shell runs no command, so there is nothing to wait for"];
    default:
      return [];
  }
}
