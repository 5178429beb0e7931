/** A place behind a real sshd on the loopback address, with a home of its own. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "../watching.ts";
import { clientMaker, type TestPlace } from "./place.ts";
// @ts-expect-error A script without types.
import { openSshd } from "./sshd.mjs";

interface SshPlace extends TestPlace {
  /** Of sshd. */
  readonly pid: number;
}

interface SshPlaceOptions {
  /** Lines for sshd_config. */
  readonly settings?: readonly string[];
  /** What the client knows of the host. Default: its key. */
  readonly hostKeys?: "right" | "wrong" | "none";
}

export async function sshPlace({ settings = [], hostKeys = "right" }: SshPlaceOptions = {}): Promise<SshPlace> {
  const folder = temporaryDirectory();
  const home = join(folder, "home");
  mkdirSync(home, { mode: 0o700 });
  const path = `${join(process.execPath, "..")}:/usr/bin:/bin`;
  const ownHome = `SetEnv HISTFILE=/dev/null HOME=${home} PATH=${path} XDG_STATE_HOME=${home}/state`;
  const sshd = await openSshd(folder, { settings: [...settings, ownHome], hostKeys });
  onTestFinished(async () => await sshd.close());
  const setting = { ssh: "zoo", config: sshd.env.SSH_CONFIG as string };
  return { home, setting, pid: sshd.pid as number, client: clientMaker(setting) };
}
