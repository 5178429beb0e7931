/** The shell that a new one of the same name replaces, and the directory that the new one continues in. */
import { statSync } from "node:fs";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { AutoClose } from "../listing/session-state.ts";
import type { FormerShell } from "../turn/turn-answer.ts";

interface Replaced {
  readonly former: FormerShell;
  /** Undefined if the directory is gone, or the caller asked for another one. */
  readonly directory: string | undefined;
}

interface ReplacedFacts {
  readonly wasPrepared: boolean;
  readonly closed: AutoClose | null;
  /** The directory that the caller asks for. */
  readonly cwd: string | undefined;
}

/** Undefined if `session` was not a shell of this service, or if a caller closed it: then it lost nothing. */
export function replacedShell(session: Session, { wasPrepared, closed, cwd }: ReplacedFacts): Replaced | undefined {
  if (!session.exit || session.closeReason === "asked") return undefined;
  const last = internalsOf(session).finishes.directory;
  if (!wasPrepared && last === undefined && !session.isLost) return undefined;
  const directory = cwd === undefined ? existing(last ?? session.cwd) : undefined;
  return { former: { exit: session.exit, closed, isSameDirectory: directory !== undefined }, directory };
}

function existing(directory: string): string | undefined {
  return statSync(directory, { throwIfNoEntry: false })?.isDirectory() ? directory : undefined;
}
