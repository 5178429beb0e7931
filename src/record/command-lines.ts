/**
 * A command of an agent as people read it between the output: a line where it starts, a line where it ends. Pure,
 * except that `CommandWeaver` remembers whether the output before it has ended its line.
 */
import { describeClock, describeDuration } from "../base/format/describe-duration.ts";
import type { LoggedCommand } from "../session/command-log.ts";
import { TerminalModeTracker } from "../session/modes/terminal-mode-tracker.ts";
import type { TranscriptPart } from "../session/transcript-part.ts";
import { makeVisible } from "../text/clean/make-visible.ts";

/** A command that started or finished. */
export type CommandPart = Extract<TranscriptPart, { readonly kind: "started" | "finished" }>;

/** A command is often a whole script; `limpet history` has all of it. */
const MAX_LINES = 8;
/** A marker is shown on one line. */
const MAX_LABEL_CHARS = 200;
/**
 * How much of the end of the output is kept to see whether a line has ended. Control sequences may follow the line end.
 */
const TAIL_BYTES = 256;
const SEQUENCES_AT_END = /(?:\x1b(?:\[[0-9;:?<=>]*[@-~]|[()][0AB]|[78=>]))+$/;
const [RESET, STARTED, DIM, FAILED] = ["\x1b[0m", "\x1b[0;1;36m", "\x1b[0;2m", "\x1b[0;31m"];

/** Plain lines, made visible: `❯ npm test  [14:03:59]`, and `└ exit code 1 after 3.2s`. */
export function commandLines({ kind, command }: CommandPart): readonly string[] {
  if (kind === "finished") return [`└ ${outcomeOf(command)}`];
  const [first = "", ...rest] = shownLines(command.command);
  return [`❯ ${first}  [${describeClock(command.startedAt)}]`, ...rest.map((line) => `  ${line}`)];
}

/** The same on one line, without the time, which a marker has of its own. */
export function commandLabel({ kind, command }: CommandPart): string {
  const text = `❯ ${makeVisible(command.command.replaceAll(/\s+/g, " ")).slice(0, MAX_LABEL_CHARS)}`;
  return kind === "started" ? text : `${text}: ${outcomeOf(command)}`;
}

export function outcomeOf({ to, exitCode, durationMs }: LoggedCommand): string {
  if (to === null || durationMs === null) return "runs, or ended with its shell";
  return `exit code ${exitCode ?? "unknown"} after ${describeDuration(durationMs)}`;
}

/** Puts the lines between the output of a terminal, each on a line of its own. */
export class CommandWeaver {
  readonly #modes = new TerminalModeTracker();
  #tail = "";

  /** Call with all output, in order. */
  noteOutput(bytes: Uint8Array): void {
    this.#modes.push(bytes);
    const end = Buffer.from(bytes.subarray(-TAIL_BYTES)).toString("latin1");
    this.#tail = `${this.#tail}${end}`.slice(-TAIL_BYTES);
  }

  /** What to show in the terminal, with colours. Nothing while a full-screen program has the screen. */
  weave(part: CommandPart): string {
    if (this.#modes.isAlternateScreen) return "";
    const before = /(?:^|[\r\n])$/.test(this.#tail.replace(SEQUENCES_AT_END, "")) ? "" : "\r\n";
    this.#tail = "";
    return (
      before +
      commandLines(part)
        .map((line, index) => `${coloured(line, index, part)}\r\n`)
        .join("")
    );
  }
}

function coloured(line: string, index: number, { kind, command }: CommandPart): string {
  if (kind === "finished") return `${command.exitCode === 0 ? DIM : FAILED}${line}${RESET}`;
  const [, text = line, time = ""] = (index === 0 && /^(.*)( {2}\[[\d:]+\])$/.exec(line)) || [];
  return `${STARTED}${text}${DIM}${time}${RESET}`;
}

function shownLines(command: string): readonly string[] {
  const lines = command
    .trimEnd()
    .split(/\r\n|[\n\r\v\f\u0085\u2028\u2029]/)
    .map((line) => makeVisible(line.replaceAll("\t", "  ")));
  const left = lines.length - MAX_LINES;
  return left <= 0 ? lines : [...lines.slice(0, MAX_LINES), `… ${left} more ${left === 1 ? "line" : "lines"}`];
}
