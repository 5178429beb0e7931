/** The output that is streamed to a caller while a command runs. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunOptions, Shell } from "../../../src/entries/shell.ts";
import { guardEveryCase } from "../../support/case-guard.ts";
import { skipWithout } from "../../support/needs.ts";
import { outputHas } from "../../support/sessions.ts";
import { SHELLS, withShell } from "../../support/shells.ts";
import { temporaryDirectory } from "../../support/watching.ts";

guardEveryCase();

/** All that was heard of a command, in one piece, and the raw output of the session that it stands for. */
async function hear(shell: Shell, command: string, options: RunOptions = {}) {
  const pieces: string[] = [];
  const result = await shell.run(command, { timeoutMs: 15_000, ...options, onOutput: (text) => pieces.push(text) });
  const page = await shell.session.read({ from: result.from, maxBytes: Math.max(1, result.to - result.from) });
  return { result, heard: pieces.join(""), kept: Buffer.from(page.bytes).toString("utf8") };
}

describe.each(SHELLS)("in %s", (shell) => {
  skipWithout(shell);

  test("every byte is streamed in order, without our marks and without earlier output of jobs", async () => {
    await withShell({ shell }, async (sh) => {
      for (let round = 0; round < 10; round += 1) {
        const { heard } = await hear(sh, `echo one; echo two >&2; printf 'ü世${round}'`);
        expect(heard).toBe(`one\r\ntwo\r\nü世${round}`);
      }
      const go = join(temporaryDirectory(), "go");
      await sh.run(`(until [ -e ${go} ]; do sleep 0.05; done; echo late) & :`);
      await writeFile(go, "");
      await outputHas(sh.session, "late\r\n");
      expect((await hear(sh, "echo next")).heard).toBe("next\r\n");
      expect((await hear(sh, "true")).heard).toBe("");
      expect((await hear(sh, "printf '\\303'")).heard).toBe("\ufffd");
    });
  });

  test("with a separate stderr each stream is complete and in order", async () => {
    await withShell({ shell }, async (sh) => {
      const both = "for i in 1 2 3 4 5 6 7 8 9; do echo out$i; echo err$i >&2; done; printf o; printf e >&2";
      const { heard, kept, result } = await hear(sh, both, { splitStderr: true });
      expect(heard).toBe(kept);
      const digits = Array.from("123456789");
      expect(result.stdout).toBe(`${digits.map((digit) => `out${digit}\n`).join("")}o`);
      expect(result.stderr).toBe(`${digits.map((digit) => `err${digit}\n`).join("")}e`);
    });
  });

  test("a flood is streamed completely", async () => {
    await withShell({ shell }, async (sh) => {
      const { heard } = await hear(sh, "seq 100000");
      expect(heard === Array.from({ length: 100_000 }, (_, index) => `${index + 1}\r\n`).join("")).toBe(true);
    });
  });

  test("output is streamed while the command runs, and a listener that throws does no harm", async () => {
    await withShell({ shell }, async (sh) => {
      const heard: string[] = [];
      const asked = await sh.run("echo first; cat >/dev/null; echo last", { onOutput: (text) => heard.push(text) });
      expect({ waitingFor: asked.waitingFor, heard: heard.join("") }).toEqual({
        waitingFor: "line",
        heard: "first\r\n",
      });
      await sh.write("\x04");
      const throws = () => {
        throw new Error("no");
      };
      expect((await sh.wait({ timeoutMs: 10_000, onOutput: throws })).output).toBe("first\nlast\n");
    });
  });
});
