/** The probe of a session. A shell cannot do without one: it types unseen, and it has to know who reads. */

import { LimpetError } from "../base/limpet-error.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import type { Probe } from "../transport/probe.ts";

/** Throws `NO_PROBE` where the session's transport has none. */
export function probeOf(session: Session): Probe {
  const { probe } = internalsOf(session).channel;
  if (probe) return probe;
  throw new LimpetError(
    "NO_PROBE",
    `The transport of session ${session.id} has no probe, and a shell needs one to type commands unseen. Open the shell with openSession, as a program, and type into it.`,
  );
}
