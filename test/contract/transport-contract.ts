import { describe, expect, test } from "vitest";
import type { EndReport, Exit } from "../../src/index.ts";
import { bytes, open, type Scenarios } from "./scenarios.ts";

const exited = (code: number): Exit => ({ kind: "code", code });
const signals = ({ ended }: EndReport) => ended.map(({ signal }) => signal);

/** What every transport promises, with or without a probe. */
export function describeTransport(name: string, scenarios: Scenarios): void {
  describe(name, () => {
    test("all output arrives before the exit", async () => {
      const { channel, seen } = await open(scenarios.printsAndExits);

      const exit = await channel.exited;

      expect({ exit, text: seen.text }).toEqual({ exit: exited(7), text: "hello\n" });
      await channel.outputEnded;
      await channel.close({ graceMs: 100 });
    });

    test("a large output arrives completely", async () => {
      const { channel, seen } = await open(scenarios.printsMuch);

      const exit = await channel.exited;

      expect({ exit, length: seen.text.length, isPure: /^x*$/.test(seen.text) }).toEqual({
        exit: exited(0),
        length: 1_000_000,
        isPure: true,
      });
      await channel.close({ graceMs: 100 });
    });

    test("input reaches the program in order", async () => {
      const { channel, until } = await open(scenarios.answersLines);
      await until("ready\n");

      expect(await channel.write(bytes("one\n"))).toBe(4);
      expect(await channel.write(bytes("two\nquit\n"))).toBe(9);

      await until("got one\n");
      await until("got two\n");
      expect(await channel.exited).toEqual(exited(0));
      await channel.close({ graceMs: 100 });
    });

    test("arguments and environment reach the program", async () => {
      const args = ["", "a b", "ü", "$HOME", "'\"\\"];
      const { options } = scenarios.tellsArguments;
      const { channel, seen } = await open(scenarios.tellsArguments, {
        args: [...(options?.args ?? []), ...args],
        env: { PATH: "/usr/bin:/bin", GREETING: "hallo welt" },
      });

      await channel.exited;

      const expected = `${args.map((arg) => `[${arg}]`).join("")}hallo welt`;
      expect(Buffer.from(seen.text, "latin1").toString("utf8").trim()).toBe(expected);
      await channel.close({ graceMs: 100 });
    });

    test("a new size reaches the program", async () => {
      const { channel, until } = await open(scenarios.tellsSize);
      await until("ready\n");

      channel.resize({ cols: 101, rows: 33 });

      await until("101 33\n");
      await channel.close({ graceMs: 0 });
    });

    test("a signal ends the program and is reported as that signal", async () => {
      const { channel, until } = await open(scenarios.answersLines);
      await until("ready\n");

      expect(await channel.signal("SIGINT", "foreground")).toBe(true);

      expect(await channel.exited).toEqual({ kind: "signal", signal: "SIGINT" });
      expect(await channel.signal("SIGINT", "program")).toBe(false);
      await channel.close({ graceMs: 100 });
    });

    test("the exit is reported at once while another process holds the terminal, and its output arrives", async () => {
      const { channel, seen, until } = await open(scenarios.leavesHolder);

      expect(await channel.exited).toEqual(exited(3));
      let isOutputEnded = false;
      void channel.outputEnded.then(() => {
        isOutputEnded = true;
      });
      expect({ text: seen.text, isOutputEnded }).toEqual({ text: "", isOutputEnded: false });

      expect(await channel.signal("SIGUSR1", "tree")).toBe(true);
      await until("late\n");
      await channel.close({ graceMs: 0 });
      await channel.outputEnded;
    });

    test("a close with grace ends a program on SIGHUP", async () => {
      const { channel, until } = await open(scenarios.answersLines);
      await until("ready\n");

      // A quarter of it is for SIGHUP.
      const report = await channel.close({ graceMs: 60_000 });

      expect(signals(report)).toEqual(["SIGHUP"]);
      expect(await channel.exited).toEqual({ kind: "signal", signal: "SIGHUP" });
    });

    test("a program that ignores all signals is killed after the grace period", async () => {
      const { channel, until } = await open(scenarios.ignoresTerm);
      await until("ready\n");

      const report = await channel.close({ graceMs: 50 });

      expect(new Set(signals(report))).toEqual(new Set(["SIGKILL"]));
      expect(report.left).toEqual([]);
      expect(await channel.exited).toEqual({ kind: "signal", signal: "SIGKILL" });
      await channel.outputEnded;
    });

    test("closing again returns the same report", async () => {
      const { channel } = await open(scenarios.ignoresTerm);

      const [first, second] = await Promise.all([channel.close({ graceMs: 0 }), channel.close({ graceMs: 0 })]);

      expect(await channel.close({ graceMs: 0 })).toBe(first);
      expect(second).toBe(first);
    });

    test("a write after the end delivers nothing", async () => {
      const { channel } = await open(scenarios.answersLines);
      await channel.close({ graceMs: 0 });

      expect(await channel.write(bytes("lost\n"))).toBe(0);
    });

    test("paused output is held and not lost", async () => {
      const { channel, seen, until } = await open(scenarios.answersLines);
      await until("ready\n");

      channel.pause();
      await channel.write(bytes("one\n"));
      const held = seen.text;
      channel.resume();

      await until("got one\n");
      expect(held).not.toContain("got one");
      await channel.close({ graceMs: 0 });
    });

    test("pipes separate stdout and stderr, and stdin stays open until it is closed", async () => {
      const { channel, seen, until } = await open(scenarios.copiesStdin, { tty: false });
      await until("out\n");
      await until("err\n");

      await channel.write(bytes("copied\n"));
      await until("copied\n");
      channel.endInput();

      expect(await channel.exited).toEqual(exited(0));
      expect(seen.origins).toEqual(new Set(["stdout", "stderr"]));
      expect(await channel.write(bytes("more\n"))).toBe(0);
      await channel.outputEnded;
      await channel.close({ graceMs: 0 });
    });
  });
}
