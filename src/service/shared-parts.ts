/** The parts that all clients of the same sessions share, and how they depend on each other. */
import type { Audit } from "../safety/audit/audit.ts";
import type { SessionRegistry } from "../session/registry/session-registry.ts";
import { Approvals } from "./approvals/approvals.ts";
import { DefinedNames } from "./approvals/defined-names.ts";
import { AuditTrail } from "./audit-trail.ts";
import { Holds } from "./control/holds.ts";
import { KnownSizes } from "./control/known-sizes.ts";
import { ReleaseNotes } from "./control/release-notes.ts";
import { Restarts } from "./control/restarts.ts";
import { SizeLoans } from "./control/size-loans.ts";
import type { Elsewhere } from "./elsewhere.ts";
import { EventHub } from "./events/event-hub.ts";
import { EventReports } from "./events/reported-events.ts";
import { InputGate } from "./input/input-gate.ts";
import { TypedBytes } from "./input/typed-bytes.ts";
import { Listing } from "./listing/listing.ts";
import { SessionUsers } from "./owners/session-users.ts";
import { RunningRecordings } from "./recordings/running-recordings.ts";
import { Sandboxes } from "./sandbox/sandboxes.ts";
import { PromptAnswers } from "./secrets/prompt-answers.ts";
import type { Secrets } from "./secrets/secrets.ts";
import { IdleShells } from "./shells/idle-shells.ts";
import { Shells } from "./shells/shells.ts";
import { Starts } from "./starts.ts";
import { ReadPositions } from "./turn/read-positions.ts";
import { SeenScreens } from "./turn/seen-screens.ts";
import { TurnReader } from "./turn/turn-reader.ts";
import { TurnRunner } from "./turn/turn-runner.ts";
import { TurnWaiter } from "./turn/turn-waiter.ts";

/** The parts that all clients of the same sessions share. */
export interface SharedParts {
  readonly positions: ReadPositions;
  readonly reports: EventReports;
  readonly events: EventHub;
  readonly holds: Holds;
  readonly notes: ReleaseNotes;
  readonly gate: InputGate;
  readonly recordings: RunningRecordings;
  readonly listing: Listing;
  readonly reader: TurnReader;
  readonly turns: TurnRunner;
  readonly idleShells: IdleShells;
  readonly sizes: KnownSizes;
  readonly loans: SizeLoans;
  readonly restarts: Restarts;
  readonly shells: Shells;
  readonly approvals: Approvals;
  readonly defined: DefinedNames;
  readonly sandboxes: Sandboxes;
  readonly prompts: PromptAnswers;
  /** Where acts of callers are recorded. */
  readonly trail: AuditTrail;
}

/** What only the owner of the sessions knows. */
interface SharedOptions {
  /** Default: approvals that are numbered from 1. */
  readonly approvals?: Approvals | undefined;
  /** Default: there are none. */
  readonly secrets?: Secrets | undefined;
  /** Where acts are recorded. Default: nowhere. */
  readonly audit?: Audit | undefined;
  /**
   * Where copies of what the sandbox replaces in guarded files are kept. Default: beside the journals, if those are on
   * disk.
   */
  readonly replacedIn?: string | undefined;
  /** Where programs run. Default: on this machine. */
  readonly elsewhere?: Elsewhere | undefined;
}

export function shareParts(
  registry: SessionRegistry,
  { secrets, audit, replacedIn, elsewhere, approvals = new Approvals() }: SharedOptions = {},
): SharedParts {
  const trail = new AuditTrail(audit);
  const positions = new ReadPositions();
  const seenScreens = new SeenScreens();
  const typed = new TypedBytes();
  const holds = new Holds();
  const notes = new ReleaseNotes();
  const gate = new InputGate(holds, typed);
  const prompts = new PromptAnswers({ gate, secrets });
  const recordings = new RunningRecordings(secrets?.known);
  const listing = new Listing({ registry, holds, recordings });
  const users = new SessionUsers();
  const reports = new EventReports(registry.list({ ended: true }));
  const sizes = new KnownSizes();
  const sandboxes = new Sandboxes(registry, { hidden: () => secrets?.hidden ?? [], replacedIn, elsewhere });
  const reader = new TurnReader({
    ...{ registry, positions, seenScreens, typed, listing },
    ...{ reports, sizes, notes, sandboxes, prompts },
  });
  const waiter = new TurnWaiter({ registry, positions, seenScreens, users, reports });
  const shells = new Shells(registry, sandboxes, secrets);
  const starts = new Starts(registry, sandboxes, secrets);
  const idleShells = new IdleShells({ registry, shells, holds, users, starts });
  const defined = new DefinedNames();
  const turns = new TurnRunner({
    ...{ registry, positions, gate, prompts, shells, starts, sandboxes },
    ...{ reader, waiter, reports, users, trail, approvals, defined },
  });
  const events = new EventHub(registry, approvals);
  const loans = new SizeLoans();
  const restarts = new Restarts({ registry, shells, starts });
  return {
    positions,
    reports,
    events,
    holds,
    notes,
    gate,
    recordings,
    listing,
    reader,
    turns,
    idleShells,
    sizes,
    loans,
    restarts,
    shells,
    approvals,
    defined,
    sandboxes,
    trail,
    prompts,
  };
}
