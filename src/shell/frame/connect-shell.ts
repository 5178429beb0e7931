/** Builds the parts that follow the commands of one shell. */
import type { Session } from "../../session/session.ts";
import { internalsOf, type SessionInternals } from "../../session/session-internals.ts";
import type { Probe } from "../../transport/probe.ts";
import type { Dialect } from "../dialects/dialect.ts";
import { probeOf } from "../probe-of.ts";
import type { PromptWatch } from "../prompt/prompt-watch.ts";
import type { EndVerdict } from "./decide-end.ts";
import { EarlyStderr } from "./early-stderr.ts";
import { EndReports } from "./end-reports.ts";
import type { FrameFilter } from "./frame-filter.ts";
import { FrameTyping, type TypedRequest } from "./frame-typing.ts";
import { GateWatch } from "./gate-watch.ts";
import { Recovery } from "./recovery.ts";
import { RivalEnder } from "./rival-ender.ts";
import { ShellFiles } from "./shell-files.ts";

/** What follows the commands of a shell. */
export interface ShellParts extends Pick<SessionInternals, "store"> {
  readonly session: Session;
  readonly probe: Probe;
  readonly files: ShellFiles;
  readonly typing: FrameTyping;
  readonly stderr: EarlyStderr;
  readonly gate: GateWatch;
  readonly ends: EndReports;
  readonly recovery: Recovery;
  readonly rivals: RivalEnder;
  /** Call while the shell does not answer: it may wait at a gate, its mark lost, or for a lock of its own. */
  readonly checkShell: () => void;
}

interface ShellContext {
  readonly dialect: Dialect;
  readonly filter: FrameFilter;
  readonly prompts: PromptWatch;
  readonly promptNonce: string;
  /** The latest command, as it was typed. */
  readonly request: () => TypedRequest;
  /** The shell waits behind an end mark. */
  readonly onArrival: (verdict: EndVerdict) => void;
}

/** Throws `NO_PROBE` or `RESOURCE_EXHAUSTED`. */
export function connectShell(session: Session, context: ShellContext): ShellParts {
  const { dialect, filter, prompts, promptNonce } = context;
  const { store, channel } = internalsOf(session);
  const [probe, files] = [probeOf(session), new ShellFiles(channel.fileRoots)];
  const ends = new EndReports({ session, dialect, prompts });
  const gate = new GateWatch({
    probe,
    files,
    onKey: (end) => {
      filter.expect({ end });
      return dialect.key(end);
    },
    onEnd: context.onArrival,
    isOver: () => session.exit !== undefined,
  });
  const checkShell = () => {
    if (!gate.check() && dialect.leavesLocks) probe.freeOwnLock();
  };
  const typing = new FrameTyping({ probe, dialect, filter, files, gate, promptNonce });
  const rivals = new RivalEnder(session);
  const recovery = new Recovery({
    session,
    prompts,
    rivals,
    checkShell,
    retype: () => typing.type(context.request()),
    ask: () => typing.ask(ends.reported),
    giveUp: (frame) => {
      // If it can no longer run our lines, callers would wait forever. If it can, only the exit code is unknown.
      if (gate.hasSeen) ends.takeUnknown(frame);
      else void channel.signal("SIGKILL", "program");
    },
  });
  const stderr = new EarlyStderr(store);
  return { session, probe, files, store, ends, typing, stderr, gate, recovery, rivals, checkShell };
}
