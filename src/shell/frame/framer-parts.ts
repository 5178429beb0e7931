/** The parts that a framer needs once its session is there, and how they call each other. */
import type { OutputStore } from "../../journal/output-store.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
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
import { ShellFiles } from "./shell-files.ts";

export interface FramerParts {
  readonly session: Session;
  readonly probe: Probe;
  readonly store: OutputStore;
  readonly files: ShellFiles;
  readonly gate: GateWatch;
  readonly typing: FrameTyping;
  readonly ends: EndReports;
  readonly stderr: EarlyStderr;
  readonly recovery: Recovery;
}

interface Wiring {
  readonly session: Session;
  readonly dialect: Dialect;
  readonly filter: FrameFilter;
  readonly prompts: PromptWatch;
  readonly promptNonce: string;
  /** The latest command. */
  readonly request: () => TypedRequest;
  /** As in `GateWatch`. */
  readonly onEnd: (verdict: EndVerdict) => boolean;
}

/** Throws `NO_PROBE` or `RESOURCE_EXHAUSTED`. */
export function createFramerParts(wiring: Wiring): FramerParts {
  const { session, dialect, filter, prompts, promptNonce, request, onEnd } = wiring;
  const [probe, files] = [probeOf(session), new ShellFiles()];
  const { store, channel } = internalsOf(session);
  const ends = new EndReports({ session, dialect, prompts });
  const onKey = (end: string) => {
    filter.expect({ end });
    return dialect.key(end);
  };
  const gate = new GateWatch({ probe, files, onKey, onEnd, isOver: () => session.exit !== undefined });
  const typing = new FrameTyping({ probe, dialect, filter, files, gate, promptNonce });
  const recovery = new Recovery({
    session,
    prompts,
    checkGate: () => gate.check(),
    retype: () => typing.type(request()),
    ask: () => typing.ask(ends.reported),
    giveUp: (frame) => {
      // If it can no longer run our lines, callers would wait forever. If it can, only the exit code is unknown.
      if (gate.hasSeen) ends.takeUnknown(frame);
      else void channel.signal("SIGKILL", "program");
    },
  });
  return { session, probe, store, files, gate, typing, ends, stderr: new EarlyStderr(store), recovery };
}
