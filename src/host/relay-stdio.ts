/**
 * `limpet host connect --stdio`: passes bytes between stdio and a host, for a client on the other side of a command
 * such as ssh.
 */
import { readdirSync } from "node:fs";
import type { Socket } from "node:net";
import { join, parse } from "node:path";
import { LimpetError } from "../base/limpet-error.ts";
import { loginEnv } from "../transport/env/child-env.ts";
import { hostClient } from "./client/host-client.ts";
import { reachHost } from "./client/reach-host.ts";
import { PROTOCOL } from "./protocol.ts";

/** A client of a link sends a request at least every 11 s. Both sides notice a dead link within 45 s. */
const SILENT_CLIENT_MS = 45_000;

export interface RelayOptions {
  readonly stateDirectory: string;
  /** The command that starts a host; undefined: none is started. */
  readonly startWith: (() => readonly string[]) | undefined;
  /** Connects to the host with this protocol. Default: the host with our protocol. */
  readonly protocol: number | undefined;
  /**
   * The prefix of one line on stdout before the host's bytes: `connected`, `none` if no host runs, or `failed` with
   * code and message. After the first two come the protocols of other hosts, if there are any. Without a prefix, stdout
   * has only what the host sends, and failures are thrown.
   */
  readonly preface: string | undefined;
}

/** Resolves when either side has ended, or when no host could be reached. */
export async function relayStdio(options: RelayOptions): Promise<"relayed" | "none" | "failed"> {
  const { preface } = options;
  const say = (text: string) => preface !== undefined && process.stdout.write(`${preface}${text}\n`);
  let reached: Reached;
  try {
    reached = await reachWanted(options);
  } catch (error) {
    if (preface === undefined || !(error instanceof LimpetError)) throw error;
    say(`failed ${error.code} ${error.message.replaceAll("\n", " ")}`);
    return "failed";
  }
  const { socket, others } = reached;
  const rest = others.length === 0 ? "" : ` ${JSON.stringify(others)}`;
  if (!socket) {
    say(`none${rest}`);
    return "none";
  }
  say(`connected${rest}`);
  await relay(socket, preface === undefined ? undefined : SILENT_CLIENT_MS);
  return "relayed";
}

interface Reached {
  readonly socket: Socket | undefined;
  /** The protocols of the hosts beside it. */
  readonly others: readonly number[];
}

/**
 * A host with another protocol keeps its directory and its sessions. Ours then runs beside it, in a directory that is
 * named after the protocol.
 */
async function reachWanted({ stateDirectory, startWith, protocol = PROTOCOL }: RelayOptions): Promise<Reached> {
  const hosts = await hostsBeside(stateDirectory);
  const wanted = hosts.find((host) => host.protocol === protocol);
  const others = hosts.filter((host) => host !== wanted).map((host) => host.protocol);
  if (protocol !== PROTOCOL) return { socket: wanted && (await reachHost(wanted.directory, {})), others };
  const isTaken = hosts.some(({ directory }) => directory === stateDirectory);
  const free = isTaken ? `${stateDirectory}-protocol-${PROTOCOL}` : stateDirectory;
  const start = startWith ? { startWith, extra: { words: [], env: loginEnv() } } : {};
  return { socket: await reachHost(wanted?.directory ?? free, start), others };
}

interface FoundHost {
  readonly directory: string;
  readonly protocol: number;
}

/** The hosts that run in the state directory, and beside it in directories that are named after a protocol. */
async function hostsBeside(stateDirectory: string): Promise<readonly FoundHost[]> {
  const { dir, base } = parse(stateDirectory);
  const beside = namesIn(dir).filter((name) => name.startsWith(`${base}-protocol-`));
  const found: FoundHost[] = [];
  for (const directory of [stateDirectory, ...beside.map((name) => join(dir, name))]) {
    const asked = hostClient(() => reachHost(directory, {})).hostStatus();
    // A host beside ours that does not answer is ignored.
    const status = await (directory === stateDirectory ? asked : asked.catch(() => undefined));
    if (status) found.push({ directory, protocol: status.protocol });
  }
  return found;
}

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function relay(socket: Socket, silentMs: number | undefined): Promise<void> {
  const { stdin, stdout } = process;
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(silence);
      socket.destroy();
      stdin.destroy();
      resolve();
    };
    const silence = silentMs === undefined ? undefined : setTimeout(end, silentMs);
    stdin.on("data", () => silence?.refresh());
    stdin.on("error", end);
    stdin.on("close", end);
    socket.on("error", end);
    stdout.on("error", end);
    stdin.pipe(socket);
    socket.pipe(stdout, { end: false });
    // What the host sent before it ended still arrives.
    socket.on("end", () => (stdout.writableLength === 0 ? end() : stdout.once("drain", end)));
    socket.on("close", end);
  });
}
