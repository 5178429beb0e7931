/**
 * Sessions that live in a host. Connects at the first call, and reconnects at the next call after a lost connection.
 *
 * This process, not the host, decides what a program inherits: its environment, its directory, its shell. If the
 * connection breaks during a turn, limpet sends it again with its request id to the same host, which does not act twice
 * and returns the same answer.
 */
import { isAbsolute, join } from "node:path";
import type { Page } from "../../base/cursor.ts";
import { requireEnv } from "../../base/require-env.ts";
import { workingDirectory } from "../../base/working-directory.ts";
import type { RecordingState } from "../../record/record-session.ts";
import type { ClosedSession, ResizedSession, RestartedSession } from "../../service/control/control-requests.ts";
import type { EventPage } from "../../service/events/session-event.ts";
import type { SessionName } from "../../service/listing/session-name.ts";
import type { RunningSession, SessionIdentity } from "../../service/listing/session-state.ts";
import type { SessionSummary } from "../../service/listing/session-summary.ts";
import type { UsingProcess } from "../../service/listing/using-process.ts";
import type { PasswordPrompt } from "../../service/secrets/prompt.ts";
import type { SessionService } from "../../service/session-service.ts";
import type { StartRequest } from "../../service/turn/start-request.ts";
import type { TurnTarget } from "../../service/turn/turn-request.ts";
import type { LoggedCommand } from "../../session/command-log.ts";
import type { TranscriptPart } from "../../session/transcript-part.ts";
import { defaultShell, ownEnv, passedOnEnv } from "../../transport/env/child-env.ts";
import type { FrozenBy } from "../../transport/transport.ts";
import type { AuditPart } from "../audit-parts.ts";
import { unpackScreen } from "../pack-screen.ts";
import type { HostStatus } from "../protocol.ts";
import type { Connect, ConnectRequest } from "./connect-request.ts";
import { farStreams } from "./far-streams.ts";
import { hostApprovals } from "./host-approvals.ts";
import { HostConnection } from "./host-connection.ts";
import { type HostFiles, hostFiles } from "./host-files.ts";
import { type ClientIdentity, HostLink, type LinkListener } from "./host-link.ts";
import { retried } from "./link-loss.ts";
import { FAR_LINK, type LinkRules, LOCAL_LINK } from "./link-rules.ts";

/** The service of a host, and the host itself. */
export interface HostClient extends SessionService {
  /** The host is at a place or in a fleet: its files and processes are not those of this machine. */
  readonly isFar: boolean;
  /** Undefined if no host runs; never starts one. */
  hostStatus(): Promise<HostStatus | undefined>;
  /** Hosts of the same place with another protocol, which keep their sessions. Always empty for this machine. */
  otherHosts(): Promise<readonly HostStatus[]>;
  /**
   * Ends the host and all its sessions. Resolves when it has ended; false if none was running. `protocol`: that of one
   * of the other hosts.
   */
  stopHost(which?: Pick<ConnectRequest, "protocol">): Promise<boolean>;
  /** Calls the listener when the link breaks, and when it is back. Returns a function that removes the listener. */
  onLink(listener: LinkListener): () => void;
  readonly files: HostFiles;
  /** Who did what there, oldest first; with `follow`, also what is done later. */
  audit(options: { readonly follow: boolean }): AsyncIterable<AuditPart>;
  /**
   * Closes the client for good; the sessions continue. Calls and streams that are under way reject with CLIENT_CLOSED,
   * and so does each later one. Only `hostStatus`, `otherHosts` and `stopHost` still work, because each opens a
   * connection of its own.
   */
  disconnect(): void;
}

/** The environment for programs that this client starts. */
export type EnvProvider = () => Readonly<Record<string, string>> | Promise<Readonly<Record<string, string>>>;

export interface HostClientOptions {
  /** The host's state directory, which `limpet` inside its sessions uses. */
  readonly stateDirectory?: string;
  /** Default: all projects. */
  readonly identity?: () => ClientIdentity;
  /** Default: the variables of this process that do not look like secrets. */
  readonly env?: EnvProvider;
  /**
   * The host is on another machine: its programs inherit nothing from this process, and paths are relative to the home
   * directory there.
   */
  readonly isFar?: true;
  /** Default: those of this machine, or with `isFar` those of a link. */
  readonly rules?: LinkRules;
}

export function hostClient(connect: Connect, options: HostClientOptions = {}): HostClient {
  const { identity = () => ({}) } = options;
  const { rules = options.isFar ? FAR_LINK : LOCAL_LINK } = options;
  const link = new HostLink(connect, identity, rules);
  const absolute = (path: string) => (options.isFar ? path : absoluteHere(path));
  const streams: Pick<SessionService, "output" | "transcript" | "events"> = {
    output: (key, { signal, ...from }) => link.stream("output", { key, ...from }, signal) as AsyncIterable<Page>,
    transcript: (key, { signal, ...options }) =>
      link.stream("transcript", { key, ...options }, signal) as AsyncIterable<TranscriptPart>,
    events: ({ signal, ...after }) => link.stream("events", after, signal) as AsyncIterable<EventPage>,
  };
  return {
    isFar: options.isFar ?? false,
    approvals: hostApprovals(link),
    turn: async ({ signal, ...request }) =>
      unpackScreen(await link.turn({ ...request, on: await inheriting(request.on, options) }, signal)),
    noteFarAct: async (act) => void (await link.call("noteFarAct", act)),
    acknowledge: (delivered) => link.notify("acknowledge", delivered),
    giveBack: (undelivered) => link.giveBack(undelivered),
    write: async (key, input, options = {}) => void (await link.call("write", { key, input, ...options })),
    passwordPrompt: async (key) => (await link.read("passwordPrompt", { key })) as PasswordPrompt | null,
    answerPrompt: async (key, answer) => void (await link.call("answerPrompt", { key, ...answer })),
    ...(rules.resumes ? farStreams(streams, link.pause) : streams),
    find: async (key) => (await link.read("find", { key })) as SessionIdentity,
    running: async () => ((await link.ask("running", {})) ?? []) as readonly RunningSession[],
    list: async (options) => (await link.look("list", options)) as readonly SessionSummary[],
    history: async (key) => (await link.read("history", { key })) as readonly LoggedCommand[],
    processes: async (key) => (await link.read("processes", { key })) as readonly UsingProcess[] | null,
    hold: async (key, hold) => void (await link.call("hold", { key, ...hold })),
    release: async (key, options = {}) => (await link.call("release", { key, ...options })) as boolean,
    freeze: async (key) => (await link.call("freeze", { key })) as FrozenBy,
    thaw: async (key) => (await link.call("thaw", { key })) as boolean,
    rename: async (key, name) => (await link.call("rename", { key, name })) as SessionName,
    signal: async (key, request) => (await link.call("signal", { key, ...request })) as SessionName,
    restart: async (key, { env } = {}) =>
      (await link.call("restart", {
        key,
        ...(options.isFar ? (env ? { env } : {}) : { env: (await inherited({ env }, options)).env }),
      })) as RestartedSession,
    resize: async (key, size, options = {}) => (await link.call("resize", { key, size, ...options })) as ResizedSession,
    lendSize: async (key, loan) => void (await link.call("lendSize", { key, ...loan })),
    record: async (key, options) =>
      (await link.call("record", { key, ...options, file: absolute(options.file) })) as RecordingState,
    stopRecording: async (key, { file }) =>
      (await link.call("stopRecording", {
        key,
        ...(file === undefined ? {} : { file: absolute(file) }),
      })) as readonly RecordingState[],
    close: async (key, options) => (await link.call("close", { key, ...options })) as ClosedSession,
    hostStatus: async () => await askBare({ connect, rules }, status),
    otherHosts: async () => await otherHosts({ connect, rules }),
    stopHost: async (which) => (await askBare({ connect, rules, ...which }, stop)) ?? false,
    onLink: (listener) => link.onLink(listener),
    files: hostFiles(link),
    audit: (options) => link.stream("audit", options, undefined) as AsyncIterable<AuditPart>,
    disconnect: () => link.close(),
  };
}

/** The program inherits what it would inherit if this process started it. Paths are relative to our directory. */
async function inheriting(on: TurnTarget, options: HostClientOptions): Promise<TurnTarget> {
  if (options.isFar) return on;
  if (on.kind === "start") {
    const { cwd = workingDirectory() } = on.start;
    return { ...on, start: { ...(await inherited(on.start, options)), cwd: absoluteHere(cwd) } };
  }
  if (on.kind !== "run") return on;
  const { fresh = {}, cwd } = on.run;
  const where = fresh.cwd === undefined ? { defaultCwd: workingDirectory() } : { cwd: absoluteHere(fresh.cwd) };
  const run = { ...on.run, fresh: { ...(await inherited(fresh, options)), ...where } };
  return { ...on, run: cwd === undefined ? run : { ...run, cwd: absoluteHere(cwd) } };
}

async function inherited<T extends Pick<StartRequest, "env" | "shell">>(
  request: T,
  { env: provide = () => ownEnv({ for: "agent" }).env, stateDirectory }: HostClientOptions,
): Promise<T> {
  const { shell = defaultShell(), env } = request;
  requireEnv(env);
  return { ...request, shell, env: { ...passedOnEnv(await provide(), stateDirectory), ...env } };
}

/** The host refuses a path that is not a string. */
function absoluteHere(path: string): string {
  return typeof path === "string" && !isAbsolute(path) ? join(workingDirectory(), path) : path;
}

interface Asking extends Pick<ConnectRequest, "protocol"> {
  readonly connect: Connect;
  readonly rules: LinkRules;
}

async function otherHosts({ connect, rules }: Asking): Promise<readonly HostStatus[]> {
  let protocols: readonly number[] = [];
  const onOthers = (found: readonly number[]) => {
    protocols = found;
  };
  (await connect({ mayStart: false, purpose: "look", onOthers }))?.destroy();
  const asked = protocols.map((protocol) => askBare({ connect, rules, protocol }, status));
  return (await Promise.all(asked)).filter((found) => found !== undefined);
}

/** Asks over a separate connection without hello, which works with any protocol. Undefined if no host runs. */
async function askBare<T>(
  { connect, rules, protocol }: Asking,
  question: (host: HostConnection) => Promise<T>,
): Promise<T | undefined> {
  return await retried(rules, async () => {
    const which = protocol === undefined ? {} : { protocol };
    const socket = await connect({ mayStart: false, purpose: "look", ...which });
    if (!socket) return undefined;
    const host = HostConnection.bare(socket, rules);
    try {
      return await question(host);
    } finally {
      host.close();
    }
  });
}

async function status(host: HostConnection): Promise<HostStatus> {
  return await host.ask<HostStatus>("status");
}

async function stop(host: HostConnection): Promise<boolean> {
  await host.ask("stop");
  await host.untilClosed();
  return true;
}
