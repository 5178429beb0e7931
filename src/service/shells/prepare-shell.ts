/** Starts a shell for commands, without the user's start files if it does not become ready with them. */
import { LimpetError } from "../../base/limpet-error.ts";
import { answerWhenSafe } from "../../screen/answer-when-safe.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import { openShell, type ShellOptions } from "../../shell/open-shell.ts";
import type { Shell } from "../../shell/shell.ts";

export interface PreparedShell {
  readonly shell: Shell;
  readonly isWithoutStartFiles: boolean;
  /** The pids of what its start files left running. They are not work of a caller. */
  readonly startedWith: ReadonlySet<number>;
}

export async function prepareShell(options: ShellOptions): Promise<PreparedShell> {
  const opened = await openReady(options);
  // For the programs that it runs; the shell itself asks nothing and gets nothing.
  void answerWhenSafe(opened.shell.session).catch(() => undefined);
  return { ...opened, startedWith: new Set(await pidsBeside(opened.shell.session)) };
}

/** Start files may ask for input or never end. Then a shell without them is better than none. */
async function openReady(options: ShellOptions) {
  try {
    return { shell: await openShell(options), isWithoutStartFiles: false };
  } catch (error) {
    if (
      (options.startFiles ?? "none") === "none" ||
      !(error instanceof LimpetError) ||
      error.code !== "SHELL_NOT_READY"
    )
      throw error;
    return { shell: await openShell({ ...options, startFiles: "none" }), isWithoutStartFiles: true };
  }
}

/** Most shells have started nothing else by then, and one check of their children shows that. */
async function pidsBeside(session: Session): Promise<readonly number[]> {
  const { probe } = internalsOf(session).channel;
  if (!probe || probe.markProcesses().children.length === 0) return [];
  return (await probe.running()).map(({ pid }) => pid);
}
