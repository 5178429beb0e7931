/** The recordings of sessions, by file. */

import { MAX_RECORDINGS } from "../../base/limits.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { type Recording, type RecordingState, recordSession } from "../../record/record-session.ts";
import type { RecordOptions } from "../../record/record-source.ts";
import type { KnownSecrets } from "../../safety/redaction/known-secrets.ts";
import type { Session } from "../../session/session.ts";

export class RunningRecordings {
  readonly #running = new WeakMap<Session, Set<Recording>>();
  readonly #known: KnownSecrets | undefined;

  /** `known`: what must not be in a recording. */
  constructor(known?: KnownSecrets) {
    this.#known = known;
  }

  async start(session: Session, options: RecordOptions): Promise<RecordingState> {
    const running = this.#of(session);
    if (running.size >= MAX_RECORDINGS) {
      throw new LimpetError(
        "CANNOT_RECORD",
        `Session ${session.id} already has ${running.size} recordings. Stop one of them first.`,
      );
    }
    const known = this.#known;
    const redact = known && { redact: (text: string) => known.redact(text) };
    const recording = await recordSession(session, { ...options, ...redact });
    running.add(recording);
    return recording.state;
  }

  /** Running recordings, and those that ended or failed and were not stopped yet. */
  states(session: Session): readonly RecordingState[] {
    return [...this.#of(session)].map(({ state }) => state);
  }

  /** Stops all recordings, or the one with this `file`. Returns their last states. */
  async stop(session: Session, file: string | undefined): Promise<readonly RecordingState[]> {
    const running = this.#of(session);
    const chosen = [...running].filter(({ state }) => file === undefined || state.file === file);
    return await Promise.all(
      chosen.map(async (recording) => {
        const state = await recording.stop();
        running.delete(recording);
        return state;
      }),
    );
  }

  #of(session: Session): Set<Recording> {
    const running = this.#running.get(session) ?? new Set<Recording>();
    this.#running.set(session, running);
    return running;
  }
}
