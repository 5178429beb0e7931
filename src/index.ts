/**
 * Real terminals for agents. `run` runs one command, `open` starts a program and keeps it, `openShell` runs one command
 * after another in the same shell, `connect` does all of that in a host that outlives this process.
 */
export type { Cursor, Page } from "./base/cursor.ts";
export type { Exit } from "./base/exit.ts";
export { LimpetError, type LimpetErrorCode } from "./base/limpet-error.ts";
export type { TerminalSize } from "./base/terminal-size.ts";
export type { CopiedFile } from "./host/files/file-parts.ts";
export type { HostStatus } from "./host/protocol.ts";
export { type ConnectOptions, connect, type Host } from "./library/connect.ts";
export { open, openShell, run } from "./library/open.ts";
export type { CommandResult } from "./library/run-command.ts";
export type {
  Match,
  Reply,
  ScreenImage,
  ScreenOptions,
  SendOptions,
  Session,
  TimeOptions,
  WaitOptions,
} from "./library/session.ts";
export type { Shell, ShellOptions, ShellResult, ShellRunOptions } from "./library/shell.ts";
export type { OpenOptions, ProgramOptions, RunOptions } from "./library/terminals.ts";
export type { ListeningPort } from "./linux/files/list-listening.ts";
export type { EndedProcess, EndReport } from "./linux/processes/kill-process-tree.ts";
export type { SessionKey } from "./service/listing/session-name.ts";
export type { SessionState } from "./service/listing/session-state.ts";
export type { SessionSummary } from "./service/listing/session-summary.ts";
