/** What ssh does when a server misbehaves, or when the user's configuration asks for more than limpet wants. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { HostConnection } from "../../../src/host/client/host-connection.ts";
import { FAR_LINK } from "../../../src/host/client/link-rules.ts";
import { openLink } from "../../../src/places/link/open-link.ts";
import { placeOf } from "../../../src/places/place-address.ts";
import { waysTo } from "../../../src/places/ways-to.ts";
import { startSession } from "../../../src/service/turn/simple-turns.ts";
import { needs } from "../../support/needs.ts";
import { childrenOf } from "../../support/places/children-of.ts";
import { clientMaker, LINK_MS } from "../../support/places/place.ts";
import { type SshPlace, sshPlace } from "../../support/places/ssh-place.ts";
// @ts-expect-error A script without types.
import { freePort } from "../../support/serve.mjs";
import { errorOf, until } from "../../support/sessions.ts";
import { temporaryDirectory } from "../../support/watching.ts";

// Several programs each, on a machine that does much else.
vi.setConfig({ testTimeout: 180_000 });

const here = test.skipIf(!needs("sshd", "ssh-keygen"));

here("a server that never says who it is ends the call in ssh's own words", async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => void sockets.add(socket.on("error", () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const { port } = server.address() as AddressInfo;
  const place = await sshPlace({ clientSettings: [`Port ${port}`, "ConnectTimeout 1"] });

  const error = await errorOf(place.client().list({ ended: false }));

  expect([error.code, error.message]).toEqual([
    "PLACE_UNREACHABLE",
    expect.stringContaining("timed out during banner exchange"),
  ]);
});

test.skipIf(!needs("sshd", "ssh-keygen", "root"))("a login that the server gives up ends the call", async () => {
  const command = ["AuthorizedKeysCommand /bin/sleep 60", "AuthorizedKeysCommandUser root"];
  const settings = ["LoginGraceTime 1", "AuthorizedKeysFile none", ...command];
  const place = await sshPlace({ settings, clientSettings: ["LogLevel INFO"] });

  const error = await errorOf(place.client().list({ ended: false }));

  expect([error.code, error.message]).toEqual([
    "PLACE_UNREACHABLE",
    expect.stringMatching(/Connection (closed|reset)|Broken pipe/),
  ]);
});

here("a port on which nobody listens ends the call at once", async () => {
  const place = await sshPlace({ clientSettings: [`Port ${await freePort()}`] });

  const error = await errorOf(place.client().list({ ended: false }));

  expect([error.code, error.message]).toEqual(["PLACE_UNREACHABLE", expect.stringContaining("Connection refused")]);
});

here("a host that does not exist ends the call in ssh's own words", async () => {
  const error = await errorOf(clientMaker({ ssh: "no-such-host.invalid" })().list({ ended: false }));

  expect([error.code, error.message]).toEqual([
    "PLACE_UNREACHABLE",
    expect.stringContaining("Could not resolve hostname"),
  ]);
});

/** A connection that notices a dead link soon, and not a busy machine. */
async function impatient(place: SshPlace): Promise<HostConnection> {
  const stream = await openLink({
    place: "test",
    way: await waysTo(placeOf(place.setting, {}), place.stateDirectory).next(),
    cache: temporaryDirectory(),
    mayStart: true,
  });
  if (!stream) throw new Error("No host runs.");
  const connection = await HostConnection.open(
    stream,
    {},
    { ...FAR_LINK, keepAlive: { everyMs: 1_000, maxMissed: 5 } },
  );
  onTestFinished(() => connection.close());
  return connection;
}

here("a server that is stopped is noticed, and the next call has another connection", async () => {
  const place = await sshPlace();
  const client = place.client();
  const { id } = await startSession(client, { command: "exec cat", shell: "/bin/sh" });
  client.disconnect();
  const connection = await impatient(place);
  const stopped = place.connections()[0] as number;
  process.kill(stopped, "SIGSTOP");
  onTestFinished(() => kill(stopped));

  const error = await errorOf(connection.call("list", { ended: false }));

  expect(error.code).toBe("LINK_LOST");
  // The control master of the dead connection has ended with it.
  await until(() => place.connections().length === 1, "the first connection remains, stopped", LINK_MS);
  const later = place.client();
  await until(
    async () => (await later.running()).some((session) => session.id === id),
    "the session is there",
    LINK_MS,
  );
  await expect.poll(() => place.connections().length).toBe(2);
});

here("a server that is killed ends pending calls with an unknown outcome", async () => {
  const place = await sshPlace();
  const client = place.client();
  const { id } = await startSession(client, { command: "exec cat", shell: "/bin/sh" });
  const writing = errorOf(client.write(id, "x".repeat(300_000)));

  for (const connection of place.connections()) for (const pid of [connection, ...childrenOf(connection)]) kill(pid);
  const error = await writing;

  expect([error.code, error.message]).toEqual(["LINK_LOST", expect.stringContaining("its outcome is unknown")]);
  expect((await client.running()).map((session) => session.id)).toEqual([id]);
});

test.skipIf(!needs("sshd", "ssh-keygen", "ssh-agent"))(
  "nothing is forwarded and no other command runs, whatever the user's configuration says",
  async () => {
    const folder = temporaryDirectory();
    const agent = join(folder, "agent");
    const { pid } = spawn("ssh-agent", ["-D", "-a", agent], { stdio: "ignore" });
    onTestFinished(() => kill(pid));
    await until(() => existsSync(agent), "the agent listens", LINK_MS);
    const [remote, local] = [await freePort(), await freePort()];
    const greedy = ["ForwardAgent yes", `IdentityAgent ${agent}`, `RemoteForward 127.0.0.1:${remote} 127.0.0.1:1`];
    const place = await sshPlace({
      clientSettings: [
        ...greedy,
        `LocalForward 127.0.0.1:${local} 127.0.0.1:1`,
        "ForwardX11 yes",
        "RequestTTY force",
        "RemoteCommand echo other",
        "PermitLocalCommand yes",
        `LocalCommand touch ${join(folder, "touched")}`,
      ],
    });
    const look = `echo "\${SSH_AUTH_SOCK-none} \${DISPLAY-none}"; (exec 3<>/dev/tcp/127.0.0.1/${remote}) 2>&1`;
    const tame = ["RemoteCommand=none", "PermitLocalCommand=no", "RequestTTY=no", "ClearAllForwardings=yes"];
    const options = tame.flatMap((setting) => ["-o", setting]);
    const bare = spawnSync("ssh", ["-F", place.config, ...options, "zoo", "echo $SSH_AUTH_SOCK"]);

    const run = { command: look, shell: "main", fresh: { shell: "/bin/bash" } };
    const { command } = await place.client().turn({ caller: "test", on: { kind: "run", run } });

    expect(bare.stdout.toString()).toContain("/agent.");
    expect(command?.output).toContain("none none\n");
    expect(command?.output).toContain("Connection refused");
    expect(existsSync(join(folder, "touched"))).toBe(false);
    await expect.poll(() => place.connections().length).toBe(1);
  },
);

function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended.
  }
}
