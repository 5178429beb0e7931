/** Assembles a session for a program that is about to start, or from the files that another process left. */
import type { Alarm } from "../../base/async/alarm.ts";
import type { Exit } from "../../base/exit.ts";
import type { TerminalSize } from "../../base/terminal-size.ts";
import type { DiskJournal } from "../../journal/disk/disk-journal.ts";
import type { RestoredOutput } from "../../journal/disk/restore-journal.ts";
import { OutputStore } from "../../journal/output-store.ts";
import type { Redaction } from "../../journal/redaction/redaction.ts";
import { endedChannel } from "../../transport/ended-channel.ts";
import type { Probe } from "../../transport/probe.ts";
import type { Channel, OnOutput } from "../../transport/transport.ts";
import { requireLimits, watchLimits } from "../limit-watch.ts";
import { AbandonedModes } from "../modes/abandoned-modes.ts";
import { TerminalModeTracker } from "../modes/terminal-mode-tracker.ts";
import { filtered, type OutputFilter } from "../output-filter.ts";
import { Session } from "../session.ts";
import { resetModes, SessionInternals } from "../session-internals.ts";
import type { SessionProgram } from "../session-program.ts";
import { AnswerPace } from "../wait/readiness/answer-pace.ts";

interface CommonParts extends SessionProgram {
  readonly size: TerminalSize;
  readonly journalBytes: number;
  readonly disk: DiskJournal | undefined;
  readonly redaction?: Redaction | undefined;
}

interface StartParts extends CommonParts {
  readonly onFlood: "drop" | "block";
  readonly outputFilter: OutputFilter | undefined;
  /** The timer for its limits. Default: that of this process. */
  readonly alarm?: Alarm | undefined;
  readonly openChannel: (onOutput: OnOutput) => Promise<Channel>;
}

/** The state of a session that another process left. */
interface FormerParts extends CommonParts {
  readonly startedAt: number;
  /** Undefined if that process ended before the program. */
  readonly exit: Exit | undefined;
  /** Its last directory, if it was a prepared shell. */
  readonly directory?: string | undefined;
  readonly restored: RestoredOutput;
}

/** Rejects if the program cannot be started; then nothing is left behind. */
export async function startSession(parts: StartParts): Promise<Session> {
  const { outputFilter } = parts;
  const store = new OutputStore(parts);
  const modeTracker = new TerminalModeTracker();
  const abandonedModes = new AbandonedModes(modeTracker);
  let probe: Probe | undefined;
  const pace = new AnswerPace(performance.now());
  const append: OnOutput = (bytes, origin) => {
    if (abandonedModes.beforeOutput(probe, bytes)) resetModes(store, modeTracker);
    modeTracker.push(bytes);
    store.append(bytes, origin);
    if (abandonedModes.afterOutput(probe)) resetModes(store, modeTracker);
    pace.noteOutput(store.lastMs);
  };
  const channel = await parts.openChannel(filtered(outputFilter, append, () => store.changes.announce()));
  probe = channel.probe;
  void channel.outputEnded.then(() => {
    outputFilter?.finish((bytes) => append(bytes, "terminal"));
    store.finish();
  });
  const startedAt = Date.now();
  const session = assemble(parts, { store, modeTracker, abandonedModes, pace, channel, startedAt, isLost: false });
  const { limits } = parts;
  if (limits) {
    await requireLimits(limits, channel);
    watchLimits(limits, { channel, close: (options) => session.close(options), alarm: parts.alarm });
  }
  return session;
}

/** Restores a session that ended with its process. Only its output is left. */
export async function restoreSession(parts: FormerParts): Promise<Session> {
  const { startedAt, exit, directory } = parts;
  const store = new OutputStore({ ...parts, onFlood: "drop" });
  const channel = endedChannel(exit ?? { kind: "lost" });
  const modeTracker = new TerminalModeTracker();
  const session = assemble(parts, {
    store,
    modeTracker,
    abandonedModes: new AbandonedModes(modeTracker),
    pace: new AnswerPace(performance.now()),
    channel,
    startedAt,
    isLost: exit === undefined,
    directory,
  });
  await channel.exited;
  return session;
}

interface Assembly {
  readonly store: OutputStore;
  readonly modeTracker: TerminalModeTracker;
  readonly abandonedModes: AbandonedModes;
  readonly pace: AnswerPace;
  readonly channel: Channel;
  readonly startedAt: number;
  readonly isLost: boolean;
  readonly directory?: string | undefined;
}

function assemble(parts: CommonParts, { startedAt, ...assembly }: Assembly): Session {
  const { store, channel, isLost } = assembly;
  const { id, tty, size } = parts;
  if (tty) store.size = size;
  store.timeline.noteSize(0, size);
  store.attach(channel);
  const internals = new SessionInternals({ id, tty, size, ...assembly });
  return new Session({ ...parts, startedAt, isLost }, internals);
}
