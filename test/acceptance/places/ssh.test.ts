/** A host behind a real sshd on the loopback address. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSession, waitForSession } from "../../../src/service/turn/simple-turns.ts";
import { needs } from "../../support/needs.ts";
import { sshPlace } from "../../support/places/ssh-place.ts";
import { errorOf } from "../../support/sessions.ts";

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

here("an unknown host key is refused in ssh's own words, and nothing is accepted on the way", async () => {
  const place = await sshPlace({ hostKeys: "none" });

  const error = await errorOf(place.client().list({ ended: false }));

  expect([error.code, error.message]).toEqual([
    "PLACE_UNREACHABLE",
    expect.stringContaining("Host key verification failed"),
  ]);
  expect(readdirSync(join(place.home, ".."))).not.toContain("known");
});

here("a changed host key is refused with its fingerprint, and the known one stays", async () => {
  const place = await sshPlace({ hostKeys: "wrong" });
  const known = join(place.home, "../known");
  const before = readFileSync(known, "utf8");

  const error = await errorOf(place.client().list({ ended: false }));

  expect(error.code).toBe("PLACE_UNREACHABLE");
  expect(error.message).toContain("REMOTE HOST IDENTIFICATION HAS CHANGED");
  expect(error.message).toContain("SHA256:");
  expect(readFileSync(known, "utf8")).toBe(before);
});

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

here("with one session per connection, two clients and a status have connections of their own", async () => {
  const place = await sshPlace({ settings: ["MaxSessions 1"] });
  const [one, other] = [place.client(), place.client()];

  const answers = await Promise.all([one, other].map((client) => client.turn(echo)));
  const status = await one.hostStatus();

  expect(answers.map(({ command }) => command?.exitCode)).toEqual([0, 0]);
  expect(status?.clients).toBe(3);
});
