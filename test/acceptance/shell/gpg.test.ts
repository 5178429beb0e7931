/**
 * gpg asks for a passphrase through its agent: a program outside of the shell's session draws the prompt and reads the
 * shell's terminal. The shell survives it, whatever becomes of the prompt.
 */
import { execFileSync } from "node:child_process";
import { chmodSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openShell, type Shell } from "../../../src/entries/shell.ts";
import { skipTestWithout, skipWithout } from "../../support/needs.ts";
import { codeOf, isLong, outputHas, until } from "../../support/sessions.ts";
import { SHELLS } from "../../support/shells.ts";
import { temporaryDirectory } from "../../support/watching.ts";

const PATIENCE_MS = 30_000;
/** A busy machine can take long to start the agent. */
const PROMPT_MS = 60_000;
const PASSPHRASE = "correct horse 1 battery";

interface Gpg {
  readonly shell: Shell;
  /** Encrypts a file with a passphrase, and prints how that went. */
  readonly command: string;
}

/** A shell whose gpg has a home and an agent of its own. */
async function openWithGpg(shell: string, pinentry: string): Promise<Gpg> {
  skipTestWithout("gpg", pinentry);
  const home = temporaryDirectory();
  chmodSync(home, 0o700);
  writeFileSync(join(home, "gpg-agent.conf"), `pinentry-program /usr/bin/${pinentry}\n`);
  writeFileSync(join(home, "text"), "text\n");
  const opened = await openShell({ shell, env: { GNUPGHOME: home } });
  onTestFinished(async () => {
    await opened[Symbol.asyncDispose]();
    execFileSync("gpgconf", ["--homedir", home, "--kill", "all"]);
  });
  await opened.run("export GPG_TTY=$(tty)");
  const command = `gpg -q --no-symkey-cache -o '${home}/out' -c '${home}/text'; echo "gpg: $?"`;
  return { shell: opened, command };
}

async function expectAlive(shell: Shell): Promise<void> {
  expect(await shell.run("echo alive", { timeoutMs: PATIENCE_MS })).toMatchObject({ output: "alive\n", exitCode: 0 });
}

describe.each(isLong ? SHELLS : SHELLS.slice(0, 1))("in %s", (name) => {
  skipWithout(name);

  test("a passphrase is asked for and answered in the terminal", { timeout: 3 * PROMPT_MS }, async () => {
    const { shell, command } = await openWithGpg(name, "pinentry-tty");
    const ask = { deadlineMs: PROMPT_MS };

    const asked = await shell.run(command, ask);
    await shell.write(`${PASSPHRASE}\n`);
    const again = await shell.wait(ask);
    await shell.write(`${PASSPHRASE}\n`);
    const ended = await shell.wait(ask);

    expect([asked.waitingFor, again.waitingFor]).toEqual(["password", "password"]);
    expect(ended).toMatchObject({ exitCode: 0, output: expect.stringContaining("gpg: 0\n") });
    await expectAlive(shell);
  });

  test.each(["pinentry-curses", "pinentry-tty"])(
    "an interrupt at the prompt of %s gives the shell back",
    { timeout: 3 * PROMPT_MS },
    async (pinentry) => {
      const { shell, command } = await openWithGpg(name, pinentry);
      const waiting = shell.run(command, { timeoutMs: PROMPT_MS });
      await until(() => shell.session.terminalMode?.isEchoing === false, "the prompt is there", PROMPT_MS);
      expect(await codeOf(shell.run("echo between", { deadlineMs: 5_000 }))).toBe("SHELL_BUSY");
      await waiting.catch(() => undefined);

      await shell.interrupt();

      expect(await shell.wait({ timeoutMs: PATIENCE_MS })).toMatchObject({ isRunning: false, shellExit: null });
      await expectAlive(shell);
    },
  );

  test("a time limit at the prompt gives the shell back", { timeout: 3 * PROMPT_MS }, async () => {
    const { shell, command } = await openWithGpg(name, "pinentry-curses");
    const noise = join(temporaryDirectory(), "noise");
    const isThere = `[ -e '${noise}' ]`;
    const job = `(until ${isThere}; do sleep 0.05; done; while ${isThere}; do echo noise; done) &`;
    const asked = await shell.run(`${job} ${command}`, { deadlineMs: PROMPT_MS });
    writeFileSync(noise, "");
    await outputHas(shell.session, "noise");

    // Without the noise, each of these waits would end because the prompt is there.
    let ended = asked;
    for (let tries = 0; tries < 1_000 && !ended.timedOut; tries += 1) ended = await shell.wait({ timeoutMs: 1 });
    rmSync(noise);
    const isSilent = async () => (await shell.state()).jobs.every(({ name: program }) => program === "gpg-agent");
    await until(isSilent, "the noise is over", PATIENCE_MS);

    expect(asked).toMatchObject({ isRunning: true, waitingFor: expect.any(String) });
    expect(ended).toMatchObject({ timedOut: true, isRunning: false, shellExit: null });
    await expectAlive(shell);
  });
});
