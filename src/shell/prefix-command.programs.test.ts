import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { SHELLS, withShell } from "../../test/support/shells.ts";
import { prefixCommand } from "./prefix-command.ts";

const NAME = 'it\'s a "dir" $HOME `x` !é💥\nnext';

test.each(SHELLS)("a command runs in the directory and with the variables that it was given: %s", async (shell) => {
  const base = await realpath(await mkdtemp(join(tmpdir(), "limpet-prefix-")));
  const cwd = await mkdtemp(join(base, NAME));
  const env = { ONE: "a'b\\n\nc", TWO: "$ONE" };
  try {
    await withShell({ shell }, async (_shell, run) => {
      const whole = await run(
        prefixCommand('pwd; printf "%s|" "$ONE" "$TWO"; env | grep -c "^TWO=" # all', { cwd, env }),
      );
      const later = await run("pwd; echo $TWO");
      const several = await run(prefixCommand("cat <<END\nhere\nEND\nfalse", { cwd: "/" }));
      const missing = await run(prefixCommand("echo never", { cwd: join(base, "none") }));

      expect(whole).toEqual({ output: `${cwd}\n${env.ONE}|${env.TWO}|1\n`, exitCode: 0 });
      expect(later).toEqual({ output: `${cwd}\n$ONE\n`, exitCode: 0 });
      expect(several).toEqual({ output: "here\n", exitCode: 1 });
      expect(missing.exitCode).not.toBe(0);
      expect(missing.output).not.toContain("never");
      expect((await run("pwd")).output).toBe("/\n");
    });
  } finally {
    await rm(base, { recursive: true });
  }
});
