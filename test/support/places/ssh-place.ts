/** A place behind a real sshd on the loopback address, with a home of its own. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "../watching.ts";
import { childrenOf } from "./children-of.ts";
import { endMasters } from "./end-masters.ts";
import { clientMaker, type TestPlace } from "./place.ts";
// @ts-expect-error A script without types.
import { openSshd } from "./sshd.mjs";

export interface SshPlace extends TestPlace {
  /** Of sshd. */
  readonly pid: number;
  readonly port: number;
  /** The ssh_config(5) of the client. */
  readonly config: string;
  /** Of the client: its control masters are in `ssh`. */
  readonly stateDirectory: string;
  /** The processes of sshd that serve one connection each. */
  connections(): readonly number[];
}

export interface SshPlaceOptions {
  /** Lines for sshd_config. */
  readonly settings?: readonly string[];
  /** Lines for ssh_config. */
  readonly clientSettings?: readonly string[];
  /** What the client knows of the host. Default: its key. With `ask`, it knows nothing and asks. */
  readonly hostKeys?: "right" | "wrong" | "none" | "revoked" | "other type" | "ask";
  /** Default: a new one. */
  readonly stateDirectory?: string;
  /** Words before the command that starts sshd. */
  readonly program?: readonly string[];
  /** The PATH there. Default: one with Node. */
  readonly path?: string;
}

export async function sshPlace(options: SshPlaceOptions = {}): Promise<SshPlace> {
  const { settings = [], hostKeys = "right", stateDirectory = temporaryDirectory(), ...more } = options;
  const folder = temporaryDirectory();
  const home = join(folder, "home");
  mkdirSync(home, { mode: 0o700 });
  const { path = `${join(process.execPath, "..")}:/usr/bin:/bin` } = options;
  const ownHome = `SetEnv HISTFILE=/dev/null HOME=${home} PATH=${path} XDG_STATE_HOME=${home}/state`;
  const sshd = await openSshd(folder, { ...more, settings: [...settings, ownHome], hostKeys });
  onTestFinished(async () => {
    // Control masters, wherever their sockets are, end with their connections.
    for (const pid of childrenOf(sshd.pid as number)) endProcess(pid);
    await sshd.close();
  });
  onTestFinished(() => endMasters(stateDirectory));
  const { SSH_CONFIG: config, SSH_PORT: port } = sshd.env as { readonly SSH_CONFIG: string; readonly SSH_PORT: string };
  const setting = { ssh: "zoo", config };
  return {
    home,
    setting,
    config,
    stateDirectory,
    port: Number(port),
    pid: sshd.pid as number,
    client: clientMaker(setting, { stateDirectory }),
    connections: () => childrenOf(sshd.pid as number),
  };
}

function endProcess(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
