/** A host, from its lock to its end: the body of `limpet host run`. */
import { existsSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { deferred } from "../base/deferred.ts";
import { HOST_IDLE_MS, HOST_MAX_SESSIONS, HOST_STOP_MS } from "../base/limits.ts";
import { LimpetError } from "../base/limpet-error.ts";
import { packageVersion } from "../base/package-version.ts";
import { withTimeout } from "../base/with-timeout.ts";
import { type FileLock, takeFileLock } from "../linux/file-lock.ts";
import { LocalService } from "../service/local-service.ts";
import type { SessionRegistry } from "../session/session-registry.ts";
import { type Alarm, realAlarm } from "./alarm.ts";
import { IdleWatch } from "./idle-watch.ts";
import { HostServer } from "./server/host-server.ts";
import type { HostKeeper } from "./state/host-keeper.ts";
import { inState, openStateDirectory, type StateDirectory } from "./state/state-directory.ts";
import { takeOver } from "./state/take-over.ts";

export interface RunHostOptions {
  readonly stateDirectory: string;
  /** Sessions alive at once. Default 256. */
  readonly maxSessions?: number;
  /** Without sessions and clients for this long, it ends. Default an hour. */
  readonly idleMs?: number;
  /** What measures the hour, and the while after which the journals of ended sessions are trimmed. */
  readonly alarm?: Alarm;
  /** For how long to wait for the lock of one that is just ending. Default 0. */
  readonly lockPatienceMs?: number;
  /** Told when it can be reached. */
  readonly onListening?: () => void;
  /** Ends it: programs are given a moment to end by themselves. */
  readonly signal?: AbortSignal;
}

/** How soon to look at the lock again. */
const LOCK_EVERY_MS = 20;

/** Resolves when it has ended, and all its sessions with it. Rejects with HOST_RUNNING where the directory has a host. */
export async function runHost(options: RunHostOptions): Promise<void> {
  const directory = openStateDirectory(options.stateDirectory);
  try {
    const lock = await takeHostLock(directory, options);
    try {
      await serve(directory, options);
    } finally {
      lock.release();
    }
  } finally {
    directory.release();
  }
}

async function takeHostLock(
  directory: StateDirectory,
  { lockPatienceMs = 0, signal }: RunHostOptions,
): Promise<FileLock> {
  const deadlineMs = performance.now() + lockPatienceMs;
  for (;;) {
    const path = directory.file("host.lock");
    const lock = inState(path, () => takeFileLock(path));
    if (lock) {
      lock.note(`${JSON.stringify({ pid: process.pid, version: packageVersion() })}\n`);
      return lock;
    }
    // One that is ending has taken its socket away, one that begins has none yet.
    if (existsSync(directory.socketPath) || performance.now() >= deadlineMs || signal?.aborted) break;
    await sleep(LOCK_EVERY_MS);
  }
  throw new LimpetError(
    "HOST_RUNNING",
    `A host is running on ${directory.path} already. Use it, or end it first with limpet host stop.`,
  );
}

async function serve(directory: StateDirectory, options: RunHostOptions): Promise<void> {
  const { maxSessions = HOST_MAX_SESSIONS, idleMs = HOST_IDLE_MS, alarm = realAlarm, signal, onListening } = options;
  const onExited = () => idle.restart();
  const { registry, keeper, ids } = await takeOver(directory, { maxSessions, alarm, onExited });
  const end = deferred<void>();
  const stop = () => {
    keeper.stopOpening();
    end.resolve();
  };
  const sessions = new LocalService(registry);
  const countRunning = () => registry.list().length;
  const server: HostServer = new HostServer({
    directory,
    sessionsFor: (client) => sessions.forClient(client),
    countRunning,
    onStop: stop,
    onClients: () => idle.restart(),
  });
  const isInUse = () => server.clients > 0 || countRunning() > 0;
  const idle: IdleWatch = new IdleWatch({ idleMs, isInUse, onIdle: stop, alarm });
  signal?.addEventListener("abort", stop, { once: true });
  if (signal?.aborted) stop();
  await server.listen();
  onListening?.();
  await end.promise;
  idle.stop();
  server.stopListening();
  await withTimeout(HOST_STOP_MS, endSessions(registry, keeper));
  server.dismissClients();
  ids.close();
}

/** Their output stays readable for the host that comes after this one. */
async function endSessions(registry: SessionRegistry, keeper: HostKeeper): Promise<void> {
  await keeper.allOpened();
  await Promise.all(registry.list({ ended: true }).map((session) => session.close()));
  await keeper.settled();
}
