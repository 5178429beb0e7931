/** Who connects: one ssh connection for all links to a place, that of the user's control master if it runs. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { needs } from "../../support/needs.ts";
import { childrenOf } from "../../support/places/children-of.ts";
import { LINK_MS } from "../../support/places/place.ts";
import { type SshPlace, sshPlace } from "../../support/places/ssh-place.ts";
import { isLong, until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

// Several programs each, on a machine that does much else.
vi.setConfig({ testTimeout: 180_000 });

const here = test.skipIf(!needs("sshd", "ssh-keygen"));

/** The process of the control master with this socket. */
function masterPid(config: string, { socket, cwd }: { readonly socket?: string; readonly cwd?: string } = {}): number {
  const path = socket === undefined ? [] : ["-o", `ControlPath=${socket}`];
  const { stderr } = spawnSync("ssh", ["-F", config, ...path, "-O", "check", "zoo"], { encoding: "utf8", cwd });
  return Number(/pid=(\d+)/.exec(stderr)?.[1]);
}

const sockets = ({ stateDirectory }: SshPlace) => readdirSync(join(stateDirectory, "ssh"));

function ownMaster(place: SshPlace): number {
  const [socket = ""] = sockets(place);
  return masterPid(place.config, { socket, cwd: join(place.stateDirectory, "ssh") });
}

here("all links of a user share one connection, and its socket is closed to others", async () => {
  const place = await sshPlace();

  await place.client().list({ ended: false });
  await place.client().list({ ended: false });
  await place.client().hostStatus();

  await expect.poll(() => place.connections().length).toBe(1);
  expect(sockets(place)).toEqual([expect.stringMatching(/^[0-9a-f]{16}\.[0-9a-f]{40}$/)]);
  expect(statSync(join(place.stateDirectory, "ssh")).mode & 0o777).toBe(0o700);
});

here("a hundred sessions use one connection and one channel of it", async () => {
  const place = await sshPlace({ settings: ["MaxSessions 10"] });
  const client = place.client();

  for (let n = 0; n < 10; n += 1) {
    const ten = Array.from({ length: 10 }, () => startSession(client, { command: "exec cat", shell: "/bin/sh" }));
    await Promise.all(ten);
  }

  expect(await client.running()).toHaveLength(100);
  const channels = () => place.connections().map((connection) => childrenOf(connection).length);
  await expect.poll(channels).toEqual([1]);
});

here("a control master of the user that answers is used, and none of ours is made", async () => {
  const control = join(temporaryDirectory(), "user");
  const place = await sshPlace({ clientSettings: [`ControlPath ${control}`] });
  startUserMaster(place);

  await place.client().list({ ended: false });

  await expect.poll(() => place.connections().length).toBe(1);
  expect(readdirSync(place.stateDirectory)).not.toContain("ssh");
});

here("a control master of the user that is stopped is left alone, and a connection of ours is made", async () => {
  const control = join(temporaryDirectory(), "user");
  const place = await sshPlace({ clientSettings: [`ControlPath ${control}`, "ControlMaster auto"] });
  const pid = startUserMaster(place);
  process.kill(pid, "SIGSTOP");

  await place.client().list({ ended: false });

  await expect.poll(() => place.connections().length).toBe(2);
  expect(sockets(place)).toHaveLength(1);
  process.kill(pid, "SIGCONT");
  expect(masterPid(place.config)).toBe(pid);
});

here("a configuration for control masters is not followed by making one in the user's name", async () => {
  const control = join(temporaryDirectory(), "user");
  const place = await sshPlace({
    clientSettings: [`ControlPath ${control}`, "ControlMaster auto", "ControlPersist yes"],
  });

  await place.client().list({ ended: false });

  expect(() => statSync(control)).toThrow("ENOENT");
  expect(sockets(place)).toHaveLength(1);
});

here("after the control master was killed, a call connects again", async () => {
  const place = await sshPlace();
  const client = place.client();
  const { id } = await startSession(client, { command: "exec cat", shell: "/bin/sh" });

  const [before] = place.connections();
  process.kill(ownMaster(place), "SIGKILL");

  await until(() => !existsSync(`/proc/${before}`), "the connection is closed", LINK_MS);
  expect((await client.running()).map((session) => session.id)).toEqual([id]);
  await expect.poll(() => place.connections().length).toBe(1);
});

test.skipIf(!needs("sshd", "ssh-keygen") || !isLong)(
  "a control master of ours that is stopped is replaced after a while",
  async () => {
    const place = await sshPlace();
    await place.client().list({ ended: false });
    const pid = ownMaster(place);
    process.kill(pid, "SIGSTOP");
    onTestFinished(() => void process.kill(pid, "SIGKILL"));

    await place.client().list({ ended: false });

    expect(ownMaster(place)).not.toBe(pid);
  },
);

here("a state directory with a long path has a control master, too", async () => {
  const stateDirectory = join(temporaryDirectory(), "long-".repeat(30), "state directory");
  mkdirSync(stateDirectory, { recursive: true, mode: 0o700 });
  const place = await sshPlace({ stateDirectory });

  await place.client().list({ ended: false });
  await place.client().list({ ended: false });

  await expect.poll(() => place.connections().length).toBe(1);
});

/** Returns its process, which ends with the test. */
function startUserMaster({ config }: SshPlace): number {
  // In the background it would keep a pipe open.
  const { status } = spawnSync("ssh", ["-F", config, "-M", "-N", "-f", "zoo"], { stdio: "ignore", timeout: 60_000 });
  if (status !== 0) throw new Error(`ssh failed: ${status}`);
  const pid = masterPid(config);
  onTestFinished(() => {
    if (readFileSync(`/proc/${pid}/comm`, "utf8").trim() !== "ssh") return;
    process.kill(pid, "SIGCONT");
    process.kill(pid, "SIGKILL");
  });
  return pid;
}
