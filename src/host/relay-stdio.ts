/**
 * `limpet host connect --stdio`: passes bytes between stdio and a host, for a client on the other side of a command
 * such as ssh.
 */
import type { Socket } from "node:net";
import { basename, dirname, join } from "node:path";
import { LimpetError } from "../base/limpet-error.ts";
import { hostClient } from "./client/host-client.ts";
import { reachHost } from "./client/reach-host.ts";
import { PROTOCOL } from "./protocol.ts";

/** A client of a link asks for a sign of life every 11 s. Both sides know a dead link within 45 s. */
const SILENT_CLIENT_MS = 45_000;

export interface RelayOptions {
  readonly stateDirectory: string;
  /** The command that starts a host; undefined: none is started. */
  readonly startWith: (() => readonly string[]) | undefined;
  /**
   * What a line begins with that says `connected`, `none` if no host runs, or `failed` with code and message. Without
   * it, stdout has only what the host sends, and failures are thrown.
   */
  readonly preface: string | undefined;
}

/** Resolves when either side has ended, or says why there was nothing to pass. */
export async function relayStdio(options: RelayOptions): Promise<"relayed" | "none" | "failed"> {
  const { preface } = options;
  const say = (text: string) => preface !== undefined && process.stdout.write(`${preface}${text}\n`);
  let socket: Socket | undefined;
  try {
    socket = await reachOwn(options);
  } catch (error) {
    if (preface === undefined || !(error instanceof LimpetError)) throw error;
    say(`failed ${error.code} ${error.message.replaceAll("\n", " ")}`);
    return "failed";
  }
  if (!socket) {
    say("none");
    return "none";
  }
  say("connected");
  await relay(socket, preface === undefined ? undefined : SILENT_CLIENT_MS);
  return "relayed";
}

/**
 * A host with another protocol keeps its directory and its sessions. Ours then runs beside it, in a directory that is
 * named after the protocol.
 */
async function reachOwn({ stateDirectory, startWith }: RelayOptions): Promise<Socket | undefined> {
  const beside = join(dirname(stateDirectory), `${basename(stateDirectory)}-protocol-${PROTOCOL}`);
  const found = await hostClient(() => reachHost(stateDirectory, {})).hostStatus();
  const directory = found && found.protocol !== PROTOCOL ? beside : stateDirectory;
  return await reachHost(directory, startWith ? { startWith } : {});
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
