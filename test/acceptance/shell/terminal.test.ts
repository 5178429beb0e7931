/** Programs that take the terminal for themselves or run others with other rights, within a command. */
import { execFileSync } from "node:child_process";
import { describe, expect, test, vi } from "vitest";
import { guardEveryCase } from "../../support/case-guard.ts";
import { needs } from "../../support/needs.ts";
import { codeOf } from "../../support/sessions.ts";
import { inEveryShell, told, withShell } from "../../support/shells.ts";
import { LONG_MS } from "../../support/watching.ts";

// Each test does the same in every shell, one after the other.
vi.setConfig({ testTimeout: 180_000 });
guardEveryCase();

const printed = (output: string, exitCode = 0) => ({ output, exitCode });
/** What a terminal has that nobody has touched, as far as the shell depends on it. */
const SANE = "stty -a | tr ' ;' '\\n\\n' | grep -x -e echo -e icanon -e isig -e opost | sort | tr '\\n' ' '";
const sane = printed("echo icanon isig opost ");

/** By path: busybox has programs of its own by these names. */
const pathOf = (name: string) => execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
const asNobody = (name: string) => `${pathOf("setpriv")} --reuid=65534 --regid=65534 --clear-groups ${pathOf(name)}`;

describe.skipIf(!needs("root", "sudo"))("sudo", () => {
  test("asks for nothing if it need not, and its program has its own result", async () => {
    await inEveryShell(async (_, run) => {
      expect(await run("sudo -k -u nobody id -un")).toEqual(printed("nobody\n"));
      expect(await run("sudo -u nobody sh -c 'exit 7'")).toEqual(printed("", 7));
      expect(await run(SANE)).toEqual(sane);
    });
  });

  test("waits for input only when its program does", async () => {
    await inEveryShell(async (sh, run) => {
      const asked = await run("sudo -u nobody sh -c 'sleep 0.2; echo ready; read x; echo \"[$x]\"'");
      expect(asked).toMatchObject({ output: "ready\n", isRunning: true });
      await sh.write("word\n");
      expect(told(await sh.wait({ timeoutMs: LONG_MS }))).toEqual(printed("ready\nword\n[word]\n"));
    });
  });

  test("refuses a wrong password, and Ctrl+C is the way out", async () => {
    await inEveryShell(async (sh, run) => {
      expect(await run(`${asNobody("sudo")} -k true`)).toMatchObject({ waitingFor: "password" });
      await sh.write("wrong\n");
      const again = told(await sh.wait({ deadlineMs: LONG_MS }));
      expect(again).toMatchObject({ waitingFor: "password", output: expect.stringContaining("try again") });
      expect(again.output).not.toContain("wrong");
      await sh.write("\x03");
      expect(told(await sh.wait({ timeoutMs: LONG_MS }))).toMatchObject({ exitCode: 1 });
      expect(await run(SANE)).toEqual(sane);
    });
  });
});

test.skipIf(!needs("script"))("script waits for input only when its program does", async () => {
  await inEveryShell(async (sh, run) => {
    const asked = await run(`${pathOf("script")} -q -c 'sleep 0.2; echo ready; read x; echo "[$x]"' /dev/null`);
    expect(asked).toMatchObject({ output: "ready\n", isRunning: true, waitingFor: "line" });
    await sh.write("word\n");
    expect(told(await sh.wait({ timeoutMs: LONG_MS })).output).toMatch(/^ready\nword\n\[word\]\n$/);
  });
});

test.skipIf(!needs("root"))("su refuses a wrong password, and the shell keeps working", async () => {
  await inEveryShell(async (sh, run) => {
    expect(await run(`${asNobody("su")} -c true`)).toMatchObject({ waitingFor: "password" });
    await sh.write("wrong\n");
    const refused = told(await sh.wait({ timeoutMs: LONG_MS }));
    expect(refused).toMatchObject({ exitCode: 1, output: expect.stringContaining("failure") });
    expect(await run(SANE)).toEqual(sane);
  });
});

test("a shell that TMOUT ends between two commands is reported as ended", async () => {
  await withShell({ shell: "bash" }, async (sh, run) => {
    await run("TMOUT=1");
    await sh.session.exited;
    expect(await codeOf(sh.run("echo alive"))).toBe("SESSION_ENDED");
  });
});
