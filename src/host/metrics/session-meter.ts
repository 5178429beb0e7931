/** Counts the sessions of a registry, and what they have printed. */
import type { MetricFamily } from "../../base/format/open-metrics.ts";
import type { SessionRegistry } from "../../session/registry/session-registry.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";

const STATES = ["running", "idle", "frozen", "ended", "lost"] as const;

export class SessionMeter {
  readonly #registry: SessionRegistry;
  #starts = 0;
  /** How much each session had printed when it was last counted. */
  #counted = new Map<number, number>();
  #bytes = 0;

  constructor(registry: SessionRegistry) {
    this.#registry = registry;
    // What a former host has counted is not counted again.
    for (const session of registry.list({ ended: true })) this.#counted.set(session.id, session.endCursor);
    registry.onOpened(() => {
      this.#starts += 1;
    });
  }

  families(): readonly MetricFamily[] {
    const sessions = this.#registry.list({ ended: true });
    this.#countBytes(sessions);
    const states = sessions.map(stateOf);
    return [
      {
        name: "limpet_sessions",
        type: "gauge",
        help: "Sessions by state. An idle one is a shell at its prompt; an ended or lost one is readable.",
        samples: STATES.map((state) => ({
          labels: { state },
          value: states.filter((found) => found === state).length,
        })),
      },
      {
        name: "limpet_session_starts",
        type: "counter",
        help: "Sessions that were started.",
        samples: [{ suffix: "_total", value: this.#starts }],
      },
      {
        name: "limpet_output_bytes",
        type: "counter",
        help: "Bytes that programs have printed. Those of a session that is deleted between two readings are missing.",
        samples: [{ suffix: "_total", value: this.#bytes }],
      },
    ];
  }

  #countBytes(sessions: readonly Session[]): void {
    const counted = new Map(sessions.map(({ id, endCursor }) => [id, endCursor]));
    for (const [id, bytes] of counted) this.#bytes += bytes - (this.#counted.get(id) ?? 0);
    // Ids are never used again, so sessions that are gone can be forgotten.
    this.#counted = counted;
  }
}

function stateOf(session: Session): (typeof STATES)[number] {
  if (session.isLost) return "lost";
  if (session.exit !== undefined) return "ended";
  if (session.frozen !== undefined) return "frozen";
  return internalsOf(session).isIdle ? "idle" : "running";
}
