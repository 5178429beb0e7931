/** What a person does to a session: hold it, signal it, restart it, close it. The audit records each. */
import type { AuditAct, AuditActor } from "../../safety/audit/audit.ts";
import type { SessionRegistry } from "../../session/registry/session-registry.ts";
import type { Session } from "../../session/session.ts";
import { internalsOf } from "../../session/session-internals.ts";
import type { FrozenBy } from "../../transport/transport.ts";
import { nameOf } from "../listing/listing.ts";
import type { SessionName } from "../listing/session-name.ts";
import type { SharedParts } from "../shared-parts.ts";
import type {
  ClosedSession,
  CloseRequest,
  RestartedSession,
  RestartOptions,
  SignalRequest,
} from "./control-requests.ts";
import type { Hold, ReleaseOptions } from "./hold.ts";

interface ControlParts {
  readonly registry: SessionRegistry;
  readonly shared: SharedParts;
  /** Through which client, and from which project. */
  readonly actor: AuditActor;
}

type Caller = Pick<AuditActor, "caller" | "tool">;

export class Controls {
  readonly #parts: ControlParts;

  constructor(parts: ControlParts) {
    this.#parts = parts;
  }

  async hold(session: Session, hold: Hold): Promise<void> {
    await this.#act(async () => {
      this.#parts.shared.holds.hold(session, hold);
      this.#note({ event: "hold", session: session.id, detail: hold.reason ?? undefined });
    });
  }

  async release(session: Session, { note }: ReleaseOptions): Promise<boolean> {
    return await this.#act(async () => {
      const { holds, notes } = this.#parts.shared;
      const wasHeld = holds.release(session);
      if (note) notes.leave(session, note);
      if (wasHeld) this.#note({ event: "release", session: session.id, detail: note ?? undefined });
      return wasHeld;
    });
  }

  async freeze(session: Session): Promise<FrozenBy> {
    return await this.#act(async () => {
      const by = await internalsOf(session).lifetime.freeze();
      this.#note({ event: "freeze", session: session.id, detail: by });
      this.#parts.shared.events.announce(session, { kind: "frozen" });
      return by;
    });
  }

  async thaw(session: Session): Promise<boolean> {
    return await this.#act(async () => {
      const wasFrozen = await internalsOf(session).lifetime.thaw();
      if (!wasFrozen) return false;
      this.#note({ event: "thaw", session: session.id });
      this.#parts.shared.events.announce(session, { kind: "thawed" });
      return true;
    });
  }

  async signal(session: Session, { signal, to = "foreground" }: SignalRequest): Promise<SessionName> {
    return await this.#act(async () => {
      await session.signal(signal, { to });
      this.#note({ event: "signal", session: session.id, signal, detail: to });
      return nameOf(session);
    });
  }

  async restart(session: Session, options: RestartOptions): Promise<RestartedSession> {
    const { shared, registry, actor } = this.#parts;
    return await this.#act(async () => {
      const restarted = await shared.restarts.restart(session, options);
      this.#note({ event: "restart", session: restarted.former.id, detail: `as session ${restarted.id}` });
      shared.trail.started(registry.get(restarted.id), actor);
      return restarted;
    });
  }

  async close(session: Session, request: CloseRequest): Promise<Omit<ClosedSession, "running">> {
    const { force, firstSignal, keepOutput = false, caller, tool } = request;
    const { registry } = this.#parts;
    const name = nameOf(session);
    const options = { force, ...(firstSignal ? { firstSignal } : {}) };
    return await this.#act(async () => {
      this.#note({ event: "close", session: name.id, ...(force ? { detail: "force" } : {}) }, { caller, tool });
      const report = await (keepOutput ? registry.end(name.id, options) : registry.close(name.id, options));
      const sandboxNotes = await this.#parts.shared.sandboxes.notesOn(session, caller ?? "");
      return { ...name, report, sandboxNotes };
    });
  }

  #act<T>(work: () => Promise<T>): Promise<T> {
    return this.#parts.shared.trail.act(work);
  }

  #note(act: AuditAct, by: Caller = {}): void {
    this.#parts.shared.trail.note({ ...act, ...this.#parts.actor, ...by });
  }
}
