/** Records what callers do with sessions: who, what and how it ended. Never what was typed or printed. */
import type { Exit } from "../base/exit.ts";
import { describeLimits, limitWords } from "../base/session-limits.ts";
import { type Audit, type AuditAct, type AuditActor, NO_AUDIT } from "../safety/audit/audit.ts";
import { commandLogOf, type LoggedCommand } from "../session/command-log.ts";
import type { Session } from "../session/session.ts";
import { describeProgram } from "./listing/listing.ts";
import type { Asker } from "./owners/asker.ts";

/** A person types key by key: the bytes within this time are recorded as one act. */
const TYPING_MS = 1_000;

interface Typing {
  readonly actor: AuditActor;
  bytes: number;
}

export class AuditTrail {
  readonly #audit: Audit;
  readonly #started = new WeakSet<Session>();
  /** Who gives the next command to a shell. */
  readonly #running = new WeakMap<Session, AuditActor>();
  readonly #typing = new WeakMap<Session, Map<string, Typing>>();

  constructor(audit: Audit = NO_AUDIT) {
    this.#audit = audit;
  }

  /** Call before an act. */
  async admit(): Promise<void> {
    await this.#audit.admit();
  }

  /** Call before the answer to an act. */
  async settled(): Promise<void> {
    await this.#audit.settled();
  }

  /** Calls `admit` before `work` and `settled` after it. */
  async act<T>(work: () => Promise<T>): Promise<T> {
    await this.admit();
    const result = await work();
    await this.settled();
    return result;
  }

  note(act: AuditAct): void {
    this.#audit.note(act);
  }

  /** Does nothing if its start was noted before. */
  started(session: Session, actor: AuditActor): void {
    if (this.#started.has(session)) return;
    this.#started.add(session);
    const { id, cwd, sandbox } = session;
    const limits = session.limits && describeLimits(session.limits);
    const act = String(id);
    const startedMs = performance.now();
    this.note({ event: "start", ...actor, session: id, act, command: describeProgram(session), cwd, sandbox, limits });
    void session.exited.then((exit) => {
      // What was typed came before the end, and may have caused it.
      for (const key of this.#typing.get(session)?.keys() ?? []) this.#noteTyping(session, key);
      const durationMs = Math.round(performance.now() - startedMs);
      const limit = session.limitState?.endedBy;
      const why = !limit ? {} : { detail: `limit of ${limitWords(limit)}` };
      this.note({ event: "ended", session: id, of: act, ...describeEnd(exit), durationMs, ...why });
    });
  }

  /** A caller is about to give a command to a shell, which may have been started for it. */
  willRun(session: Session, actor: AuditActor): void {
    this.started(session, actor);
    if (!this.#running.has(session)) commandLogOf(session).onChanged((entry) => this.#noteCommand(session, entry));
    this.#running.set(session, actor);
  }

  typed(session: Session, bytes: number, actor: AuditActor): void {
    this.note({ event: "typed", ...actor, session: session.id, bytes });
  }

  /** By their names. The length of a secret would reveal something about it. */
  usedSecrets(session: Session, names: readonly string[], actor: AuditActor): void {
    for (const detail of names) this.note({ event: "secret", ...actor, session: session.id, detail });
  }

  /** Like `typed`, for many small pieces. */
  typedPart(session: Session, bytes: number, actor: AuditActor): void {
    const all = this.#typing.get(session) ?? new Map<string, Typing>();
    this.#typing.set(session, all);
    const key = `${actor.caller}\0${actor.client}`;
    const typing = all.get(key);
    if (typing) {
      typing.bytes += bytes;
      return;
    }
    all.set(key, { actor, bytes });
    setTimeout(() => this.#noteTyping(session, key), TYPING_MS).unref();
  }

  /** Does nothing if it was noted before. */
  #noteTyping(session: Session, key: string): void {
    const all = this.#typing.get(session);
    const typing = all?.get(key);
    if (!typing) return;
    all?.delete(key);
    this.typed(session, typing.bytes, typing.actor);
  }

  #noteCommand(session: Session, { number, command, cwd, to, exitCode, durationMs }: LoggedCommand): void {
    const { id, sandbox } = session;
    const act = `${id}.${number}`;
    if (to === null) {
      this.note({ event: "run", ...this.#running.get(session), session: id, act, command, cwd, sandbox });
    } else this.note({ event: "ended", session: id, of: act, exitCode, durationMs: durationMs ?? undefined });
  }
}

/** Pure: who asks for a turn. */
export function actorOf({ owner, client }: Asker, given: Pick<AuditActor, "tool" | "verdict"> = {}): AuditActor {
  const { caller, project } = owner;
  const { tool, verdict } = given;
  return { caller, client, project, tool, verdict };
}

function describeEnd(exit: Exit): Pick<AuditAct, "exitCode" | "signal" | "detail"> {
  if (exit.kind === "lost") return { exitCode: null };
  const detail = exit.outOfMemory ? { detail: "out of memory" } : {};
  return exit.kind === "code" ? { exitCode: exit.code, ...detail } : { exitCode: null, signal: exit.signal, ...detail };
}
