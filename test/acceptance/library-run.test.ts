/** Commands that the library runs to their end: their output, input, time and variables. */
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { open, openShell, run } from "../../src/index.ts";
import { hostUntil, plain, type Terminals } from "../support/library.ts";
import { pidsWith, uniqueSeconds } from "../support/processes.ts";
import { until } from "../support/sessions.ts";

/** For tests that look at nothing but their own sessions. */
const shared = await hostUntil(afterAll);

describe.each<[where: string, terminals: () => Promise<Terminals>]>([
  ["in this process", async () => ({ open, run, openShell })],
  ["in a host", async () => shared],
])("%s", (_where, terminals) => {
  test("run gives the exit code and all output of a command", async () => {
    const { run: runHere } = await terminals();

    expect(await runHere("echo out; echo err >&2; exit 3", plain)).toMatchObject({
      exitCode: 3,
      signal: null,
      output: "out\nerr\n",
      timedOut: false,
      droppedBytes: 0,
    });
  });

  test("a command that reads gets its input, or the end of it at once", async () => {
    const { run: runHere } = await terminals();

    const given = await runHere("cat; echo end", { ...plain, input: "a\nb\n" });
    const nothing = await runHere("cat; echo end", plain);

    expect([given.output, nothing.output]).toEqual(["a\nb\nend\n", "end\n"]);
  });

  test("12 commands share one signal, and Node does not warn of a leak", async () => {
    const { run: runHere } = await terminals();
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on("warning", note);
    onTestFinished(() => void process.off("warning", note));
    const { signal } = new AbortController();

    await Promise.all(Array.from({ length: 12 }, () => runHere("echo", { ...plain, signal })));

    expect(warnings).not.toContain("MaxListenersExceededWarning");
  });

  test("a command that takes too long is ended, and what it printed is there", async () => {
    const { run: runHere } = await terminals();

    const result = await runHere("echo started; sleep 1000", { ...plain, timeoutMs: 5_000 });

    expect(result).toMatchObject({ exitCode: null, output: "started\n", timedOut: true });
  });

  test("an aborted run rejects with the reason and ends its command", async () => {
    const { run: runHere } = await terminals();
    const seconds = uniqueSeconds();
    const sleepers = () => pidsWith(`sleep\0${seconds}`).length;
    const stop = new AbortController();
    const reason = new Error("enough");

    const running = runHere(`sleep ${seconds}; echo`, { ...plain, signal: stop.signal }).catch(
      (error: unknown) => error,
    );
    await until(() => sleepers() === 1, "the command runs");
    stop.abort(reason);

    expect(await running).toBe(reason);
    await until(() => sleepers() === 0, "the command has ended");
  });

  test("variables are added to the default environment", async () => {
    const { run: runHere, open: openHere } = await terminals();
    const env = { GREETING: "good day" };
    const command = 'echo "$GREETING ${PATH:+has a path}"';

    await using session = await openHere(command, { ...plain, env });
    await session.exited();

    expect((await runHere(command, { ...plain, env })).output).toBe("good day has a path\n");
    expect(await session.text()).toBe("good day has a path\n");
  });
});
