/** A host behind a real sshd on the loopback address. */
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { connectPlace } from "../../../src/places/connect-place.ts";
import type { NodeProgress } from "../../../src/places/node/bring-node.ts";
import { placeOf } from "../../../src/places/place-address.ts";
import { startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { needs } from "../../support/needs.ts";
import { type SshPlace, sshPlace } from "../../support/places/ssh-place.ts";
import { errorOf, isLong } from "../../support/sessions.ts";

// Several programs each, on a machine that does much else.
vi.setConfig({ testTimeout: 180_000 });

const here = test.skipIf(!needs("sshd", "ssh-keygen"));
const CALLER = "test";
const echo = { caller: CALLER, on: { kind: "run", run: { command: "echo out; pwd", shell: "main" } } } as const;

here("a key logs in, and a command has its output and a prompt for a password is known there", async () => {
  const place = await sshPlace();
  const client = place.client();

  const { command } = await client.turn(echo);
  const { id } = await startSession(client, { command: "read -rsp 'Password: ' x", shell: "/bin/bash" });
  const { result } = await waitForSession(client, { keys: [id], deadlineMs: 30_000 });

  expect(command?.output).toBe(`out\n${place.home}\n`);
  expect(result).toMatchObject({ reason: "input", waitingFor: "password" });
});

/** ssh itself names only the fingerprint of the new key. */
const KNOWN = "The known key is SHA256:";
const REFUSED_KEYS = {
  none: ["Host key verification failed"],
  wrong: ["REMOTE HOST IDENTIFICATION HAS CHANGED", "SHA256:", "Host key verification failed", KNOWN],
  revoked: ["REVOKED HOST KEY DETECTED"],
  "other type": ["Offending ECDSA key", "SHA256:", KNOWN],
} as const;

here.each(Object.entries(REFUSED_KEYS))(
  "a host key is refused in ssh's own words, and nothing is learnt on the way, if the known one is: %s",
  async (hostKeys, words) => {
    const place = await sshPlace({ hostKeys: hostKeys as keyof typeof REFUSED_KEYS });
    const known = join(place.home, "../known");
    const read = () => (existsSync(known) ? readFileSync(known, "utf8") : null);
    const before = read();

    const error = await errorOf(place.client().list({ ended: false }));

    expect(error.code).toBe("PLACE_UNREACHABLE");
    for (const word of words) expect(error.message).toContain(word);
    expect(read()).toBe(before);
  },
);

here("a login that is refused is reported in ssh's own words", async () => {
  const place = await sshPlace({ settings: ["PubkeyAuthentication no", "PasswordAuthentication no"] });

  const error = await errorOf(place.client().list({ ended: false }));

  expect([error.code, error.message]).toEqual(["PLACE_UNREACHABLE", expect.stringContaining("Permission denied")]);
});

const SHELLS = {
  "a noisy shell": 'ForceCommand echo Welcome; echo noise >&2; exec /bin/sh -c "$SSH_ORIGINAL_COMMAND"',
  "a shell that prints its commands": 'ForceCommand exec /bin/sh -xvc "$SSH_ORIGINAL_COMMAND"',
  fish: 'ForceCommand exec fish -c "$SSH_ORIGINAL_COMMAND"',
  csh: 'ForceCommand exec csh -c "$SSH_ORIGINAL_COMMAND"',
  zsh: 'ForceCommand exec zsh -c "$SSH_ORIGINAL_COMMAND"',
};

test.skipIf(!needs("sshd", "ssh-keygen", "fish", "csh", "zsh")).each(Object.entries(SHELLS))(
  "%s as login shell passes the bootstrap on",
  async (_shell, setting) => {
    const place = await sshPlace({ settings: [setting] });

    const { command } = await place.client().turn(echo);

    expect(command?.output).toBe(`out\n${place.home}\n`);
  },
);

here("a jump host of the user's configuration is used", async () => {
  const place = await sshPlace({ clientSettings: ["ProxyJump hop"] });

  const { command } = await place.client().turn(echo);

  expect(command?.output).toBe(`out\n${place.home}\n`);
  await expect.poll(() => place.connections().length).toBe(2);
});

/** Behind ssh, the usual places of Node are empty. */
function withoutNode(): Promise<SshPlace> {
  const known = ["/usr/bin/node", "/usr/bin/nodejs", "/usr/local/bin/node"].filter((path) => existsSync(path));
  const hidden = [...new Set(known.map((path) => realpathSync(path)))].map((path) => `--ro-bind /dev/null ${path}`);
  return sshPlace({
    settings: [`ForceCommand exec bwrap --dev-bind / / ${hidden.join(" ")} /bin/sh -c "$SSH_ORIGINAL_COMMAND"`],
    path: "/usr/bin:/bin",
  });
}

// It sends 30 MB.
test.skipIf(!needs("sshd", "ssh-keygen", "bwrap") || !isLong)(
  "bringNode sends the Node of this machine compressed, once, named by its checksum",
  async () => {
    const place = await withoutNode();
    const setting = { ...place.setting, bringNode: true } as typeof place.setting;
    const sent: NodeProgress[] = [];
    const client = connectPlace({
      place: placeOf(setting, {}),
      stateDirectory: place.stateDirectory,
      onProgress: (progress) => void sent.push(progress),
    });
    onTestFinished(() => client.disconnect());

    const { command } = await client.turn(echo);
    // Without bringNode: it is found there.
    const again = await place.client().turn(echo);
    const nodes = join(place.home, ".local/share/limpet/node");
    const [hash = ""] = readdirSync(nodes);
    const { size } = statSync(process.execPath);

    expect([command?.output, again.command?.output]).toEqual([`out\n${place.home}\n`, `out\n${place.home}\n`]);
    expect(readdirSync(nodes)).toEqual([createHash("sha256").update(readFileSync(process.execPath)).digest("hex")]);
    expect(statSync(join(nodes, hash, "node"))).toMatchObject({ size, mode: 0o100700 });
    expect(sent.at(-1)?.sentBytes).toBe(sent.at(-1)?.totalBytes);
    expect(sent.at(-1)?.totalBytes).toBeLessThan(size / 2);
  },
);

test.skipIf(!needs("sshd", "ssh-keygen", "bwrap"))(
  "a machine without Node is refused with what to install",
  async () => {
    const place = await withoutNode();

    const error = await errorOf(place.client().list({ ended: false }));

    expect([error.code, error.message]).toEqual(["PLACE_NO_NODE", expect.stringContaining("has no Node")]);
  },
);

here("with one session per connection, two clients and a status have connections of their own", async () => {
  const place = await sshPlace({ settings: ["MaxSessions 1"] });
  const [one, other] = [place.client(), place.client()];

  const answers = await Promise.all([one, other].map((client) => client.turn(echo)));
  const status = await one.hostStatus();

  expect(answers.map(({ command }) => command?.exitCode)).toEqual([0, 0]);
  expect(status?.clients).toBe(3);
});
