/** Connects to NATS. The only file that imports the NATS client. */
import { readFileSync } from "node:fs";
import { JetStreamApiError, jetstream, jetstreamManager } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import {
  type ConnectionOptions,
  connect,
  credsAuthenticator,
  errors,
  headers,
  type MsgHdrs,
  type NatsConnection,
  nkeyAuthenticator,
} from "@nats-io/transport-node";
import { lazy } from "../../base/async/lazy.ts";
import { LimpetError } from "../../base/limpet-error.ts";
import { inboxPrefix } from "../subjects.ts";
import { Arrivals } from "./arrivals.ts";
import type { Bus } from "./bus.ts";
import { checkServer } from "./check-server.ts";
import { clockMs, deadlineHeaders, readDeadline } from "./deadline-headers.ts";
import { describeAccess, type NatsAccess, serversOf } from "./nats-access.ts";
import { natsBucket } from "./nats-bucket.ts";
import { reportingBucket } from "./reporting-bucket.ts";

/** A server that does not answer in this time counts as unreachable. */
const CONNECT_MS = 5_000;
/** With three copies of each entry, a cluster still works when one of its servers is down. */
const REPLICAS_IN_CLUSTER = 3;
/** The error codes of NATS if it has fewer servers with JetStream than that. */
const TOO_FEW_SERVERS: ReadonlySet<number> = new Set([10_005, 10_074]);
/** A dead connection is detected within three of these intervals. */
const PING_EVERY_MS = 5_000;
const RECONNECT_MS = 300;

export interface ConnectNatsOptions {
  readonly access: NatsAccess;
  /** Who connects. `kind` and `name` select the inbox for answers, which nobody else may subscribe to. */
  readonly kind: "host" | "door";
  readonly name: string;
  /** Called with errors that NATS reports after the connection is open. */
  readonly onProblem?: (text: string) => void;
}

/**
 * Rejects with FLEET_UNREACHABLE or FLEET_REFUSED. After that, the client reconnects by itself when the connection is
 * lost.
 */
export async function connectNats(options: ConnectNatsOptions): Promise<Bus> {
  const { access, kind, name, onProblem = () => undefined } = options;
  const server = describeAccess(access);
  let connection: NatsConnection;
  try {
    connection = await connect({
      servers: [...serversOf(access.url)],
      name: `limpet ${kind} ${name}`,
      inboxPrefix: inboxPrefix(kind, name),
      timeout: CONNECT_MS,
      pingInterval: PING_EVERY_MS,
      maxPingOut: 2,
      maxReconnectAttempts: -1,
      reconnectTimeWait: RECONNECT_MS,
      ignoreAuthErrorAbort: true,
      noAsyncTraces: true,
      ...proofOf(access),
    });
  } catch (error) {
    throw connectError(server, error);
  }
  return busOf(connection, server, onProblem);
}

function proofOf({ creds, nkey, tlsCa, url }: NatsAccess): Partial<ConnectionOptions> {
  if (creds !== undefined && nkey !== undefined)
    throw new LimpetError("BAD_OPTION", "Both creds and nkey were given for NATS. Leave one of them out.");
  const hasTls = tlsCa !== undefined || /(?:^|,)\s*tls:/.test(url);
  const ca = tlsCa === undefined ? {} : { ca: textIn(tlsCa) };
  const identity = { checkServerIdentity: checkServer(url) };
  const tls = hasTls ? { tls: { ...ca, ...identity } } : {};
  if (creds !== undefined) {
    let known = textIn(creds);
    // The file is read for each connection, so that expired credentials can be replaced.
    const read = () => {
      known = attempt(() => textIn(creds)) ?? known;
      return Buffer.from(known);
    };
    return { ...tls, authenticator: credsAuthenticator(read) };
  }
  if (nkey !== undefined) return { ...tls, authenticator: nkeyAuthenticator(Buffer.from(textIn(nkey).trim())) };
  return tls;
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}

function textIn(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    throw new LimpetError("BAD_OPTION", `${path} cannot be read (${code}). Give a file for NATS that exists.`, {
      cause,
    });
  }
}

function connectError(server: string, cause: unknown): LimpetError {
  if (cause instanceof LimpetError) return cause;
  const isRefused =
    cause instanceof errors.AuthorizationError || cause instanceof errors.UserAuthenticationExpiredError;
  const why = cause instanceof Error ? cause.message : String(cause);
  return isRefused
    ? new LimpetError("FLEET_REFUSED", `NATS at ${server} refused the credentials (${why}). Check creds or nkey.`, {
        cause,
      })
    : new LimpetError(
        "FLEET_UNREACHABLE",
        `NATS at ${server} cannot be reached (${why}). Start it, or check its address.`,
        {
          cause,
        },
      );
}

function busOf(connection: NatsConnection, server: string, onProblem: (text: string) => void): Bus {
  const listeners = new Set<() => void>();
  void followStatus(connection, { onBack: () => [...listeners].map((listener) => listener()), onProblem });
  const [stored, buckets] = [jetstream(connection), new Kvm(connection)];
  const replicas = () => (connection.info?.cluster === undefined ? 1 : REPLICAS_IN_CLUSTER);
  const arrivals = new Arrivals();
  const direct = lazy(async () => (await jetstreamManager(connection, { checkAPI: false })).direct);
  return {
    server,
    get replicas() {
      return replicas();
    },
    publish(subject, data) {
      if (!connection.isClosed()) connection.publish(subject, data);
    },
    subscribe(subject, onMessage) {
      const subscription = connection.subscribe(subject, {
        callback: (error, message) => {
          if (error) onProblem(`NATS: ${error.message}`);
          else {
            const { reply } = message;
            const answer = reply
              ? (data: Uint8Array) => void (connection.isClosed() || message.respond(data))
              : undefined;
            const deadline = readDeadline((name) => message.headers?.get(name));
            const isLate = deadline !== undefined && arrivals.isLate(deadline, clockMs());
            onMessage({ subject: message.subject, data: message.data, isLate, answer });
          }
        },
      });
      return () => {
        if (!subscription.isClosed()) subscription.unsubscribe();
      };
    },
    async request(subject, data, { timeoutMs, hasDeadline = false }) {
      const dated = hasDeadline ? { headers: headersOf(deadlineHeaders(timeoutMs)) } : {};
      try {
        return (await connection.request(subject, data, { timeout: timeoutMs, ...dated })).data;
      } catch (error) {
        if (isUnanswered(error)) return undefined;
        throw requestError(server, error);
      }
    },
    async bucket(name, { maxAgeMs = 0 } = {}) {
      try {
        const store = await buckets.create(name, { history: 1, ttl: maxAgeMs, replicas: replicas() });
        return reportingBucket(natsBucket({ name, store, stored, direct }), (error) => requestError(server, error));
      } catch (error) {
        throw bucketError(server, error);
      }
    },
    onBack(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close: async () => await connection.close(),
  };
}

function headersOf(fields: Readonly<Record<string, string>>): MsgHdrs {
  const own = headers();
  for (const [name, value] of Object.entries(fields)) own.set(name, value);
  return own;
}

interface Followers {
  readonly onBack: () => void;
  readonly onProblem: (text: string) => void;
}

async function followStatus(connection: NatsConnection, { onBack, onProblem }: Followers): Promise<void> {
  for await (const status of connection.status()) {
    if (status.type === "reconnect") onBack();
    else if (status.type === "error") onProblem(`NATS: ${status.error.message}`);
  }
}

function isUnanswered(error: unknown): boolean {
  if (error instanceof errors.TimeoutError || error instanceof errors.NoRespondersError) return true;
  return error instanceof errors.RequestError && error.cause instanceof errors.NoRespondersError;
}

function requestError(server: string, cause: unknown): LimpetError {
  const why = cause instanceof Error ? cause.message : String(cause);
  const causes = [cause, cause instanceof Error ? cause.cause : undefined];
  if (causes.some((each) => each instanceof errors.PermissionViolationError))
    return new LimpetError("FLEET_REFUSED", `NATS at ${server} does not permit this (${why}). Use other credentials.`, {
      cause,
    });
  return new LimpetError("FLEET_UNREACHABLE", `NATS at ${server} is out of reach (${why}). Try again later.`, {
    cause,
  });
}

function bucketError(server: string, cause: unknown): LimpetError {
  if (cause instanceof JetStreamApiError && TOO_FEW_SERVERS.has(cause.code))
    return new LimpetError(
      "FLEET_UNREACHABLE",
      `NATS at ${server} is a cluster with fewer than three servers that have JetStream (${cause.message}). ` +
        "Start three of them, or one server without a cluster.",
      { cause },
    );
  // The client does not export the class of this error.
  if (!(cause instanceof Error) || cause.name !== "JetStreamNotEnabled") return requestError(server, cause);
  return new LimpetError(
    "FLEET_UNREACHABLE",
    `NATS at ${server} has no JetStream (${cause.message}). Start nats-server with --jetstream.`,
    { cause },
  );
}
