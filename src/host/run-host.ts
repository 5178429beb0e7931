/** Runs a host from its lock to its end: the body of `limpet host run`. */
import { type Alarm, realAlarm } from "../base/async/alarm.ts";
import { deferred } from "../base/async/deferred.ts";
import { withTimeout } from "../base/async/with-timeout.ts";
import type { MetricsAddress } from "../base/format/metrics-address.ts";
import type { MetricFamily } from "../base/format/open-metrics.ts";
import { HOST_IDLE_MS, HOST_MAX_SESSIONS, HOST_STOP_MS, IDLE_SHELL_MS } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { AuditLog, type AuditMode } from "../safety/audit/audit-log.ts";
import { KnownSecrets } from "../safety/redaction/known-secrets.ts";
import { Approvals } from "../service/approvals/approvals.ts";
import { LocalService } from "../service/local-service.ts";
import { redactedService } from "../service/redaction/redacted-service.ts";
import { Secrets, type SecretsOptions } from "../service/secrets/secrets.ts";
import { shareParts } from "../service/shared-parts.ts";
import type { SessionRegistry } from "../session/registry/session-registry.ts";
import type { Session } from "../session/session.ts";
import { internalsOf } from "../session/session-internals.ts";
import type { FurtherListener, OpenHost, OwnedSession } from "./further-listener.ts";
import { type HookSource, HostHooks } from "./hooks/host-hooks.ts";
import type { HostElsewhere } from "./host-elsewhere.ts";
import { IdleWatch } from "./idle-watch.ts";
import { journalSources } from "./journal-sources.ts";
import { LeftShells } from "./left-shells.ts";
import { MemoryKeeper } from "./memory-keeper.ts";
import { hostMetrics } from "./metrics/host-metrics.ts";
import { HostServer } from "./server/host-server.ts";
import type { HostKeeper } from "./state/host-keeper.ts";
import { IdCounter } from "./state/id-counter.ts";
import type { DamagedRecord } from "./state/session-record.ts";
import { openStateDirectory, type StateDirectory } from "./state/state-directory.ts";
import { takeOver } from "./state/take-over.ts";
import { takeProcessLock } from "./state/take-process-lock.ts";

export interface RunHostOptions {
  readonly stateDirectory: string;
  /** The maximum number of running sessions. Default 256. */
  readonly maxSessions?: number;
  /** Ends the host after this time without sessions and clients. Default: an hour. */
  readonly idleMs?: number;
  /** Ends an idle shell this long after its client has gone. Default: ten minutes. */
  readonly idleShellMs?: number;
  /** The timer for `idleMs` and for trimming the journals of ended sessions. */
  readonly alarm?: Alarm;
  /** How long to wait for the lock of a host that is ending. Default 0. */
  readonly lockPatienceMs?: number;
  /**
   * Returns false if the process that started this host uses another one; this host then ends at once. Called before
   * the host does anything. Default: always true.
   */
  readonly isWanted?: () => boolean;
  /** Called when clients can connect. */
  readonly onListening?: () => void;
  /** Called with the sessions of previous hosts whose records are damaged. */
  readonly onDamaged?: (damaged: readonly DamagedRecord[]) => void;
  /** Whether acts of callers are recorded, and whether they must be. Default `on`. */
  readonly audit?: AuditMode;
  /** Commands to run when something happens. Default: none. */
  readonly hooks?: HookSource;
  /** The user's secrets. Default: none. */
  readonly secrets?: HostSecrets;
  /** Where the programs of this host run: called once it has its lock. Default: on this machine. */
  readonly elsewhere?: () => Promise<HostElsewhere>;
  /** Accepts clients beside those of the socket. A host with a listener does not end when idle. Default: none. */
  readonly listener?: ((host: OpenHost) => FurtherListener) | undefined;
  /** The address at which the host serves metrics. Default: none. */
  readonly metrics?: MetricsAddress;
  /** Called with the address of the metrics when they are served. */
  readonly onMetrics?: (address: string) => void;
  /** Called with problems that cannot be reported to a client. */
  readonly onProblem?: (text: string) => void;
  /** Ends the host. Programs get the grace time to end by themselves. */
  readonly signal?: AbortSignal;
}

/** Where the user's secrets come from, and what happens to the journals of sessions that get them. */
type HostSecrets = Pick<SecretsOptions, "vault" | "directory" | "journals">;

/**
 * Resolves when the host and all its sessions have ended. Rejects with HOST_RUNNING if the directory has a running
 * host.
 */
export async function runHost(options: RunHostOptions): Promise<void> {
  const { isWanted = () => true } = options;
  // Before anything is created: its directory may be gone by now.
  if (!isWanted()) return;
  const directory = openStateDirectory(options.stateDirectory);
  try {
    const lock = await takeProcessLock(directory, {
      file: "host.lock",
      socketPath: directory.socketPath,
      patienceMs: options.lockPatienceMs,
      signal: options.signal,
      onTaken: () =>
        new LimpetError(
          "HOST_RUNNING",
          `A host already runs on ${directory.path}. Use it, or end it first with limpet host stop.`,
        ),
    });
    try {
      // Another host may have started first and ended since. No client would use this one, and nothing would end it.
      if (isWanted()) await serve(directory, options);
    } finally {
      lock.release();
    }
  } finally {
    directory.release();
  }
}

async function serve(directory: StateDirectory, options: RunHostOptions): Promise<void> {
  const {
    maxSessions = HOST_MAX_SESSIONS,
    idleMs = HOST_IDLE_MS,
    alarm = realAlarm,
    signal,
    onListening,
    onDamaged,
  } = options;
  const elsewhere = await options.elsewhere?.();
  const onExited = () => idle.restart();
  const known = new KnownSecrets();
  const taken = await takeOver(directory, { maxSessions, alarm, onExited, known });
  const { registry, keeper, ids, log, losses, damaged } = taken;
  const end = deferred<void>();
  const stop = () => {
    keeper.stopOpening();
    end.resolve();
  };
  const { audit: mode = "on" } = options;
  const redact = (text: string) => known.redact(text);
  const audit =
    mode === "off" ? undefined : new AuditLog({ directory: directory.path, isRequired: mode === "required", redact });
  const secrets = options.secrets && new Secrets({ ...options.secrets, known });
  const numbers = new IdCounter(directory.file("last-approval"), 0);
  const approvals = new Approvals({ takeNumber: () => numbers.take(), alarm });
  const sessions = new LocalService(registry, {
    shared: shareParts(registry, { approvals, audit, secrets, elsewhere }),
  });
  const journals = journalSources(registry, redact);
  const countRunning = () => registry.list().length;
  const metrics = options.metrics && hostMetrics(options.metrics, registry);
  const memory = new MemoryKeeper();
  const server: HostServer = new HostServer({
    directory,
    home: elsewhere?.home,
    files: elsewhere?.files,
    sessionsFor: (client, scope, view) => {
      const own = view(sessions.forClient(client, scope), scope);
      return redactedService(metrics?.over(own) ?? own, known);
    },
    countRunning,
    membersOfSessions: () => membersOfSessions(registry),
    auditHealth: () => audit?.health ?? null,
    onStop: stop,
    onGone: (client) => {
      sessions.clientGone(client);
      leftShells.restart();
    },
    onRequest: () => memory.note(),
    onClients: () => {
      memory.note();
      idle.restart();
    },
  });
  const leftShells: LeftShells = new LeftShells({
    afterMs: options.idleShellMs ?? IDLE_SHELL_MS,
    alarm,
    endLeft: (afterMs) => sessions.endLeftShells(afterMs),
  });
  const isInUse = () => options.listener !== undefined || server.clients > 0 || countRunning() > 0;
  const idle: IdleWatch = new IdleWatch({ idleMs, isInUse, onIdle: stop, alarm });
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  await server.listen();
  const listener = options.listener?.({
    instance: server.instance,
    maxSessions,
    countRunning,
    running: () => registry.list().map(ownedOf),
    onChange: (onChanged) => followChanges(registry, onChanged),
    file: (name) => directory.file(name),
    journals,
    accept: (stream, accepted) => server.accept(stream, accepted),
  });
  const monitored = await metrics
    ?.serve(() => [clientsFamily(server.clients), ...(listener?.metrics() ?? [])])
    // A host that nobody can monitor still serves its clients.
    .catch((error: LimpetError) => void options.onProblem?.(error.message));
  if (monitored) options.onMetrics?.(monitored.address);
  onListening?.();
  if (damaged.length > 0) onDamaged?.(damaged);
  const hooks =
    options.hooks &&
    new HostHooks({
      source: options.hooks,
      events: (stopped) => redactedService(sessions, known).events({ signal: stopped }),
      onProblem: options.onProblem ?? (() => undefined),
    });
  await end.promise;
  idle.stop();
  leftShells.stop();
  memory.stop();
  server.stopListening();
  await listener?.close();
  monitored?.close();
  await withTimeout(HOST_STOP_MS, endSessions(registry, keeper));
  await elsewhere?.close();
  await audit?.close();
  hooks?.stop();
  server.disconnectClients();
  ids.close();
  numbers.close();
  log.close();
  await losses.close();
}

function ownedOf({ name, owner }: Session): OwnedSession {
  return { name: name ?? null, caller: owner?.caller ?? "", project: owner?.project ?? null };
}

function followChanges(registry: SessionRegistry, onChanged: Parameters<OpenHost["onChange"]>[0]): void {
  registry.onOpened((session) => {
    onChanged("opened", ownedOf(session));
    void session.exited.then(() => onChanged("exited", ownedOf(session)));
  });
}

function clientsFamily(value: number): MetricFamily {
  return { name: "limpet_clients", type: "gauge", help: "Connected clients.", samples: [{ value }] };
}

/** Their output stays readable for the next host. */
async function endSessions(registry: SessionRegistry, keeper: HostKeeper): Promise<void> {
  await keeper.allOpened();
  await Promise.all(registry.list({ ended: true }).map((session) => session.close()));
  await keeper.settled();
}

/** Includes processes that a program has left running. */
async function membersOfSessions(registry: SessionRegistry): Promise<ReadonlySet<number>> {
  const running = registry.list({ ended: true }).map(async (session) => {
    const found = await internalsOf(session).channel.probe?.running();
    return (found ?? []).map(({ pid }) => pid);
  });
  return new Set((await Promise.all(running)).flat());
}
