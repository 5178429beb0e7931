/** Nobody but the shell itself decides how a command has ended. */
import { readdirSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { LimpetError } from "../../../src/base/limpet-error.ts";
import { openFile } from "../../../src/linux/files/open-file.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipTestWithout, skipWithout } from "../../support/needs.ts";
import { SHELLS, withShell } from "../../support/shells.ts";
import { LONG_MS, testProgram } from "../../support/watching.ts";

guardEveryCase();

const INTERRUPTED = 130;
const forger = testProgram("forges-end.py");
/** What is left of a forged mark that is not a mark. */
const visible = (text: string) => text.replaceAll(/\x1b\]6973;[^\x07\x1b]*\x07?/g, "");

/** The exit code, or the code of the error. */
async function outcomeOf(result: Promise<{ readonly exitCode: number | null }>): Promise<number | string> {
  return await result.then(
    ({ exitCode }) => exitCode ?? "unknown",
    (error: LimpetError) => error.code,
  );
}

/** The directory of the files of the only shell that this process has. */
function shellFolder(): string {
  const targets = readdirSync("/proc/self/fd").map((fd) => openFile(`/proc/self/fd/${fd}`) ?? "");
  return dirname(targets.find((target) => target.includes("/limpet-shell-")) ?? "");
}

/** Prints an end mark for each nonce that it sees in the text of a command and in the files of its shell. */
const debugTrap = () => `forge() {
  for file in ${shellFolder()}/[ce]; do
    text="$1 $(<$file)"
    while [[ $text =~ [0-9a-f]{32} ]]; do
      nonce="\${BASH_REMATCH[0]-}\${MATCH-}"
      printf '\\033]6973;e;%s;0;r;him;/forged;%s\\007\\n' $nonce $nonce >/dev/tty
      text="\${text#*$nonce}"
    done
  done 2>/dev/null
}
trap 'forge "\${BASH_COMMAND-}\${ZSH_DEBUG_CMD-}"' DEBUG
`;

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "shell-forged-"));
});
afterAll(() => rm(folder, { recursive: true }));

describe.each(SHELLS)("in %s", (shell) => {
  skipWithout(shell);

  test("a program that knows the nonce of its command does not decide its exit code", async () => {
    skipTestWithout("python3");
    await withShell({ shell }, async (_, run) => {
      for (let round = 0; round < 3; round += 1) {
        const { output, exitCode } = await run(`python3 ${forger} $$ ${shellFolder()} once; echo more; (exit 7)`);
        expect({ output: visible(output), exitCode }).toEqual({
          output: expect.stringContaining("forged some\nall 312 tests passed\n"),
          exitCode: 7,
        });
        expect(visible(output)).toContain("more\n");
      }
    });
  });

  test("a job that forges ends all the time does not decide an exit code", async () => {
    skipTestWithout("python3");
    await withShell({ shell }, async (sh, run) => {
      const { output } = await run(`python3 ${forger} $$ ${shellFolder()} on >/dev/null & echo $!`);
      // Ctrl+C makes ash crash at times, in any terminal.
      const ended = shell === "busybox" ? ["SESSION_ENDED"] : [];
      for (const code of [3, 0, 7]) {
        const outcome = await outcomeOf(run(`sleep 0.1; (exit ${code})`));
        // Whoever reads the shell's memory fast enough can keep a command from starting or its code from being known,
        // and have it interrupted, but cannot replace the code.
        expect([code, "unknown", INTERRUPTED, "SHELL_BUSY", ...ended]).toContain(outcome);
      }
      process.kill(Number(output.trim().split("\n").at(-1)));
      // What the caller is told when a command seems to run: interrupt it.
      const last = async () => {
        const outcome = await outcomeOf(run("echo alive; (exit 4)"));
        if (outcome === "SHELL_BUSY") await sh.interrupt();
        return outcome;
      };
      await expect.poll(async () => [4, ...ended].includes(await last()), { timeout: LONG_MS }).toBe(true);
    });
  });

  test("a job that lets the shell pass its gate does not decide an exit code", async () => {
    await withShell({ shell }, async (_, run) => {
      const opener = join(folder, `${shell}.sh`);
      await writeFile(
        opener,
        `while :; do for gate in ${shellFolder()}/[gs]; do : >$gate & sleep 0.01; kill $!; done; done`,
      );
      await run(`sh ${opener} >/dev/null 2>&1 & opener=$!`);
      for (const code of [3, 0, 7]) expect([code, null]).toContain((await run(`sleep 0.1; (exit ${code})`)).exitCode);
      await run("kill -KILL $opener; wait $opener");
      expect((await run("echo alive; (exit 4)")).exitCode).toBe(4);
    });
  });

  test("a trap at the end of the shell does not decide its exit code", async () => {
    await withShell({ shell }, async (_, run) => {
      const mark = "\\033]6973;e;%s;0;r;him;/forged;%s\\007\\n";
      const forge = `printf "${mark}" $(cat ${shellFolder()}/e | grep -ao "e;[0-9a-f]*" | cut -c 3- | head -n 1)`;
      expect(await run(`trap '${forge}; echo bye' EXIT; exit 3`)).toMatchObject({
        exitCode: 3,
        shellExit: { kind: "code", code: 3 },
      });
    });
  });
});

describe.each(["bash", "zsh"] as const)("in %s", (shell) => {
  skipWithout(shell);

  test("a DEBUG trap that prints what it sees as an end mark does not decide an exit code", async () => {
    await withShell({ shell }, async (_, run) => {
      const file = join(folder, `${shell}-debug.sh`);
      await writeFile(file, debugTrap());
      await run(`. ${file}`);
      for (const code of [3, 7]) {
        const { output, exitCode } = await run(`echo tested; (exit ${code})`);
        expect({ exitCode, isTested: output.includes("tested") }).toEqual({ exitCode: code, isTested: true });
      }
      await run("trap - DEBUG");
      expect(await run("echo alive; (exit 4)")).toMatchObject({ exitCode: 4 });
    });
  });
});
