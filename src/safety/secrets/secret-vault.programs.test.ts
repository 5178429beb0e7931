import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { runSecretCommand } from "./run-secret-command.ts";
import type { SecretSource } from "./secret-source.ts";
import { SecretStore } from "./secret-store.ts";
import { SecretVault } from "./secret-vault.ts";

const VALUE = "hunter2-Xy";
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "limpet-secrets-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

function open(configured: Readonly<Record<string, SecretSource>> = {}, env: NodeJS.ProcessEnv = process.env) {
  const store = new SecretStore({ directory: join(folder, "secrets"), env });
  return { store, vault: new SecretVault({ store, configured: () => configured, env }) };
}

/** What the promise rejects with, and that it does not say the value. */
async function refusal(promise: Promise<unknown>): Promise<string> {
  const error = await promise.then(
    () => new Error("it was not refused"),
    (reason: unknown) => reason as Error & { code?: string },
  );
  expect(JSON.stringify([error.message, error.stack, error.cause])).not.toContain(VALUE);
  return `${(error as { code?: string }).code}: ${error.message}`;
}

test("a stored secret is in a file that only its user can read", async () => {
  const { store, vault } = open();

  await store.set("sudo", VALUE, "file");

  expect(await vault.read("sudo")).toBe(VALUE);
  expect(await vault.list()).toEqual([{ name: "sudo", from: "store" }]);
  expect(statSync(join(folder, "secrets")).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, "secrets/sudo")).mode & 0o777).toBe(0o600);
  expect(readdirSync(join(folder, "secrets"))).toEqual(["sudo"]);
});

test("setting it again replaces it, and removing it leaves nothing", async () => {
  const { store, vault } = open();
  await store.set("sudo", VALUE, "file");
  await store.set("sudo", "another one", "file");

  expect(await vault.read("sudo")).toBe("another one");
  expect(await store.remove("sudo")).toBe(true);
  expect(await store.remove("sudo")).toBe(false);
  expect(readdirSync(join(folder, "secrets"))).toEqual([]);
});

test("a stored file that others could read is refused", async () => {
  const { store, vault } = open();
  await store.set("sudo", VALUE, "file");
  chmodSync(join(folder, "secrets/sudo"), 0o644);

  expect(await refusal(vault.read("sudo"))).toMatch(
    /^SECRET_UNAVAILABLE: .* is not a small file that only you can read/,
  );
});

test("the keyring is used through secret-tool", async () => {
  const tool = join(folder, "secret-tool");
  const script = `#!/bin/sh\nd=${folder}/ring\nfor last; do :; done\ncase $1 in\nstore) cat > $d.$last ;;\nlookup) cat $d.$last ;;\nclear) rm $d.$last ;;\nesac\n`;
  writeFileSync(tool, script, { mode: 0o755 });
  const { store, vault } = open({}, { ...process.env, PATH: `${folder}:${process.env["PATH"]}` });

  await store.set("db", VALUE, "keyring");

  expect(readFileSync(join(folder, "ring.db"), "utf8")).toBe(VALUE);
  expect(readFileSync(join(folder, "secrets/db.keyring"), "utf8")).toBe("");
  expect(await vault.list()).toEqual([{ name: "db", from: "keyring" }]);
  expect(await vault.read("db")).toBe(VALUE);
  expect(await store.remove("db")).toBe(true);
  expect(readdirSync(folder).filter((name) => name.startsWith("ring"))).toEqual([]);
});

test("a command, a file and a variable are read at the moment of use", async () => {
  const file = join(folder, "token");
  const { vault } = open(
    { cmd: { command: ["printf", "%s\\n", VALUE] }, file: { file }, env: { env: "MY_TOKEN" } },
    { ...process.env, MY_TOKEN: VALUE },
  );
  writeFileSync(file, `${VALUE}\r\n`);

  expect(await Promise.all(["cmd", "file", "env"].map((name) => vault.read(name)))).toEqual([VALUE, VALUE, VALUE]);
  expect((await vault.list()).map(({ from }) => from)).toEqual(["command", "env", "file"]);
});

test.each([
  [{ command: ["sh", "-c", `echo ${VALUE}; echo ${VALUE} >&2; exit 3`] }, "SECRET_UNAVAILABLE: sh exited with code 3"],
  [{ command: ["no-such-program-here"] }, "SECRET_UNAVAILABLE: no-such-program-here exited with code 127"],
  [{ command: ["sh", "-c", "kill -9 $$"] }, "SECRET_UNAVAILABLE: sh was killed by SIGKILL"],
  [{ command: ["yes", VALUE] }, "SECRET_UNAVAILABLE: yes printed more than 32768 bytes"],
  [{ command: ["true"] }, "BAD_SECRET: The secret it is empty"],
  [{ command: ["printf", `${VALUE}\\377`] }, "BAD_SECRET: The secret it is not UTF-8 text"],
  [{ command: ["printf", `${VALUE}\\0`] }, "BAD_SECRET: The secret it contains a NUL byte"],
  [{ file: "/no/such/file" }, "SECRET_UNAVAILABLE: /no/such/file cannot be read (ENOENT)"],
  [{ file: "/dev/zero" }, "SECRET_UNAVAILABLE: /dev/zero cannot be read (not a regular file)"],
  [{ env: "NO_SUCH_VARIABLE" }, "SECRET_UNAVAILABLE: The variable NO_SUCH_VARIABLE is not set in the host"],
] as const)("%j fails without saying the value", async (source, message) => {
  expect(await refusal(open({ it: source as SecretSource }).vault.read("it"))).toContain(message);
});

test("a command that takes too long is ended, with what it started", async () => {
  const started = join(folder, "pid");
  const command = ["sh", "-c", `sleep 600 & echo $! > ${started}; wait`];

  // Far longer than a shell takes to start something.
  expect(await refusal(runSecretCommand({ command, env: process.env, limitMs: 5_000 }))).toContain(
    "took longer than 5 s",
  );

  await expect.poll(() => readdirSync("/proc").includes(readFileSync(started, "utf8").trim())).toBe(false);
});

test("an unknown name is refused with the known ones", async () => {
  const { vault, store } = open({ github: { env: "X" } });
  await store.set("sudo", VALUE, "file");

  expect(await refusal(vault.read("gihub"))).toContain("SECRET_NOT_FOUND: Unknown secret gihub (known: github).");
  expect(await refusal(vault.read("zzz"))).toContain("(known: github, sudo)");
});

test.each(["../etc/passwd", "a/b", "", ".hidden", "a b", "-rf", "x".repeat(65)])("%j is not a name", async (name) => {
  expect(await refusal(open().vault.read(name))).toMatch(/^BAD_OPTION: .* is not the name of a secret/);
});

test("a link in place of a stored file is followed only to a private file", async () => {
  const { store, vault } = open();
  await store.set("sudo", VALUE, "file");
  symlinkSync("/etc/passwd", join(folder, "secrets/link"));

  expect(await refusal(vault.read("link"))).toMatch(/^SECRET_UNAVAILABLE/);
});
