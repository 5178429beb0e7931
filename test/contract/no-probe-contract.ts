import { describe, expect, test } from "vitest";
import { openSession } from "../../src/entries/session.ts";
import { openShell } from "../../src/entries/shell.ts";
import { DEADLINE_MS, type Opening, type Scenarios } from "./scenarios.ts";

/** What a session makes of a transport whose channels have no probe. */
export function describeWithoutProbe(name: string, scenarios: Scenarios): void {
  describe(`a session on ${name}`, () => {
    const start = (opening: Opening) =>
      openSession({ program: "scenario", ...opening.options, transport: opening.transport });

    test("waits by silence and reports its input state as unknown", async () => {
      await using session = await start(scenarios.answersLines);

      const first = await session.wait({ until: "ready", onInput: false, deadlineMs: DEADLINE_MS });
      const second = await session.wait({ deadlineMs: DEADLINE_MS });
      const third = await session.wait({ quietMs: 50, deadlineMs: DEADLINE_MS });
      const status = await session.status();

      expect([first.reason, second.reason, third.reason]).toEqual(["matched", "quiet", "quiet"]);
      expect(status).toEqual({
        state: "running",
        waitingFor: "unknown",
        foreground: null,
        exit: undefined,
        listening: [],
        evidence: "this transport cannot tell what the program waits for",
      });
      expect({ mode: session.terminalMode, waitingFor: await session.waitingFor() }).toEqual({
        mode: undefined,
        waitingFor: "unknown",
      });
    });

    test("finds a pattern and the exit as any other does", async () => {
      await using session = await start(scenarios.answersLines);

      await session.write("one\nquit\n");
      const answered = await session.wait({ until: "got one", onInput: false, deadlineMs: DEADLINE_MS });
      const ended = await session.wait({ deadlineMs: DEADLINE_MS });

      expect([answered.reason, ended.reason]).toEqual(["matched", "exited"]);
      expect(await session.leftovers()).toEqual([]);
    });

    test("refuses to wait for a port, which could not end", async () => {
      await using session = await start(scenarios.answersLines);

      await expect(session.wait({ port: 80 })).rejects.toMatchObject({ code: "NO_PROBE" });
    });

    test("cannot be a shell", async () => {
      const { transport } = scenarios.answersLines;

      await expect(openShell({ shell: "bash", transport })).rejects.toMatchObject({ code: "NO_PROBE" });
    });
  });
}
