/** Shells in this process, with streamed output and stderr apart. */
export { openShell, type ShellOptions } from "../shell/open-shell.ts";
export type { FollowOptions, RunOptions } from "../shell/run-options.ts";
export type { RunResult } from "../shell/run-result.ts";
export type { Shell, ShellState } from "../shell/shell.ts";
