/**
 * The options of each call of the library, by name. Callers without a compiler may misspell one, and it would be
 * ignored silently. The types refuse a name that is missing here, or that no longer exists.
 */
import type { Cursor } from "../base/cursor.ts";
import type { TerminalSize } from "../base/terminal-size.ts";
import type { RecordOptions } from "../record/record-source.ts";
import type { ListOptions } from "../service/listing/session-summary.ts";
import type { SearchOptions, TextOptions } from "../session/read/read-digest.ts";
import type { ConnectOptions } from "./connect.ts";
import type { ScreenOptions, SendOptions, TimeOptions, WaitOptions } from "./session.ts";
import type { ShellOptions, ShellRunOptions } from "./shell.ts";
import type { OpenOptions, ProgramOptions, RunOptions } from "./terminals.ts";

type OptionNames<Options> = Readonly<Record<keyof Options, true>>;

const TIME: OptionNames<TimeOptions> = { timeoutMs: true, signal: true };
const RANGE = { from: true, to: true, origin: true, tag: true } as const;
const PROGRAM = {
  shell: true,
  login: true,
  cwd: true,
  env: true,
  tty: true,
  size: true,
  endsWhenLeft: true,
  copy: true,
  sandbox: true,
  limits: true,
  secretEnv: true,
} as const;

export const OPEN: OptionNames<OpenOptions> = { ...PROGRAM, name: true, answerQueries: true };
export const OPEN_PROGRAM: OptionNames<ProgramOptions> = { program: true, args: true, ...OPEN };
export const RUN: OptionNames<RunOptions> = { ...TIME, input: true, ...PROGRAM };
export const OPEN_SHELL: OptionNames<ShellOptions> = {
  shell: true,
  startFiles: true,
  cwd: true,
  env: true,
  name: true,
};
export const RUN_IN_SHELL: OptionNames<ShellRunOptions> = { ...TIME, stdin: true };
export const CONNECT: OptionNames<ConnectOptions> = {
  place: true,
  project: true,
  reach: true,
  asks: true,
  stateDirectory: true,
  command: true,
};
export const LIST: OptionNames<ListOptions> = { ended: true, all: true };
export const WAIT: OptionNames<WaitOptions> = { until: true, onInput: true, quietMs: true, port: true, ...TIME };
export const SEND: OptionNames<SendOptions> = { ...WAIT, echo: true };
export const SIGNAL: OptionNames<{ signal: AbortSignal }> = { signal: true };
export const OUTPUT: OptionNames<{ from: Cursor; signal: AbortSignal }> = { from: true, signal: true };
export const TEXT: OptionNames<TextOptions> = {
  ...RANGE,
  maxTokens: true,
  raw: true,
  fold: true,
  tokenizer: true,
  isComplete: true,
};
export const SEARCH: OptionNames<SearchOptions> = {
  ...RANGE,
  context: true,
  maxMatches: true,
  maxLineChars: true,
  raw: true,
};
export const SCREEN: OptionNames<ScreenOptions> = {
  until: true,
  stableMs: true,
  scrollback: true,
  cells: true,
  ...TIME,
};
export const SIZE: OptionNames<TerminalSize> = { cols: true, rows: true };
export const RECORD: OptionNames<RecordOptions> = { file: true, format: true, from: true, input: true, redact: true };
export const STOP_RECORDING: OptionNames<{ file: string }> = { file: true };
export const CLOSE: OptionNames<{ force: boolean }> = { force: true };
