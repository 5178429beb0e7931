/** The probe of a session. A shell needs one, to type without echo and to know who reads. */

import { LimpetError } from "../base/limpet-error.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import type { Probe } from "../transport/probe.ts";

/** Throws `NO_PROBE` if the session's transport has none. */
export function probeOf(session: Session): Probe {
  const { probe } = internalsOf(session).channel;
  if (probe) return probe;
  throw new LimpetError(
    "NO_PROBE",
    `The transport of session ${session.id} has no probe, but a shell needs one to type commands without echo. Start the shell as a program with openSession, and type into it.`,
  );
}
